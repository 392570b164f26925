// What the system and zlib seldom answer, and what comes of it.
#include "tests/lib/io/failing.hpp"

#include <atomic>
#include <cerrno>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/io/gzip.hpp"
#include "tests/lib/io/files.hpp"

namespace rowan::test {
namespace {

struct Request {
  std::atomic<int> working = 0, wanted = 0;
  Call call{};
  int code = 0;
} g_request;  // the linker's wrappers have no other way to be told

/// Whether this call is the one to fail; errno is set for the system's calls.
bool fails(Call call) {
  if (g_request.wanted <= 0 || g_request.call != call || g_request.working-- > 0) return false;
  if (g_request.wanted-- <= 0) return false;
  errno = g_request.code;
  return true;
}

}  // namespace

Failing::Failing(Call call, int code, int working, int times) {
  g_request.call = call, g_request.code = code, g_request.working = working, g_request.wanted = times;
}
Failing::~Failing() {
  g_request.wanted = 0;
}

extern "C" {
ssize_t __real_pread(int fd, void* to, size_t n, off_t at);
ssize_t __wrap_pread(int fd, void* to, size_t n, off_t at);
ssize_t __wrap_pread(int fd, void* to, size_t n, off_t at) {
  if (!fails(Call::pread)) return __real_pread(fd, to, n, at);
  return errno == 0 ? 0 : -1;
}
ssize_t __real_read(int fd, void* to, size_t n);
ssize_t __wrap_read(int fd, void* to, size_t n);
ssize_t __wrap_read(int fd, void* to, size_t n) {
  return fails(Call::read) ? -1 : __real_read(fd, to, n);
}
ssize_t __real_pwrite(int fd, const void* from, size_t n, off_t at);
ssize_t __wrap_pwrite(int fd, const void* from, size_t n, off_t at);
ssize_t __wrap_pwrite(int fd, const void* from, size_t n, off_t at) {
  return fails(Call::pwrite) ? -1 : __real_pwrite(fd, from, n, at);
}
int __real_fstat(int fd, struct stat* to);
int __wrap_fstat(int fd, struct stat* to);
int __wrap_fstat(int fd, struct stat* to) {
  return fails(Call::fstat) ? -1 : __real_fstat(fd, to);
}
int __real_inflateInit2_(z_streamp s, int bits, const char* version, int size);
int __wrap_inflateInit2_(z_streamp s, int bits, const char* version, int size);
int __wrap_inflateInit2_(z_streamp s, int bits, const char* version, int size) {
  return fails(Call::inflate_init) ? g_request.code : __real_inflateInit2_(s, bits, version, size);
}
int __real_inflate(z_streamp s, int flush);
int __wrap_inflate(z_streamp s, int flush);
int __wrap_inflate(z_streamp s, int flush) {
  return fails(Call::inflate) ? g_request.code : __real_inflate(s, flush);
}
int __real_deflateInit2_(z_streamp s, int level, int method, int bits, int memory, int strategy, const char* version,
                         int size);
int __wrap_deflateInit2_(z_streamp s, int level, int method, int bits, int memory, int strategy, const char* version,
                         int size);
int __wrap_deflateInit2_(z_streamp s, int level, int method, int bits, int memory, int strategy, const char* version,
                         int size) {
  return fails(Call::deflate_init) ? g_request.code
                                   : __real_deflateInit2_(s, level, method, bits, memory, strategy, version, size);
}
int __real_deflate(z_streamp s, int flush);
int __wrap_deflate(z_streamp s, int flush);
int __wrap_deflate(z_streamp s, int flush) {
  return fails(Call::deflate) ? g_request.code : __real_deflate(s, flush);
}
}

namespace {

constexpr const char* kText = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2.5\n";

}  // namespace

TEST_CASE("a read that is interrupted is repeated") {
  const Folder folder;
  const std::string text = folder.file("a.mtx", kText);
  {
    const Failing interrupted(Call::read, EINTR);
    CHECK_EQ(read_error(text), "no error");
  }
  const std::string binary = folder.path("a.bin");
  write_matrix(binary, read_matrix(text));
  const Failing interrupted(Call::pread, EINTR);
  CHECK_EQ(read_error(binary), "no error");
}

TEST_CASE("a file that cannot be read to its end is refused") {
  const Folder folder;
  const std::string path = folder.path("a.bin");
  write_matrix(path, read_matrix(folder.file("a.mtx", kText)));
  {
    const Failing failing(Call::pread, EIO);
    CHECK_EQ(read_error(path), "io: " + path + ": cannot be read: Input/output error");
  }
  {
    const Failing shrunk(Call::pread, 0);
    CHECK_EQ(read_error(path), "io: " + path + ": shrank to 0 bytes while being read");
  }
  {
    const Failing unknown(Call::fstat, EIO);
    CHECK_EQ(read_error(path), "io: " + path + ": cannot be read: Input/output error");
  }
}

TEST_CASE("a stream that is interrupted is read on, one that breaks is refused") {
  {
    const Failing interrupted(Call::read, EINTR);
    CHECK(read_error("/dev/null").starts_with("parse: /dev/null:1: the file is empty"));
  }
  const Failing failing(Call::read, EIO);
  CHECK_EQ(read_error("/dev/null"), "io: /dev/null: cannot be read: Input/output error");
}

TEST_CASE("zlib without memory is told as such") {
  const std::string member(io::gzip_member("rowan").view());
  const auto inflating = [&] { static_cast<void>(io::inflate_gzip(member, "F")); };
  const auto compressing = [] { static_cast<void>(io::gzip_member("rowan")); };
  {
    const Failing failing(Call::inflate_init, Z_MEM_ERROR);
    CHECK_EQ(error_of(inflating), "out_of_memory: cannot start to inflate gzip");
  }
  {
    const Failing failing(Call::inflate, Z_MEM_ERROR);
    CHECK_EQ(error_of(inflating), "out_of_memory: F: no memory to inflate gzip");
  }
  {
    const Failing failing(Call::deflate_init, Z_MEM_ERROR);
    CHECK_EQ(error_of(compressing), "out_of_memory: cannot start to compress gzip");
  }
  const Failing failing(Call::deflate, Z_OK);
  CHECK_EQ(error_of(compressing), "io: gzip compression failed");
}

}  // namespace rowan::test
