// Files are read, not mapped: a mapped file that somebody truncates kills the process.
#include "lib/io/source.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/core/parallel.hpp"
#include "lib/io/gzip.hpp"
#include <rowan/error.hpp>

namespace rowan::io {
namespace {

constexpr std::int64_t kReadPiece = std::int64_t{4} << 20;  // enough to hide the system call, small enough to share out

/// An open file, closed at the end unless it is standard input.
class Input {
 public:
  explicit Input(const std::string& path) : name_(source_name(path)), owned_(path != "-") {
    fd_ = owned_ ? open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (fd_ < 0) fail("cannot be opened", errno);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() {
    if (owned_) close(fd_);
  }

  [[nodiscard]] Buffer read_all() const {
    struct stat status {};
    if (fstat(fd_, &status) != 0) fail("cannot be read", errno);
    if (S_ISDIR(status.st_mode)) fail("cannot be read", EISDIR);
    // standard input may stand in the middle of a file, and files of /proc claim to be empty: those are streams
    if (owned_ && S_ISREG(status.st_mode) && status.st_size > 0)
      return read_file(static_cast<std::size_t>(status.st_size));
    return read_stream();
  }

 private:
  [[noreturn]] void fail(const char* what, int code) const {
    throw Error(ErrorCode::io, name_ + ": " + what + ": " + std::generic_category().message(code));
  }

  [[nodiscard]] Buffer read_file(std::size_t size) const {
    Buffer buffer(size);
    char* const data = buffer.room().data();
    Team().for_blocks(static_cast<std::int64_t>(size), kReadPiece, [&](std::int64_t at, std::int64_t end) {
      while (at < end) {
        const ssize_t got = pread(fd_, data + at, static_cast<std::size_t>(end - at), at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail("cannot be read", errno);
        if (got == 0)
          throw Error(ErrorCode::io, name_ + ": shrank to " + std::to_string(at) + " bytes while being read");
        at += got;
      }
    });
    buffer.advance(size);
    return buffer;
  }

  [[nodiscard]] Buffer read_stream() const {
    Buffer buffer;
    for (;;) {
      const std::span<char> room = buffer.room();
      const ssize_t got = read(fd_, room.data(), room.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("cannot be read", errno);
      if (got == 0) return buffer;
      buffer.advance(static_cast<std::size_t>(got));
    }
  }

  std::string name_;
  bool owned_;
  int fd_;
};

}  // namespace

std::string source_name(const std::string& path) {
  return path == "-" ? "<stdin>" : path;
}

Buffer read_source(const std::string& path) {
  Buffer bytes = Input(path).read_all();
  return is_gzip(bytes.view()) ? inflate_gzip(bytes.view(), source_name(path)) : std::move(bytes);
}

}  // namespace rowan::io
