#pragma once

#include <string>

#include "lib/io/descriptor.hpp"
#include "lib/io/target.hpp"

namespace rowan::io {

/// The name under which a process of this number writes the regular file `target` first: ".tmp.PROCESS" behind the
/// target's name, which is cut where both are too long for the file system.
[[nodiscard]] std::string temporary_name(const std::string& target, long long process);

/// A file that replaces the target gets its owner and mode. Where the owner cannot be set, the mode bits that act in
/// the owner's name are left out.
void take_after(int file, const FileTarget& target);

/// A new file beside a target, removed at the end unless it was kept.
class Temporary {
 public:
  Temporary() = default;
  /// With the target's mode and, where the system allows it, its owner. `name` is for messages. Throws Error{io}.
  Temporary(const FileTarget& target, const std::string& name);
  Temporary(Temporary&& other) noexcept : file_(std::move(other.file_)) { path_.swap(other.path_); }
  Temporary& operator=(Temporary&& other) noexcept {
    file_ = std::move(other.file_), path_.swap(other.path_);
    return *this;
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();

  [[nodiscard]] Descriptor& file() noexcept { return file_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// From here on it is not removed.
  void keep() noexcept { path_.clear(); }

 private:
  std::string path_;  // empty: none
  Descriptor file_;
};

}  // namespace rowan::io
