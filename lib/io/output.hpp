#pragma once

#include <string>
#include <string_view>

namespace rowan::io {

/// Where `path` leads, symbolic links resolved; itself where there is nothing yet.
[[nodiscard]] std::string real_path(const std::string& path);

/// The name under which a process of this number writes the regular file `target` first.
[[nodiscard]] std::string temporary_name(const std::string& target, long long process);

/// A file being written. A regular file, new or not, is written under a temporary name beside it that commit() turns
/// into the real one; without commit() it goes away and what stood there before stays. Devices, pipes and standard
/// output ("-") are written directly. Everything throws Error{io}.
class Output {
 public:
  explicit Output(const std::string& path);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  void write(std::string_view bytes);
  void commit();

 private:
  void open_temporary();
  void open_directly();
  [[noreturn]] void fail(const char* what, int code) const;

  std::string name_;       // for messages
  std::string target_;     // where the file ends up; symbolic links resolved
  std::string temporary_;  // empty where there is none
  int fd_ = -1;
  bool owned_ = true;  // false for standard output
};

}  // namespace rowan::io
