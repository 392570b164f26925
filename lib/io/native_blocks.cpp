#include "lib/io/native_blocks.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
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

/// The sizes in the journal of a file of this origin: a header without a checksum, for values that are numbers.
std::optional<NativeHeader> sizes_of(const FoundJournal& found, const std::string& origin) {
  if (!found.origin.starts_with(origin)) return std::nullopt;
  NativeHeader h{};
  h.value_bytes = sizeof(double);
  std::istringstream sizes(found.origin.substr(origin.size()));
  std::string word;
  sizes >> word >> word >> h.rows >> word >> h.cols >> word >> word >> h.nnz;
  if (!sizes || h.rows < 0 || h.cols < 0 || h.nnz < 0 || found.last.rows < 0 || found.last.rows > h.rows)
    return std::nullopt;
  return h;
}

std::size_t size_of(const Descriptor& file, const std::string& name) {
  struct stat status {};
  if (fstat(file.number(), &status) != 0) throw io_error(name, "cannot be read", errno);
  return static_cast<std::size_t>(status.st_size);
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
  writer_.emplace(file_, unfinished_);
  return true;
}

NativeHeader NativeBlocks::header() const noexcept {
  NativeHeader h{};
  std::copy(kNativeMagic.begin(), kNativeMagic.end(), h.magic);
  h.version = kNativeVersion, h.value_bytes = sizeof(double);
  h.rows = rows(), h.cols = cols_, h.nnz = row_ptr_.back();
  return h;
}

NativeHeader NativeBlocks::finished_header() const noexcept {
  NativeHeader h = header();
  if (done_.ones) h.value_bytes = 0;
  const NativeLayout layout(h);
  h.crc = joined(crc_of(h), row_ptr_crc_, layout.row_ptr_bytes);
  h.crc = joined(h.crc, done_.col, layout.col_bytes);
  if (!done_.ones) h.crc = joined(h.crc, done_.val, layout.val_bytes);
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

std::optional<Array<std::int64_t>> NativeBlocks::take(const Descriptor& file, const NativeHeader& sizes,
                                                      const FoundJournal& found, const std::string& origin) {
  const NativeLayout layout(sizes);
  Array<std::int64_t> row_ptr(sizes.rows + 1);
  read_at(file, layout.row_ptr, {reinterpret_cast<char*>(row_ptr.data()), layout.row_ptr_bytes}, name_);
  row_ptr_ = row_ptr.span(), cols_ = sizes.cols, done_ = found.last;
  row_ptr_crc_ = crc_behind(0, bytes_of(row_ptr_));
  if (whole(origin) != found.origin) return std::nullopt;
  return row_ptr;
}

std::optional<Array<std::int64_t>> NativeBlocks::take_finished(const FoundJournal& found, const std::string& origin) {
  std::optional<NativeHeader> sizes = sizes_of(found, origin);
  if (!sizes || found.last.rows != sizes->rows) return std::nullopt;
  if (found.last.ones) sizes->value_bytes = 0;
  const Descriptor file(::open(target_.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0 || size_of(file, name_) != NativeLayout(*sizes).size) return std::nullopt;
  std::optional<Array<std::int64_t>> row_ptr = take(file, *sizes, found, origin);
  if (!row_ptr) return std::nullopt;
  NativeHeader there{};
  read_at(file, 0, {reinterpret_cast<char*>(&there), sizeof there}, name_);
  const NativeHeader expected = finished_header();
  if (std::memcmp(&there, &expected, sizeof there) != 0) return std::nullopt;
  return row_ptr;
}

std::optional<Array<std::int64_t>> NativeBlocks::resume(const std::string& origin) {
  const bool unfinished = open(0);
  const std::optional<FoundJournal> found = read_journal(journal_path_);
  if (!found) return std::nullopt;  // never begun, finished, or interrupted before anything was known to be on the disk
  if (!unfinished) return take_finished(*found, origin);
  const std::size_t size = size_of(file_, unfinished_);
  if (size == 0) return std::nullopt;  // just begun, beside the journal of a finished one
  const auto damaged = [&] {
    return Error(ErrorCode::parse,
                 unfinished_ + ": is damaged, or not what " + journal_path_ + " is about; remove both");
  };
  if (!found->origin.starts_with(origin)) {
    const auto [was, is] = first_difference(found->origin, origin);
    throw Error(ErrorCode::invalid_argument,
                unfinished_ + ": was made of something else: \"" + was + "\", now it is \"" + is + "\"");
  }
  const std::optional<NativeHeader> sizes = sizes_of(*found, origin);
  if (!sizes) throw damaged();
  NativeHeader ones = *sizes;  // all of it written, and cut to be finished
  ones.value_bytes = 0;
  const bool cut = found->last.rows == sizes->rows && found->last.ones && size == NativeLayout(ones).size;
  if (size != NativeLayout(*sizes).size && !cut) throw damaged();
  std::optional<Array<std::int64_t>> row_ptr = take(file_, *sizes, *found, origin);
  if (!row_ptr) throw damaged();
  journal_ = Journal::go_on(journal_path_, *found);
  noted_ = Clock::now();
  return row_ptr;
}

void NativeBlocks::begin(const std::string& origin, std::int64_t cols, std::span<const std::int64_t> row_ptr) {
  row_ptr_ = row_ptr, cols_ = cols, done_ = {};
  const NativeLayout layout(header());
  if (file_.number() < 0) static_cast<void>(open(O_CREAT));
  // a journal that was left would be taken for that of this file
  if (std::remove(journal_path_.c_str()) == 0) wait_for_names(journal_path_);
  try {
    if (target_.kind == FileKind::single) take_after(file_.number(), target_);
    if (ftruncate(file_.number(), 0) != 0) throw io_error(unfinished_, "cannot be written", errno);
    reserve(file_, layout.size, unfinished_);
    row_ptr_crc_ = writer_->write(layout.row_ptr, bytes_of(row_ptr_));
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
  FileMark next = done_;
  next.rows += block.rows;
  next.col = joined(next.col, writer_->write(col, columns), columns.size());
  next.val = joined(next.val, writer_->write(val, values), values.size());
  next.ones = next.ones && std::all_of(block.val.begin(), block.val.end(), [](double v) { return v == 1; });
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
  if (journal_) {
    note();
    const NativeHeader h = finished_header();
    write_at(file_, 0, {reinterpret_cast<const char*>(&h), sizeof h}, unfinished_);
    if (ftruncate(file_.number(), static_cast<off_t>(NativeLayout(h).size)) != 0)
      throw io_error(unfinished_, "cannot be cut", errno);
    if (fsync(file_.number()) != 0) throw io_error(unfinished_, "cannot be written", errno);
    if (std::rename(unfinished_.c_str(), target_.path.c_str()) != 0) throw io_error(name_, "cannot be replaced", errno);
  }
  wait_for_names(target_.path);
  std::remove(journal_path_.c_str());
}

}  // namespace rowan::io
