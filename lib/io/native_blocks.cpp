#include "lib/io/native_blocks.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <sstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/io/disk.hpp"
#include "lib/io/native.hpp"
#include "lib/io/temporary.hpp"
#include <rowan/error.hpp>

namespace rowan::io {
namespace {

// The disk is waited for when the last wait is this many times as long ago as it took: 5 % of the time at most.
constexpr int kRarely = 20;

template <class T>
std::span<const char> bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::uint32_t joined(std::uint32_t first, std::uint32_t second, std::size_t bytes_of_second) {
  return static_cast<std::uint32_t>(crc32_combine(first, second, static_cast<z_off_t>(bytes_of_second)));
}

/// The first line of `found` that is another in `wanted`, and what is wanted.
std::pair<std::string, std::string> first_difference(const std::string& found, const std::string& wanted) {
  std::istringstream a(found), b(wanted);
  for (std::string x, y;;) {
    if (!std::getline(a, x)) x.clear();
    if (!std::getline(b, y)) y.clear();
    if (x != y || (!a && !b)) return {x, y};
  }
}

}  // namespace

std::string unfinished_name(const std::string& target) {
  return target + ".unfinished";
}
std::string journal_name(const std::string& target) {
  return target + ".journal";
}

std::string left_unfinished(const std::string& path) {
  std::string name = unfinished_name(target_of(path).path);
  if (access(name.c_str(), F_OK) != 0) name.clear();
  return name;
}

NativeBlocks::NativeBlocks(const std::string& path)
    : name_(path),
      target_(target_of(path)),
      unfinished_(unfinished_name(target_.path)),
      journal_path_(journal_name(target_.path)) {
  if (target_.kind == FileKind::stream || target_.kind == FileKind::several)
    throw Error(ErrorCode::unsupported,
                name_ + ": is " + (target_.kind == FileKind::stream ? "no regular file" : "a file of several names") +
                    "; only a regular file of one name can be written in blocks");
}

bool NativeBlocks::open(int how) {
  constexpr mode_t kPermissions = 0777;
  file_ = Descriptor(::open(unfinished_.c_str(), how | O_RDWR | O_CLOEXEC, target_.mode & kPermissions));
  if (file_.number() < 0 && errno == ENOENT && (how & O_CREAT) == 0) return false;
  if (file_.number() < 0) throw io_error(unfinished_, "cannot be opened for writing", errno);
  if (flock(file_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw Error(ErrorCode::io, unfinished_ + ": is being written by another process");
  return true;
}

NativeHeader NativeBlocks::header() const noexcept {
  NativeHeader h{};
  std::copy(kNativeMagic.begin(), kNativeMagic.end(), h.magic);
  h.version = kNativeVersion, h.value_bytes = sizeof(double);
  h.rows = rows(), h.cols = cols_, h.nnz = row_ptr_.back();
  return h;
}

std::int64_t NativeBlocks::bytes() const noexcept {
  return static_cast<std::int64_t>(NativeLayout(header()).size);
}

/// The origin with the sizes that were counted.
std::string NativeBlocks::whole(const std::string& origin) const {
  return origin + "C has " + std::to_string(rows()) + " rows, " + std::to_string(cols_) + " columns and " +
         std::to_string(row_ptr_.back()) + " entries; row pointers " + std::to_string(row_ptr_crc_) + "\n";
}

std::optional<Array<std::int64_t>> NativeBlocks::resume(const std::string& origin) {
  if (!open(0)) return std::nullopt;  // never begun, or finished
  const std::optional<FoundJournal> found = read_journal(journal_path_);
  if (!found) return std::nullopt;  // interrupted before anything was known to be on the disk
  const auto damaged = [&] {
    return Error(ErrorCode::parse,
                 unfinished_ + ": is damaged, or not what " + journal_path_ + " is about; remove both");
  };
  if (!found->origin.starts_with(origin)) {
    const auto [was, is] = first_difference(found->origin, origin);
    throw Error(ErrorCode::invalid_argument,
                unfinished_ + ": was made of something else: \"" + was + "\", now it is \"" + is + "\"");
  }
  NativeHeader h{};
  std::istringstream sizes(found->origin.substr(origin.size()));
  std::string word;
  sizes >> word >> word >> h.rows >> word >> h.cols >> word >> word >> h.nnz;
  if (!sizes || h.rows < 0 || h.cols < 0 || h.nnz < 0 || found->last.rows < 0 || found->last.rows > h.rows)
    throw damaged();
  const NativeHeader ones = h;  // all of it written, and cut to be finished
  h.value_bytes = sizeof(double);
  const NativeLayout layout(h);
  struct stat status {};
  if (fstat(file_.number(), &status) != 0) throw io_error(unfinished_, "cannot be read", errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  const bool cut = found->last.rows == h.rows && found->last.ones && size == NativeLayout(ones).size;
  if (size != layout.size && !cut) throw damaged();
  Array<std::int64_t> row_ptr(h.rows + 1);
  read_at(file_, layout.row_ptr, {reinterpret_cast<char*>(row_ptr.data()), layout.row_ptr_bytes}, unfinished_);
  row_ptr_ = row_ptr.span(), cols_ = h.cols;
  row_ptr_crc_ = crc_behind(0, bytes_of(row_ptr_));
  if (whole(origin) != found->origin) throw damaged();
  done_ = found->last;
  journal_ = Journal::go_on(journal_path_, *found);
  noted_ = Clock::now();
  return row_ptr;
}

void NativeBlocks::begin(const std::string& origin, std::int64_t cols, std::span<const std::int64_t> row_ptr) {
  row_ptr_ = row_ptr, cols_ = cols, done_ = {};
  const NativeLayout layout(header());
  if (file_.number() < 0) static_cast<void>(open(O_CREAT));
  try {
    if (target_.kind == FileKind::single) take_after(file_.number(), target_);
    if (ftruncate(file_.number(), 0) != 0) throw io_error(unfinished_, "cannot be written", errno);
    reserve(file_, layout.size, unfinished_);
    row_ptr_crc_ = write_at(file_, layout.row_ptr, bytes_of(row_ptr_), unfinished_);
    wait_for_disk(file_, unfinished_);
    journal_ = Journal::begin(journal_path_, whole(origin));
  } catch (...) {  // nothing to continue
    unlink(unfinished_.c_str());
    throw;
  }
  noted_ = Clock::now();
}

void NativeBlocks::write(const CsrView<double>& block) {
  const NativeLayout layout(header());
  const auto at = static_cast<std::size_t>(row_ptr_[static_cast<std::size_t>(done_.rows)]);
  const std::size_t col = layout.col + at * sizeof(Column), val = layout.val + at * sizeof(double);
  const std::span<const char> columns = bytes_of(block.col), values = bytes_of(block.val);
  Mark next = done_;
  next.rows += block.rows;
  next.col = joined(next.col, write_at(file_, col, columns, unfinished_), columns.size());
  next.val = joined(next.val, write_at(file_, val, values, unfinished_), values.size());
  next.ones = next.ones && std::all_of(block.val.begin(), block.val.end(), [](double v) { return v == 1; });
  start_writing(file_, col, columns.size());
  start_writing(file_, val, values.size());
  done_ = next;
  if (Clock::now() - noted_ >= kRarely * noting_) note();
}

void NativeBlocks::note() {
  const Clock::time_point start = Clock::now();
  wait_for_disk(file_, unfinished_);
  journal_->add(done_);
  noted_ = Clock::now(), noting_ = noted_ - start;
}

void NativeBlocks::commit() {
  NativeHeader h = header();
  if (done_.ones) h.value_bytes = 0;
  const NativeLayout layout(h);
  h.crc = joined(crc_of(h), row_ptr_crc_, layout.row_ptr_bytes);
  h.crc = joined(h.crc, done_.col, layout.col_bytes);
  if (!done_.ones) h.crc = joined(h.crc, done_.val, layout.val_bytes);
  note();
  static_cast<void>(write_at(file_, 0, {reinterpret_cast<const char*>(&h), sizeof h}, unfinished_));
  if (ftruncate(file_.number(), static_cast<off_t>(layout.size)) != 0)
    throw io_error(unfinished_, "cannot be cut", errno);
  if (fsync(file_.number()) != 0) throw io_error(unfinished_, "cannot be written", errno);
  if (std::rename(unfinished_.c_str(), target_.path.c_str()) != 0) throw io_error(name_, "cannot be replaced", errno);
  wait_for_names(target_.path);
  std::remove(journal_path_.c_str());
}

}  // namespace rowan::io
