#include "lib/io/disk.hpp"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "lib/io/target.hpp"

namespace rowan::io {
namespace {

/// 0, or an errno.
int allocate([[maybe_unused]] const Descriptor& file, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __linux__
  return fallocate(file.number(), 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
#else
  return EOPNOTSUPP;
#endif
}

}  // namespace

void reserve(const Descriptor& file, std::size_t bytes, const std::string& name) {
  struct statvfs disk {};
  const bool known = fstatvfs(file.number(), &disk) == 0;
  const auto free = static_cast<std::size_t>(disk.f_bavail) * disk.f_frsize;
  const auto refuse = [&] {
    throw Error(ErrorCode::io, name + ": " + std::to_string(bytes) + " bytes are needed, the disk has " +
                                   std::to_string(free) + " free");
  };
  if (known && free < bytes) refuse();
  if (ftruncate(file.number(), static_cast<off_t>(bytes)) != 0)
    throw io_error(name, "cannot be made as long as C", errno);
  const int code = allocate(file, bytes);
  if (code == ENOSPC && known) refuse();
  if (code == ENOSPC || code == EDQUOT || code == EIO || code == EFBIG)
    throw io_error(name, "cannot be made as long as C", code);
}

void write_at(const Descriptor& file, std::size_t offset, std::span<const char> bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t put = pwrite(file.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw io_error(name, "cannot be written", errno);
    offset += static_cast<std::size_t>(put), bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

void read_at(const Descriptor& file, std::size_t offset, std::span<char> to, const std::string& name) {
  while (!to.empty()) {
    const ssize_t got = pread(file.number(), to.data(), to.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw io_error(name, "cannot be read", errno);
    if (got == 0) throw Error(ErrorCode::io, name + ": ends after " + std::to_string(offset) + " bytes");
    offset += static_cast<std::size_t>(got), to = to.subspan(static_cast<std::size_t>(got));
  }
}

void start_writing([[maybe_unused]] const Descriptor& file, [[maybe_unused]] std::size_t offset,
                   [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __linux__
  static_cast<void>(
      sync_file_range(file.number(), static_cast<off_t>(offset), static_cast<off_t>(bytes), SYNC_FILE_RANGE_WRITE));
#endif
}

void wait_for_disk(const Descriptor& file, const std::string& name) {
#ifdef __linux__
  const int result = fdatasync(file.number());
#else
  const int result = fsync(file.number());
#endif
  if (result != 0) throw io_error(name, "cannot be written", errno);
}

void wait_for_names(const std::string& path) noexcept {
  const std::size_t slash = path.rfind('/');
  try {
    const Descriptor folder(
        open(slash == std::string::npos ? "." : path.substr(0, slash + 1).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.number() >= 0) static_cast<void>(fsync(folder.number()));
  } catch (const std::bad_alloc&) {  // the names come to the disk by themselves, later
  }
}

}  // namespace rowan::io
