#include "tools/rowan/writer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "lib/io/target.hpp"
#include "tools/rowan/interrupt.hpp"
#include "tools/rowan/printable.hpp"
#include "tools/rowan/terminal.hpp"

namespace rowan::tool {

namespace fs = std::filesystem;

void say(std::string_view text) {
  io::Output("-").write(printable_lines(text));
}

void say_error(std::string_view text) {
  draw(printable_lines(text));
}

void say_fault(std::string_view message) {
  std::string line(message);
  std::replace(line.begin(), line.end(), '\n', ' ');
  draw(alarming("rowan:") + " " + printable(line) + "\n");
}

void draw(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void check_writable(const std::string& path) {
  if (path == "-") return;
  const io::FileTarget target = io::target_of(path);
  if (target.kind == io::FileKind::stream) {
    if (access(path.c_str(), W_OK) != 0) throw io::io_error(path, "cannot be opened for writing", errno);
    return;
  }
  // a regular file is written under another name first: its folder must be writable
  const fs::path real(target.path);
  const fs::path folder = real.has_parent_path() ? real.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw io::io_error(path, "cannot be created", fs::exists(folder, ignored) ? ENOTDIR : ENOENT);
  if (access(folder.c_str(), W_OK | X_OK) != 0) throw io::io_error(path, "cannot be created", errno);
  clean_up_when_interrupted(target.path);
}

}  // namespace rowan::tool
