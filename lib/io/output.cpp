#include "lib/io/output.hpp"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "lib/io/overwrite.hpp"

namespace rowan::io {
namespace {

Descriptor opened(const FileTarget& target, int how, const std::string& name) {
  Descriptor file(open(target.path.c_str(), how | O_CLOEXEC));
  if (file.number() < 0) throw io_error(name, "cannot be opened for writing", errno);
  return file;
}

}  // namespace

Output::Output(const std::string& path) : name_(path) {
  if (path == "-") {
    name_ = "<stdout>", target_.kind = FileKind::stream, open_ = Descriptor(STDOUT_FILENO, false);
    return;
  }
  target_ = target_of(path);
  if (target_.kind == FileKind::stream) open_ = opened(target_, O_WRONLY, name_);
  if (target_.kind == FileKind::several) open_ = opened(target_, O_RDWR, name_);
  if (target_.kind != FileKind::stream) temporary_ = Temporary(target_, name_);
}

void Output::write(std::string_view bytes) {
  const int file = (target_.kind == FileKind::stream ? open_ : temporary_.file()).number();
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw io_error(name_, "cannot be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Output::commit() {
  if (target_.kind == FileKind::several) overwrite(target_, open_, temporary_.file(), name_);
  for (Descriptor* file : {&open_, &temporary_.file()})
    if (const int code = file->close(); code != 0) throw io_error(name_, "cannot be written", code);
  if (target_.kind == FileKind::stream || target_.kind == FileKind::several) return;
  if (std::rename(temporary_.path().c_str(), target_.path.c_str()) != 0)
    throw io_error(name_, "cannot be replaced", errno);
  temporary_.keep();
}

}  // namespace rowan::io
