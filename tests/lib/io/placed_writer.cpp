// Arrays written at their places (lib/io/placed_writer.cpp).
#include "lib/io/placed_writer.hpp"

#include <cerrno>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <zlib.h>

#include "tests/lib/io/failing.hpp"
#include "tests/lib/io/files.hpp"

namespace rowan::test {
namespace {

constexpr std::size_t kPage = 4096, kMega = std::size_t{1} << 20;

std::string some_bytes(std::size_t n) {
  std::string bytes(n, '\0');
  std::uint32_t x = 1;
  for (char& c : bytes) c = static_cast<char>((x = x * 1664525 + 1013904223) >> 24);
  return bytes;
}

io::Descriptor opened(const std::string& path) {
  return io::Descriptor(::open(path.c_str(), O_RDWR | O_CREAT, 0600));
}

}  // namespace

TEST_CASE("bytes of any number come to any place, with their checksum, and nothing beside them changes") {
  const Folder folder;
  const std::string bytes = some_bytes(3 * kMega + 5 * kPage + 77);
  for (const std::size_t offset : {std::size_t{0}, kPage, std::size_t{12}, kMega - 1, 2 * kPage + 4095})
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, kPage, kPage + 1, kMega + 3 * kPage, bytes.size()}) {
      CAPTURE(offset);
      CAPTURE(n);
      const std::string before(offset + n + 100, 'x'), path = folder.file("f", before);
      const io::Descriptor file = opened(path);
      io::PlacedWriter writer(file, path);
      CHECK_EQ(writer.write(offset, {bytes.data(), n}), crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), n));
      std::string expected = before;
      expected.replace(offset, n, bytes, 0, n);
      CHECK(content(path) == expected);
    }
}

TEST_CASE("arrays that follow each other share a page") {
  const Folder folder;
  const std::string bytes = some_bytes(2 * kMega), path = folder.path("f");
  const io::Descriptor file = opened(path);
  io::PlacedWriter writer(file, path);
  for (std::size_t at = 0, n = 1; at < bytes.size(); at += n, n = std::min(bytes.size() - at, n * 3 + 1))
    static_cast<void>(writer.write(at, {bytes.data() + at, n}));
  CHECK(content(path) == bytes);
}

TEST_CASE("a disk that fails is told, a file system that only writes through the cache is used so") {
  const Folder folder;
  const std::string bytes = some_bytes(kMega), path = folder.path("f");
  const io::Descriptor file = opened(path);
  io::PlacedWriter writer(file, path);
  {
    const Failing full(Call::pwrite, ENOSPC);
    CHECK_EQ(error_of([&] {
               writer.write(0, {bytes.data(), bytes.size()});
             }),
             "io: " + path + ": cannot be written: No space left on device");
  }
#ifdef O_DIRECT
  if (const io::Descriptor direct(::open(path.c_str(), O_WRONLY | O_DIRECT)); direct.number() >= 0) {
    const Failing refused(Call::pwrite, EINVAL);
    static_cast<void>(writer.write(0, {bytes.data(), bytes.size()}));
    CHECK(content(path) == bytes);
  }
#endif
}

}  // namespace rowan::test
