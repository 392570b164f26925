// What people notice: hints, colours, progress, silence, interruptions. Terminals are those of script(1).
#include <algorithm>
#include <cstdint>
#include <sstream>
#include <utility>

#include "lib/io/available_memory.hpp"
#include "tests/tools/rowan/run.hpp"
#include "tools/rowan/printable.hpp"
#include "tools/rowan/progress.hpp"
#include "tools/rowan/width.hpp"

namespace rowan::test {
namespace {

/// Entries enough that reading, multiplying or writing them takes its time.
std::string large(int rows, int each) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n" + std::to_string(rows) + " " +
                     std::to_string(rows) + " " + std::to_string(std::int64_t{rows} * each) + "\n";
  for (int row = 1; row <= rows; ++row)
    for (int k = 0; k != each; ++k)
      text += std::to_string(row) + " " + std::to_string(1 + (row * 7919LL + k * 104729LL) % rows) + " 0.1234567891\n";
  return text;
}

bool have_script() {
  return std::system("script --version >/dev/null 2>&1") == 0;  // NOLINT
}

/// A line for a shell, with $ROWAN for the executable.
Ran shell_line(Shell& shell, const std::string& line) {
  shell.write("line.sh", "ROWAN='" ROWAN_TOOL_PATH "'\n" + line + "\n");
  return shell.run("bash line.sh");
}

TEST_CASE("rowan: options and files that do not exist are told with what was probably meant") {
  Shell shell;
  const std::string hint = " (see rowan multiply --help)";
  check_refused(shell.rowan("multiply a.mtx --thread 1"), 2, "unknown option --thread, did you mean --threads?" + hint);
  check_refused(shell.rowan("multiply a.mtx --memorylimit=1G"), 2,
                "unknown option --memorylimit=1G, did you mean --memory-limit?" + hint);
  check_refused(shell.rowan("inspect a.mtx --measur"), 2,
                "unknown option --measur, did you mean --measure? (see rowan inspect --help)");
  shell.write("matrix.mtx", kA);
  shell.write("policy.json", "{}");
  check_refused(shell.rowan("multiply martix.mtx"), 1,
                "martix.mtx: cannot be opened: No such file or directory; did you mean \"matrix.mtx\"?");
  check_refused(shell.rowan("multiply a.mtx ./matrix.mtx.gz"), 1,
                "./matrix.mtx.gz: cannot be opened: No such file or directory; did you mean \"./matrix.mtx\"?");
  check_refused(shell.rowan("multiply a.mtx --model=polcy.json"), 1,
                "polcy.json: cannot be read; did you mean \"policy.json\"?");
  check_refused(shell.rowan("model check polcy.json"), 1, "polcy.json: cannot be read; did you mean \"policy.json\"?");
  check_refused(shell.rowan("inspect entirely-different"), 1,
                "entirely-different: cannot be opened: No such file or directory");
}

TEST_CASE("rowan --quiet: nothing but what was asked for and errors, for every command") {
  Shell shell;
  const Ran multiply = shell.rowan("multiply a.mtx --quiet");
  CHECK(multiply.code == 0);
  CHECK(multiply.out + multiply.err == "");
  CHECK(shell.rowan("multiply a.mtx b.mtx -o - -q").out == kAB);
  CHECK(contains(shell.rowan("multiply a.mtx --stats --quiet").out, "choosing"));
  CHECK(shell.rowan("--quiet multiply a.mtx").out == "");
  CHECK(shell.rowan("model check -q " ROWAN_SOURCE_DIR "/models/policies/nsparse.json").out == "");
  check_refused(shell.rowan("multiply none --quiet"), 1, "none: cannot be opened: No such file or directory");
  for (const char* command : {"", "multiply", "inspect", "generate", "info", "model", "model show", "model check",
                              "model embed", "model diff", "bench", "train"})
    CHECK_MESSAGE(contains(shell.rowan(std::string(command) + " --help").out, "--quiet"), command);
}

TEST_CASE("progress: share and time left on one short line") {
  using tool::progress_line;
  CHECK(progress_line("reading a.mtx", 0.25, 5) == "reading a.mtx [######                  ]  25 %, 15 s left");
  CHECK(progress_line("multiplying", 0, 5) == "multiplying [                        ]   0 %");
  CHECK(progress_line("multiplying", 1, 5) == "multiplying [########################] 100 %, 0 s left");
  CHECK(progress_line("multiplying", 0.5, 61) == "multiplying [############            ]  50 %, 1 min 01 s left");
  CHECK(progress_line("multiplying", 0.01, 200) == "multiplying [                        ]   1 %, 5 h 30 min left");
  CHECK(progress_line("reading " + std::string(60, 'x'), 0.5, 1).starts_with("...xxx"));
}

TEST_CASE("printable: what a terminal would obey is spelt out, all other text stays") {
  using tool::printable;
  CHECK(printable("a\x1b[31m\r\n\t\x7f") == "a\\x1b[31m\\x0d\\x0a\\x09\\x7f");
  CHECK(tool::printable_lines("a\tb\n\x1b") == "a\tb\n\\x1b");
  const std::string letters = "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8c\xb3 \xed\x9f\xbf";
  CHECK(printable(letters) == letters);
  CHECK(printable("\xc2\x9b\x9b") == "\\xc2\\x9b\\x9b");                    // CSI, in two bytes and in one
  CHECK(printable("\xc0\xaf\xed\xa0\x80") == "\\xc0\\xaf\\xed\\xa0\\x80");  // too long; a surrogate
  CHECK(printable("\xf4\x90\x80\x80 \xe2\x82") == "\\xf4\\x90\\x80\\x80 \\xe2\\x82");
}

TEST_CASE("rowan: text fits COLUMNS, or 80 columns, whatever is printed") {
  Shell shell;
  const auto widest = [](const std::string& text) {
    std::size_t most = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) most = std::max(most, tool::columns_of(line));
    return most;
  };
  for (const int columns : {0, 60, 80, 100}) {  // 0 is no width: 80 are taken
    shell.columns = columns;
    for (const char* arguments :
         {"info", "generate --list", "model show host-rules", "inspect a.mtx --measure --rows 0:3", "--help",
          "inspect --help", "bench --help", "train --help", "multiply a.mtx --stats", "galerkin a.mtx b.mtx --stats"}) {
      CAPTURE(std::string(arguments));
      const Ran ran = shell.rowan(arguments);
      CHECK(ran.code == 0);
      if (columns != 60 || !contains(arguments, "--rows"))  // rows have their width
        CHECK(widest(ran.out) <= std::size_t(columns == 0 ? 80 : columns));
    }
  }
}

