#include "lib/io/target.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rowan::io {

namespace fs = std::filesystem;

namespace {

/// Where the path leads that stat() could not follow for `code`.
FileTarget nothing_at(const std::string& path, int code) {
  if (code == ELOOP) throw io_error(path, "its symbolic links lead in a circle", code);
  if (code != ENOENT) throw io_error(path, "cannot be created", code);
  std::error_code ignored;
  if (fs::is_symlink(fs::symlink_status(path, ignored)))
    throw io_error(path, ("is a symbolic link to " + fs::read_symlink(path).string()).c_str(), code);
  return {.path = path};
}

}  // namespace

FileTarget target_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return nothing_at(path, errno);
  if (S_ISDIR(status.st_mode)) throw io_error(path, "cannot be written", EISDIR);
  if (!S_ISREG(status.st_mode)) return {.path = path, .kind = FileKind::stream};
  if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) throw io_error(path, "cannot be written", errno);
  constexpr mode_t kPermissions = 07777;
  std::error_code error;
  const bool link = fs::is_symlink(fs::symlink_status(path, error));
  const std::string real = link ? fs::canonical(path, error).string() : path;
  if (error) throw io_error(path, "its symbolic links cannot be followed", error.value());
  return {.path = real,
          .kind = status.st_nlink > 1 ? FileKind::several : FileKind::single,
          .mode = status.st_mode & kPermissions,
          .owner = status.st_uid,
          .group = status.st_gid};
}

Error io_error(const std::string& name, const char* what, int code) {
  return {ErrorCode::io, name + ": " + what + ": " + std::generic_category().message(code)};
}

}  // namespace rowan::io
