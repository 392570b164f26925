#include "lib/io/overwrite.hpp"

#include <array>
#include <cerrno>

#include <unistd.h>

namespace rowan::io {
namespace {

/// Makes `to` what `from` is, on the disk, too: a network's file system may report only then that it is full.
/// Returns 0 or an errno.
int copy(const Descriptor& from, const Descriptor& to) {
  std::array<char, std::size_t{64} << 10> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): read into
  off_t at = 0;
  for (;;) {
    const ssize_t got = pread(from.number(), bytes.data(), bytes.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) break;
    for (ssize_t put = 0; put != got;) {
      const ssize_t n =
          pwrite(to.number(), bytes.data() + put, static_cast<std::size_t>(got - put), at + static_cast<off_t>(put));
      if (n < 0 && errno != EINTR) return errno;
      if (n > 0) put += n;
    }
    at += got;
  }
  return ftruncate(to.number(), at) == 0 && fsync(to.number()) == 0 ? 0 : errno;
}

}  // namespace

void overwrite(const FileTarget& target, const Descriptor& file, const Descriptor& content, const std::string& name) {
  Temporary before(target, name);
  if (const int code = copy(file, before.file()); code != 0)
    throw io_error(name, "its content cannot be kept while it is replaced", code);
  const int code = copy(content, file);
  if (code == 0) return;
  if (copy(before.file(), file) == 0) throw io_error(name, "cannot be written", code);
  const std::string what = "is damaged, what was in it is in " + before.path() + "; it cannot be written";
  before.keep();
  throw io_error(name, what.c_str(), code);
}

}  // namespace rowan::io
