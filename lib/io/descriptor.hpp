#pragma once

#include <cerrno>
#include <utility>

#include <unistd.h>

namespace rowan::io {

/// An open file's number, closed at the end where it is owned.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number, bool owned = true) noexcept : number_(number), owned_(owned) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)), owned_(other.owned_) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_), std::swap(owned_, other.owned_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { static_cast<void>(close()); }

  [[nodiscard]] int number() const noexcept { return number_; }

  /// 0, or the errno of closing; a number that is not owned stays open.
  int close() noexcept {
    const int number = std::exchange(number_, -1);
    return number < 0 || !owned_ || ::close(number) == 0 ? 0 : errno;
  }

 private:
  int number_ = -1;
  bool owned_ = true;
};

}  // namespace rowan::io
