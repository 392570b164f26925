#pragma once
// A contestant's process: asked by lines, answers by lines of JSON (bench/peers/PROTOCOL.md).
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/types.h>

namespace rowan::tool::bench {

/// What became of a contestant that does not answer any more, or said that it cannot.
class Fault : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Child {
 public:
  /// Starts `command` on the last `cores` cores that this process may use. Throws Fault.
  Child(const std::vector<std::string>& command, int cores);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Ends the process, if need be by force.
  ~Child();

  /// Sends a line, unless it is empty, and waits for the answer. Throws Fault: crashed, too late, "error" answered; the
  /// process is gone then, except after an "error".
  nlohmann::json ask(const std::string& line, double timeout);
  /// Waits for the end of the output, for programs that answer without being asked.
  std::string read_all(double timeout);

  /// Resident memory in bytes now, and at its peak since the last reset (since the start where the system cannot reset
  /// it).
  [[nodiscard]] std::int64_t resident_bytes() const { return status("VmRSS:"); }
  [[nodiscard]] std::int64_t peak_bytes() const { return status("VmHWM:"); }
  void reset_peak() const;

 private:
  [[nodiscard]] std::int64_t status(const char* key) const;
  bool read_some(double deadline);  // false at the end of output
  [[noreturn]] void died();
  void end() noexcept;

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, errors_ = -1;
  std::string name_, text_;
};

}  // namespace rowan::tool::bench
