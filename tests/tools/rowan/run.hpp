#pragma once
// Runs the executable as a user does, in a folder of its own, and keeps what came out.
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "tests/lib/io/files.hpp"

namespace rowan::test {

// [ 1 2 0 ]      [ 1 0 ]
// [ 0 0 3 ]  and [ 0 1 ]
// [ 4 0 5 ]      [ 2 0 ]
inline constexpr std::string_view kA =
    "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 1\n1 2 2\n2 3 3\n3 1 4\n3 3 5\n";
inline constexpr std::string_view kB = "%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 1\n2 2 1\n3 1 2\n";
// [ 1 2 ], [ 6 0 ], [ 14 0 ]
inline constexpr std::string_view kAB =
    "%%MatrixMarket matrix coordinate real general\n3 2 4\n1 1 1\n1 2 2\n2 1 6\n3 1 14\n";

struct Ran {
  int code = -1;
  std::string out, err;

  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// A folder with A, B and whatever a case adds; commands run inside it, so that files are called by their bare names.
class Shell {
 public:
  Shell() {
    write("a.mtx", kA);
    write("b.mtx", kB);
  }

  /// `rowan ARGUMENTS` as a shell reads it, where COLUMNS is `columns`. ROWAN_MODEL is `model`, unset where that is
  /// empty.
  [[nodiscard]] Ran rowan(const std::string& arguments, std::string_view input = "", const std::string& model = "") {
    static_cast<void>(streams_.file("in", input));
    const std::string environment = "export COLUMNS=" + std::to_string(columns) + "; " +
                                    (model.empty() ? "unset ROWAN_MODEL; " : "export ROWAN_MODEL=" + model + "; ");
    return execute(environment + "'" ROWAN_TOOL_PATH "'", arguments);
  }
  /// Any other command.
  [[nodiscard]] Ran run(const std::string& command) {
    static_cast<void>(streams_.file("in", ""));
    return execute(command, "");
  }

  int columns = 300;  // that text may take: few lines are broken

  void write(std::string_view name, std::string_view text) const { static_cast<void>(files_.file(name, text)); }
  [[nodiscard]] std::string read(std::string_view name) const { return content(files_.path(name)); }
  [[nodiscard]] bool has(std::string_view name) const { return std::filesystem::exists(files_.path(name)); }
  [[nodiscard]] std::string path(std::string_view name) const { return files_.path(name); }
  /// How many files there are: 2 where nothing was added.
  [[nodiscard]] auto count() const { return files_.count(); }

 private:
  [[nodiscard]] Ran execute(const std::string& command, const std::string& arguments) {
    const std::string line = "cd '" + files_.path() + "' && " + command + " <'" + streams_.path("in") + "' >'" +
                             streams_.path("out") + "' 2>'" + streams_.path("err") + "' " + arguments;
    const int status = std::system(line.c_str());  // NOLINT(cert-env33-c): the shell is the point
    REQUIRE(WIFEXITED(status));
    return {WEXITSTATUS(status), content(streams_.path("out")), content(streams_.path("err"))};
  }

  Folder files_, streams_;
};

/// The command failed with this code, one line and nothing on standard output.
inline void check_refused(const Ran& ran, int code, const std::string& message) {
  CHECK(ran.code == code);
  CHECK(ran.out == "");
  CHECK(ran.err == "rowan: " + message + "\n");
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace rowan::test
