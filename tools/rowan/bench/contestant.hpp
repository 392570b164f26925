#pragma once
// The contestants: programs that follow bench/peers/PROTOCOL.md.
#include <string>
#include <vector>

namespace rowan::tool::bench {

struct Contestant {
  std::string name;
  std::vector<std::string> command;  // program and arguments, without matrices
  bool reuse = false;                // numeric re-execution
  bool rowan = false;                // rowan itself, in any of its ways
  bool single = false;               // in single precision
  bool sorted = true;                // else C's columns come in any order
  std::string backend = "host";      // where it multiplies
};

/// Every way to multiply that an executable file offers; none if it cannot run here. Throws Fault if it breaks the
/// protocol.
[[nodiscard]] std::vector<Contestant> ask_program(const std::string& path);

/// The executable files of a folder, by name. Throws UsageError where there is no such folder.
[[nodiscard]] std::vector<std::string> programs_in(const std::string& folder);

/// Where the programs that come with rowan are: beside the running executable, in the build tree or installed. Throws
/// UsageError where they are not.
[[nodiscard]] std::string own_folder();

}  // namespace rowan::tool::bench
