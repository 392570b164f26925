#include "tools/rowan/writer.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "tools/rowan/interrupt.hpp"
#include <rowan/error.hpp>

namespace rowan::tool {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& path, const char* what, int code) {
  throw Error(ErrorCode::io, path + ": " + what + ": " + std::generic_category().message(code));
}

}  // namespace

void say(std::string_view text) {
  io::Output("-").write(text);
}

void say_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void check_writable(const std::string& path) {
  if (path == "-") return;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) refuse(path, "cannot be written", EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    if (access(path.c_str(), W_OK) != 0) refuse(path, "cannot be opened for writing", errno);
    return;
  }
  // a regular file is replaced by a new one beside it: it is the folder that must be writable
  const fs::path real = fs::exists(status) ? fs::canonical(path, ignored) : fs::path(path);
  const fs::path folder = real.has_parent_path() ? real.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) refuse(path, "cannot be created", fs::exists(folder) ? ENOTDIR : ENOENT);
  if (access(folder.c_str(), W_OK | X_OK) != 0) refuse(path, "cannot be created", errno);
  clean_up_when_interrupted(path);
}

}  // namespace rowan::tool
