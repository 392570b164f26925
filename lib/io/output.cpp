#include "lib/io/output.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rowan/error.hpp>

namespace rowan::io {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kMode = 0666;  // less what the user's umask takes

}  // namespace

std::string real_path(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? path : real.string();
}

std::string temporary_name(const std::string& target, long long process) {
  return target + ".tmp." + std::to_string(process);
}

Output::Output(const std::string& path) : name_(path), target_(path) {
  if (path == "-") {
    name_ = "<stdout>", fd_ = STDOUT_FILENO, owned_ = false;
    return;
  }
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) fail("cannot be written", EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    open_directly();
    return;
  }
  // a link stays a link: the file behind it is replaced
  target_ = real_path(path);
  open_temporary();
}

Output::~Output() {
  if (owned_ && fd_ >= 0) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void Output::open_directly() {
  fd_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd_ < 0) fail("cannot be opened for writing", errno);
}

void Output::open_temporary() {
  const std::string stem = temporary_name(target_, getpid());
  std::string candidate = stem;
  // taken names are those of other threads, or left by a process that was killed
  for (int taken = 0; fd_ < 0; candidate = stem + "." + std::to_string(++taken)) {
    fd_ = open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (fd_ < 0 && errno != EEXIST) fail("cannot be created", errno);
    if (fd_ >= 0) temporary_ = candidate;
  }
}

void Output::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Output::commit() {
  if (owned_ && close(std::exchange(fd_, -1)) != 0) fail("cannot be written", errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be replaced", errno);
  temporary_.clear();
}

void Output::fail(const char* what, int code) const {
  throw Error(ErrorCode::io, name_ + ": " + what + ": " + std::generic_category().message(code));
}

}  // namespace rowan::io
