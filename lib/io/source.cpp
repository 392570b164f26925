// Files are read, not mapped: a mapped file that is truncated kills the process. Only rowan's own form, which
// rowan replaces and never truncates, is worth that risk; where it has several names (hard links) rowan writes into it,
// and it is read, too.
#include "lib/io/source.hpp"

#include <atomic>
#include <cerrno>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/io/gzip.hpp"
#include <rowan/error.hpp>

namespace rowan::io {
namespace {

/// An open file, closed at the end unless it is standard input.
class Input {
 public:
  Input(const std::string& path, std::string name) : name_(std::move(name)), owned_(path != "-") {
    fd_ = owned_ ? open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (fd_ < 0) fail("cannot be opened", errno);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() {
    if (owned_) close(fd_);
  }

  void measure() {
    struct stat status {};
    if (fstat(fd_, &status) != 0) fail("cannot be read", errno);
    if (S_ISDIR(status.st_mode)) fail("cannot be read", EISDIR);
    // standard input may stand in the middle of a file, and files of /proc claim to be empty: those are streams
    if (owned_ && S_ISREG(status.st_mode)) size_ = static_cast<std::size_t>(status.st_size);
    mappable_ = status.st_nlink <= 1;
  }

  /// Of a regular file; 0 where it is not known.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool mappable() const noexcept { return mappable_; }
  [[nodiscard]] double share() const noexcept {
    return static_cast<double>(consumed_.load(std::memory_order_relaxed)) / static_cast<double>(size_);
  }

  std::size_t pull(std::span<char> room) {
    for (;;) {
      const ssize_t got = read(fd_, room.data(), room.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("cannot be read", errno);
      consumed_.fetch_add(static_cast<std::size_t>(got), std::memory_order_relaxed);
      return static_cast<std::size_t>(got);
    }
  }

  void read_at(std::size_t offset, std::span<char> room) const {
    while (!room.empty()) {
      const ssize_t got = pread(fd_, room.data(), room.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("cannot be read", errno);
      if (got == 0)
        throw Error(ErrorCode::io, name_ + ": shrank to " + std::to_string(offset) + " bytes while being read");
      offset += static_cast<std::size_t>(got);
      room = room.subspan(static_cast<std::size_t>(got));
    }
  }

  [[nodiscard]] Block map_at(std::size_t offset, std::size_t bytes) const noexcept {
    return Block::of_file(fd_, offset, bytes);
  }

 private:
  [[noreturn]] void fail(const char* what, int code) const {
    throw Error(ErrorCode::io, name_ + ": " + what + ": " + std::generic_category().message(code));
  }

  std::string name_;
  bool owned_;
  int fd_;
  std::size_t size_ = 0;
  bool mappable_ = false;
  std::atomic<std::size_t> consumed_ = 0;
};

}  // namespace

Source open_source(const std::string& path) {
  const std::string name = path == "-" ? "<stdin>" : path;
  const auto input = std::make_shared<Input>(path, name);
  input->measure();
  Source source{name, Bytes([input](std::span<char> room) { return input->pull(room); })};
  if (input->size() != 0) source.share = [input] { return input->share(); };
  if (is_gzip(source.bytes.peek(2))) {
    source.bytes = Bytes(gunzip(std::move(source.bytes), name));
  } else if (input->size() != 0) {
    source.size = input->size();
    source.read_at = [input](std::size_t offset, std::span<char> room) { input->read_at(offset, room); };
    if (input->mappable())
      source.map_at = [input](std::size_t offset, std::size_t bytes) { return input->map_at(offset, bytes); };
  }
  return source;
}

}  // namespace rowan::io