TEST_CASE("tables: columns line up in UTF-8, words go on in further lines, columns in further parts") {
  using tool::columns_of;
  CHECK(columns_of("gr\xc3\xbc\xc3\x9f") == 4);
  CHECK(columns_of("\xe4\xb8\xad\xe6\x96\x87") == 4);  // two wide characters
  CHECK(columns_of("e\xcc\x81") == 1);                 // one that combines
  CHECK(tool::wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(tool::wrapped("unbreakable", 3) == std::vector<std::string>{"unbreakable"});
  Shell shell;
  shell.write("gr\xc3\xbc\xc3\x9f.mtx", kA);
  shell.write("set.txt", "a.mtx\ngr\xc3\xbc\xc3\x9f.mtx\n");
  const Ran ran = shell.rowan("bench --set set.txt --no-peers --threads 1 --seconds 0.01 --rounds 1");
  std::istringstream lines(ran.out);
  std::string head, a, other;
  std::getline(lines, head), std::getline(lines, a), std::getline(lines, other);
  CHECK(other.starts_with("gr\xc3\xbc\xc3\x9f  "));
  CHECK(columns_of(a.substr(0, a.find("9"))) == columns_of(other.substr(0, other.find("9"))));
}

TEST_CASE("rowan: every command prints JSON") {
  Shell shell;
  CHECK(shell.rowan("model show host-rules --json").json()["decisions"]["numeric"]["scored"] == false);
  const Ran checked = shell.rowan("model check none.json " ROWAN_SOURCE_DIR "/models/policies/nsparse.json --json");
  CHECK(checked.code == 1);
  CHECK(checked.json()[0]["ok"] == false);
  CHECK(checked.json()[1]["name"] == "nsparse");
  CHECK(contains(
      shell.rowan("model embed " ROWAN_SOURCE_DIR "/models/policies/nsparse.json --json").json()["header"].dump(),
      "kPolicies"));
  CHECK(shell.rowan("generate stencil2d nx=3 ny=3 -o g.mtx --json").json()["rows"] == 9);
  for (const char* command : {"multiply a.mtx", "galerkin a.mtx b.mtx", "inspect a.mtx", "info", "generate --list",
                              "model diff host-rules nsparse a.mtx"})
    CHECK_MESSAGE(!shell.rowan(std::string(command) + " --json").json().empty(), command);
}

TEST_CASE("rowan: escape sequences in names reach no terminal") {
  Shell shell;
  const std::string name = "e\x1b[31mvil.mtx";
  shell.write(name, kA);
  for (const char* line :
       {"multiply $'e\\x1b[31mvi.mtx'", "multiply a.mtx -o $'none\\x1b/c.mtx'", "multiply a.mtx $'\\x1b]0;x\\a'",
        "bench $'e\\x1b[31mvil.mtx' --no-peers --threads 1 --seconds 0.01", "model show $'\\x1b'", "$'\\x1bc'",
        "model check $'\\x9b'", "train $'\\x1b' -o m.json", "multiply --$'\\x1b'", "multiply generated:$'\\x1b'",
        "inspect a.mtx --force $'\\x1b'"}) {
    CAPTURE(line);
    const Ran ran = shell_line(shell, std::string("$ROWAN ") + line);
    CHECK_FALSE(contains(ran.out + ran.err, "\x1b"));
    CHECK_FALSE(contains(ran.out + ran.err, "\x9b"));
    CHECK(contains(ran.out + ran.err, "\\x"));
  }
  CHECK(tool::progress_line("reading " + name, 0.5, 1).starts_with("reading e\\x1b[31mvil.mtx ["));
}

TEST_CASE("rowan: colours on terminals only, and not where NO_COLOR is set") {
  Shell shell;
  if (!have_script()) return;
  const std::string red = "\x1b[1;31mrowan:\x1b[0m none: cannot";
  const std::string command = "script -qec \"$ROWAN multiply none\" /dev/null";
  CHECK(contains(shell_line(shell, "export TERM=xterm; unset NO_COLOR; " + command).out, red));
  CHECK(shell_line(shell, "export TERM=xterm NO_COLOR=1; " + command).out.starts_with("rowan: none: cannot"));
  CHECK(shell_line(shell, "export TERM=dumb; unset NO_COLOR; " + command).out.starts_with("rowan: none: cannot"));
  CHECK(shell_line(shell, "export TERM=xterm; $ROWAN multiply none").err.starts_with("rowan: none: cannot"));
}

TEST_CASE("rowan: long work shows progress on terminals, unless told to be quiet") {
  Shell shell;
  if (!have_script()) return;
  shell.write("large.mtx", large(20'000, 16));
  const std::string command = "multiply large.mtx --force hash --threads 1";
  const auto on_terminal = [&](const std::string& arguments) {
    return shell_line(shell, "export TERM=xterm; script -qec \"$ROWAN " + arguments + "\" /dev/null").out;
  };
  const double seconds = shell.rowan(command + " --json").json()["seconds"]["total"];
  const std::string shown = on_terminal(command);
  if (seconds > 2) CHECK(contains(shown, "\rmultiplying ["));
  CHECK_FALSE(contains(on_terminal(command + " --quiet"), "multiplying ["));
  CHECK_FALSE(contains(shell.rowan(command).err, "multiplying"));
}

TEST_CASE("rowan: output that nobody reads to its end ends the program without a word") {
  Shell shell;
  shell.write("large.mtx", large(3000, 30));
  const Ran closed = shell_line(shell, "$ROWAN multiply large.mtx -o - | head -n 1; echo ${PIPESTATUS[0]}");
  CHECK(closed.out == "%%MatrixMarket matrix coordinate real general\n141\n");
  CHECK(closed.err == "");
  const Ran ignored =
      shell_line(shell, "trap '' PIPE; $ROWAN multiply large.mtx -o - | head -n 1; echo ${PIPESTATUS[0]}");
  CHECK(ignored.out == "%%MatrixMarket matrix coordinate real general\n1\n");
  CHECK(ignored.err == "rowan: <stdout>: cannot be written: Broken pipe\n");
}

TEST_CASE("rowan: an interrupted program leaves what was there, nothing else, and dies of the signal") {
  Shell shell;
  shell.write("large.mtx", large(3000, 100));
  shell.write("c.mtx", "precious");
  for (const auto& [signal, code] : {std::pair{"INT", "130"}, {"TERM", "143"}, {"HUP", "129"}}) {
    // as soon as there is a temporary file
    const Ran ran =
        shell_line(shell,
                   "set -m\n$ROWAN multiply large.mtx -o c.mtx --threads 1 & rowan=$!\n"
                   "for i in $(seq 2000); do compgen -G 'c.mtx.tmp.*' >/dev/null && break; sleep 0.005; done\n"
                   "compgen -G 'c.mtx.tmp.*' >/dev/null && echo seen\n"
                   "kill -" +
                       std::string(signal) + " $rowan; wait $rowan; echo $?");
    CHECK(ran.out == "seen\n" + std::string(code) + "\n");
    CHECK(shell.read("c.mtx") == "precious");
    CHECK(shell.count() == 5);  // a, b, c, large and the line
  }
}

TEST_CASE("rowan: a file that may not grow so large leaves no temporary file, whatever its name") {
  Shell shell;
  shell.write("large.mtx", large(3000, 30));
  for (const std::string& name : {std::string("c.mtx"), std::string(250, 'n') + ".mtx"}) {
    shell.write(name, "precious");
    const auto files = shell.count() + 1;  // and the line
    const Ran ran = shell_line(shell, "ulimit -c 0 -f 100; $ROWAN multiply large.mtx -o " + name + "; echo $?");
    CHECK(ran.out == "153\n");  // 128 and SIGXFSZ
    CHECK(shell.read(name) == "precious");
    CHECK(shell.count() == files);
    const Ran ignored =
        shell_line(shell, "trap '' XFSZ; ulimit -f 100; $ROWAN multiply large.mtx -o " + name + "; echo $?");
    CHECK(ignored.out == "1\n");
    CHECK(ignored.err == "rowan: " + name + ": cannot be written: File too large\n");
    CHECK(shell.count() == files);
    std::filesystem::remove(shell.path(name));
    std::filesystem::remove(shell.path("line.sh"));
  }
}

TEST_CASE("rowan: links are followed, kept and refused where they lead nowhere, before any work") {
  Shell shell;
  REQUIRE(shell.run("ln -s none.mtx dangling.mtx && ln a.mtx hard.mtx").code == 0);
  check_refused(shell.rowan("multiply none -o dangling.mtx"), 1,
                "dangling.mtx: is a symbolic link to none.mtx: No such file or directory");
  CHECK(shell.rowan("multiply a.mtx b.mtx -o hard.mtx").code == 0);
  CHECK(shell.read("a.mtx") == kAB);
}

TEST_CASE("rowan: matrices of more rows than the memory has room for are refused at once") {
  Shell shell;
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  shell.write("tall.mtx", banner + "2147483647 2147483647 0\n");
  shell.write("wide.mtx", banner + "1 2147483647 1\n1 1 1\n");
  if (io::available_memory() > std::int64_t{60} << 30) return;  // a machine that can
  for (const char* arguments : {"multiply tall.mtx", "multiply tall.mtx --dry-run", "inspect tall.mtx",
                                "multiply wide.mtx --transpose-b", "multiply wide.mtx --transpose-a"}) {
    const Ran ran = shell.rowan(arguments);
    CHECK(ran.code == 1);
    CHECK_MESSAGE(contains(ran.err, " are free; leave out empty rows"), ran.err);
  }
}

}  // namespace
}  // namespace rowan::test
