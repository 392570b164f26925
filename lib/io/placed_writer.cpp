#include "lib/io/placed_writer.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <vector>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/io/disk.hpp"
#include "lib/io/target.hpp"

namespace rowan::io {
namespace {

// Of a write: stays in the cache from its checksum to its copy.
constexpr std::size_t kPiece = std::size_t{1} << 20;
// What a write past the system's cache begins and ends at, in the file and in memory.
constexpr std::size_t kPage = 4096;
static_assert(kPiece % kPage == 0);
// So many pieces at once: while the disk has one, checksums of others are made.
constexpr int kAtOnce = 4;

struct Freed {
  void operator()(char* memory) const noexcept { std::free(memory); }  // NOLINT(*-no-malloc, *-owning-memory)
};
using PieceCopy = std::unique_ptr<char, Freed>;  // memory that begins at a page

/// Whole pages; returns how many bytes are written: none where the file system has no such writes after all.
std::size_t write_past_cache(const Descriptor& direct, std::size_t offset, std::span<const char> pages, PieceCopy& copy,
                             const std::string& name) {
  if (!copy) copy.reset(static_cast<char*>(std::aligned_alloc(kPage, kPiece)));  // NOLINT(*-no-malloc)
  if (!copy) return 0;
  std::copy(pages.begin(), pages.end(), copy.get());
  const ssize_t put = pwrite(direct.number(), copy.get(), pages.size(), static_cast<off_t>(offset));
  if (put < 0 && errno != EINVAL && errno != EINTR) throw io_error(name, "cannot be written", errno);
  return static_cast<std::size_t>(std::max<ssize_t>(put, 0));
}

/// Of one piece the whole pages go past the cache, what is before and behind them through it.
void write_piece(const Descriptor& file, const Descriptor& direct, std::size_t offset, std::span<const char> bytes,
                 PieceCopy& copy, const std::string& name) {
  const std::size_t before = std::min(bytes.size(), (kPage - offset % kPage) % kPage);
  const std::size_t pages = (bytes.size() - before) / kPage * kPage;
  std::size_t done = before;
  if (pages != 0 && direct.number() >= 0)
    done += write_past_cache(direct, offset + before, bytes.subspan(before, pages), copy, name);
  write_at(file, offset, bytes.first(before), name);
  write_at(file, offset + done, bytes.subspan(done), name);
}

Descriptor past_cache([[maybe_unused]] const std::string& path) noexcept {
#ifdef O_DIRECT
  return Descriptor(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_DIRECT));
#else
  return {};
#endif
}

}  // namespace

PlacedWriter::PlacedWriter(const Descriptor& file, const std::string& path)
    : file_(file), direct_(past_cache(path)), name_(path) {}

std::uint32_t PlacedWriter::write(std::size_t offset, std::span<const char> bytes) {
  // pieces end at multiples of their size in the file: all but the first and the last are whole pages
  const std::size_t first = offset / kPiece,
                    pieces = bytes.empty() ? 0 : (offset + bytes.size() - 1) / kPiece - first + 1;
  const auto piece = [&](std::size_t i) {
    const std::size_t begin = i == 0 ? 0 : (first + i) * kPiece - offset;
    return bytes.subspan(begin, std::min(bytes.size(), (first + i + 1) * kPiece - offset) - begin);
  };
  std::vector<uLong> crc(pieces);
  std::atomic<std::size_t> next = 0;
  threads_.run(static_cast<int>(std::min<std::size_t>(kAtOnce, pieces)), [&](int) {
    PieceCopy copy;
    for (std::size_t i; (i = next++) < pieces;) {
      const std::span<const char> mine = piece(i);
      crc[i] = crc32_z(0, reinterpret_cast<const Bytef*>(mine.data()), mine.size());
      write_piece(file_, direct_, offset + static_cast<std::size_t>(mine.data() - bytes.data()), mine, copy, name_);
    }
  });
  uLong all = 0;
  for (std::size_t i = 0; i != pieces; ++i) all = crc32_combine(all, crc[i], static_cast<z_off_t>(piece(i).size()));
  if (direct_.number() < 0) start_writing(file_, offset, bytes.size());
  return static_cast<std::uint32_t>(all);
}

}  // namespace rowan::io
