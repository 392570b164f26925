// rowan multiply --in-blocks and --resume (tools/rowan/in_blocks.cpp).
#include <algorithm>

#include "lib/io/journal.hpp"
#include "lib/io/native_layout.hpp"
#include "tests/tools/rowan/run.hpp"
#include <rowan/io.hpp>

namespace rowan::test {
namespace {

/// A product whose C takes 49 MB, and much less is allowed.
constexpr const char* kLarge = "generated:random:n=40000,row_length=10 --threads 2 --memory-limit 6M";

/// Starts the command, kills it by `signal` when its journal has `lines` lines, and says how it ended in a file.
Ran killed(Shell& shell, const std::string& arguments, const char* signal, int lines) {
  return shell.run("sh -c '\"" ROWAN_TOOL_PATH "\" " + arguments +
                   " & p=$!; while kill -0 $p 2>/dev/null; do"
                   " [ \"$(wc -l 2>/dev/null <c.rowan.journal || echo 0)\" -lt " +
                   std::to_string(lines) + " ] || break; sleep 0.002; done; kill -" + signal +
                   " $p 2>/dev/null; wait $p; exit $?'");
}

}  // namespace

TEST_CASE("rowan multiply --in-blocks: the bytes of a product in memory, in many blocks, nothing left beside") {
  Shell shell;
  REQUIRE(shell.rowan("multiply generated:rmat:scale=10 -o whole.rowan").code == 0);
  const auto same = [&](const std::string& how) {
    CAPTURE(how);
    const Ran ran = shell.rowan("multiply generated:rmat:scale=10 -o c.rowan " + how);
    CHECK(ran.err == "");
    CHECK(ran.code == 0);
    CHECK(shell.read("c.rowan") == shell.read("whole.rowan"));
    CHECK(shell.count() == 4);
    return ran;
  };
  same("--in-blocks");
  same("--resume");
  same("--in-blocks --threads 1 --policy nsparse");
  same("--in-blocks --memory-limit 1M --force hash");
  const Ran stats = same("--memory-limit 1M --stats");  // C does not fit: blocks without being asked for
  CHECK(contains(stats.out, "blocks"));
  CHECK(contains(stats.out, "written"));
  const nlohmann::json json = same("--memory-limit 1M --json").json();
  CHECK(json["blocks"]["number"] > 2);
  CHECK(json["blocks"]["bytes"] == json["nnz"].get<std::int64_t>() * 12);
  CHECK(json["blocks"]["first_row"] == 0);
  CHECK_FALSE(shell.rowan("multiply generated:rmat:scale=10 -o d.rowan --json").json().contains("blocks"));
  CHECK(shell.rowan("multiply c.rowan c.rowan --transpose-a -o d.rowan").code == 0);
  CHECK(shell.rowan("multiply c.rowan c.rowan --transpose-a -o e.rowan --in-blocks").code == 0);
  CHECK(shell.read("d.rowan") == shell.read("e.rowan"));
}

TEST_CASE("rowan multiply: killed anywhere and continued, the file has the same bytes") {
  Shell shell;
  const std::string product = "multiply " + std::string(kLarge) + " -o c.rowan";
  REQUIRE(shell.rowan("multiply generated:random:n=40000,row_length=10 -o whole.rowan").code == 0);
  int continued = 0;
  for (const int lines : {1, 7, 8, 9}) {
    CAPTURE(lines);
    const Ran ran = killed(shell, product + " --resume", "KILL", lines);
    if (ran.code == 0) continue;  // it was done before
    CHECK_FALSE(shell.has("c.rowan"));
    CHECK(shell.has("c.rowan.unfinished"));
    const Ran refused = shell.rowan(product);
    CHECK(refused.code == 1);
    CHECK(contains(refused.err,
                   "c.rowan.unfinished: was left by an interrupted program; --resume continues it, or remove it"));
  }
  const Ran last = shell.rowan(product + " --resume --json");
  REQUIRE(last.code == 0);
  if (last.json()["blocks"]["first_row"] > 0) continued++;
  CHECK(shell.run("cmp c.rowan whole.rowan").code == 0);
  CHECK(shell.count() == 4);
  CHECK(continued == 1);
}

TEST_CASE("rowan multiply: ended by a signal, it says how to continue, another product does not continue it") {
  Shell shell;
  const std::string product = "multiply " + std::string(kLarge) + " -o c.rowan";
  const Ran ended = killed(shell, product + " --in-blocks", "TERM", 7);
  REQUIRE(ended.code != 0);
  CHECK(contains(ended.err,
                 "rowan: interrupted; c.rowan.unfinished is kept: the same command with --resume continues it\n"));
  CHECK_FALSE(shell.has("c.rowan"));
  const Ran other = shell.rowan("multiply generated:random:n=40000,row_length=9 -o c.rowan --resume");
  CHECK(other.code == 1);
  CHECK(contains(other.err, "c.rowan.unfinished: was made of something else: \"A is 40000 x 40000, 400000 entries"));
  CHECK(shell.has("c.rowan.unfinished"));
  const Ran resumed = shell.rowan(product + " --resume --stats");
  CHECK(resumed.code == 0);
  CHECK(contains(resumed.out, " of rows from row "));
  CHECK_FALSE(contains(resumed.out, "counted first"));
}

TEST_CASE("rowan multiply --resume: of a finished file only the journal was not removed, nothing is computed") {
  Shell shell;
  const std::string product = "multiply " + std::string(kLarge) + " -o c.rowan";
  REQUIRE(killed(shell, product + " --in-blocks", "KILL", 7).code != 0);
  const auto found = io::read_journal(shell.path("c.rowan.journal"));
  REQUIRE(found);
  REQUIRE(shell.rowan(product + " --resume").code == 0);
  const std::string whole = shell.read("c.rowan");
  const Csr<double> c = read_matrix(shell.path("c.rowan"));
  const auto crc = [](const auto& array) {
    return io::crc_behind(0, {reinterpret_cast<const char*>(array.data()), array.size_bytes()});
  };
  io::Journal::begin(shell.path("c.rowan.journal"), found->origin)
      .add({.rows = c.rows(), .col = crc(c.col()), .val = crc(c.val()), .ones = false});
  const Ran again = shell.rowan(product + " --resume --json");
  REQUIRE(again.code == 0);
  CHECK(again.json()["blocks"]["first_row"] == c.rows());
  CHECK(again.json()["blocks"]["number"] == 0);
  CHECK_FALSE(shell.has("c.rowan.journal"));
  CHECK(shell.read("c.rowan") == whole);
}

TEST_CASE("rowan multiply --in-blocks: what cannot be written so is refused before anything is read") {
  Shell shell;
  const std::string form =
      "only a file of rowan's own form can be written in blocks: -o with a name that ends in .rowan";
  for (const char* how :
       {"-o c.mtx --in-blocks", "-o c.rowan.gz --resume", "-o - --in-blocks", "-o c --resume --format bin"})
    check_refused(shell.rowan("multiply none.mtx " + std::string(how)), 2, form);
  check_refused(shell.rowan("multiply none.mtx -o /dev/null --in-blocks --format rowan"), 2,
                "/dev/null: only a regular file of one name can be written in blocks");
  CHECK(shell.rowan("multiply a.mtx --in-blocks").code == 2);
  CHECK(shell.rowan("multiply a.mtx -o c --format rowan --in-blocks").code == 0);
  shell.write("d.rowan.unfinished", "");
  check_refused(shell.rowan("multiply none.mtx -o d.rowan --in-blocks"), 1,
                "d.rowan.unfinished: was left by an interrupted program; --resume continues it, or remove it");
}

TEST_CASE(
    "rowan multiply: in memory, an unfinished file is noted, and what does not fit is said to fit a .rowan file") {
  Shell shell;
  shell.write("c.rowan.unfinished", "");
  const Ran noted = shell.rowan("multiply a.mtx b.mtx -o c.rowan");
  CHECK(noted.code == 0);
  CHECK(noted.err == "rowan: c.rowan.unfinished was left by an interrupted program; --resume would continue it\n");
  const Ran refused = shell.rowan("multiply generated:rmat:scale=10 -o c.mtx --memory-limit 1M");
  CHECK(refused.code == 1);
  CHECK(contains(refused.err, "; a file of rowan's own form (-o NAME.rowan) needs no C in memory\n"));
}

TEST_CASE("rowan multiply: memory stays within the limit where C is several times as large") {
  Shell shell;
  REQUIRE(shell.rowan("generate random n=40000 row_length=10 -o a.rowan").code == 0);
  REQUIRE(shell.run("mkfifo pipe").code == 0);
  const auto megabytes = [&](const std::string& how) {  // a sanitizer is not to keep what was freed
    const Ran ran =
        shell.run("{ { ASAN_OPTIONS=quarantine_size_mb=1 '" ROWAN_TOOL_PATH "' multiply a.rowan --threads 2 " + how +
                  " wait $p; } | grep VmHWM | tail -1 | tr -dc 0-9; }");
    return std::stol("0" + ran.out) / 1000;
  };
  // Looked at when C's first byte was written: all of C is there.
  const long whole = megabytes(
      "-o - --format rowan > pipe & p=$!; { head -c 1 > /dev/null; cat /proc/$p/status; cat > /dev/null; } < pipe;");
  const long blocks = megabytes(
      "-o c.rowan --memory-limit 6M & p=$!;"
      " while kill -0 $p 2> /dev/null; do cat /proc/$p/status 2> /dev/null; sleep 0.002; done;");
  CAPTURE(whole);
  CAPTURE(blocks);
  CHECK_GT(whole, 49);
  CHECK_GT(blocks, 0);
  CHECK_LT(blocks, whole - 30);
}

}  // namespace rowan::test
