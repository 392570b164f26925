#pragma once

#include <string>

#include <sys/types.h>

#include <rowan/error.hpp>

namespace rowan::io {

enum class FileKind {
  fresh,    ///< nothing yet
  single,   ///< a regular file
  several,  ///< a regular file with more names than this one (hard links)
  stream,   ///< a device, a pipe: written directly
};

/// What is at a path that is to be written.
struct FileTarget {
  std::string path;  ///< symbolic links resolved
  FileKind kind = FileKind::fresh;
  mode_t mode = 0666;  ///< a file's, or of a new one, less what the user's umask takes
  uid_t owner = 0;     ///< of single and several
  gid_t group = 0;
};

/// Throws Error{io} for a folder, a file that must not be written, and symbolic links that lead nowhere or in a circle.
[[nodiscard]] FileTarget target_of(const std::string& path);

/// 'NAME: WHAT: the system's words for CODE'.
[[nodiscard]] Error io_error(const std::string& name, const char* what, int code);

}  // namespace rowan::io
