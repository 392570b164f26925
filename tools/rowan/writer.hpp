#pragma once
// Text on its way out. Every write is checked, so that a full disk ends in exit code 1 and not in half a table.
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "lib/io/output.hpp"
#include "tools/rowan/interrupt.hpp"

namespace rowan::tool {

/// Formats into a buffer and empties it into a file as it fills ("-" is standard output): any number of rows takes the
/// same memory. A regular file appears whole, at finish(), or not at all.
class Writer {
 public:
  explicit Writer(const std::string& path) : out_(path) {}

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    if (text_.size() >= kFull) flush();
  }
  void finish() {
    flush();
    const HeldInterrupts held;
    out_.commit();
  }

 private:
  static constexpr std::size_t kFull = std::size_t{64} << 10;  // a system call each: cheap beside the formatting

  void flush() {
    out_.write({text_.data(), text_.size()});
    text_.clear();
  }

  io::Output out_;
  fmt::memory_buffer text_;
};

/// To standard output, printable (printable.hpp); throws Error{io}.
void say(std::string_view text);
/// To standard error, printable, whatever comes of it.
void say_error(std::string_view text);
/// A message with "rowan:" before it, which terminals show in red, to standard error, on one line.
void say_fault(std::string_view message);
/// To a terminal's standard error as it stands: lines that are drawn over each other. Names in it are printable.
void draw(std::string_view line);

/// Throws the Error{io} that writing to `path` would end in, as far as that can be found out without touching it:
/// before a long multiplication rather than after. From then on an interrupted program leaves no temporary file of it.
void check_writable(const std::string& path);

}  // namespace rowan::tool
