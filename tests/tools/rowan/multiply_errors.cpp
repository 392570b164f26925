#include "tests/tools/rowan/run.hpp"

namespace rowan::test {
namespace {

const std::string kAccumulators =
    "direct, direct-shift, direct-repeat, sort, sort-vector, sort-merge, dense-window, dense-run, dense-rank, "
    "dense-spa, dense-narrow, dense-b, hash, hash-registers, dense";
const std::string kPolicies =
    "host-trained, dcu-nsparse, deltasparse, device-rules, h200-trained, host-rules, nsparse, opsparse, "
    "register-aware, wave64-rules";
const std::string kHint = " (see rowan multiply --help)";

TEST_CASE("rowan multiply: faults of the command line are exit code 2") {
  Shell shell;
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    CAPTURE(arguments);
    check_refused(shell.rowan("multiply " + arguments), 2, message);
  };
  refused("", "A is missing" + kHint);
  refused("a.mtx --bogus", "unknown option --bogus" + kHint);
  refused("a.mtx b.mtx c.mtx", "unexpected argument c.mtx" + kHint);
  refused("a.mtx --force hsah",
          "--force: there is no accumulator \"hsah\", did you mean \"hash\"? There are " + kAccumulators + kHint);
  refused("a.mtx --force bucket", "--force: there is no accumulator \"bucket\"; there are " + kAccumulators + kHint);
  refused("a.mtx --policy nspars",
          "--policy: there is no policy \"nspars\", did you mean \"nsparse\"? There are " + kPolicies + kHint);
  refused("a.mtx --policy xyz", "--policy: there is no policy \"xyz\"; there are " + kPolicies + kHint);
  refused(
      "a.mtx --backend hots",
      "--backend: there is no backend \"hots\", did you mean \"host\"? There are automatic, host, cuda, hip, emulated" +
          kHint);
  refused("a.mtx --threads x", "--threads: \"x\" is not a number" + kHint);
  refused("a.mtx --threads -1", "--threads: -1 is not a whole number from 0 to 4096" + kHint);
  refused("a.mtx -o c --format xlsx",
          "--format: there is no format \"xlsx\"; there are automatic, mtx, mtx.gz, bin, rowan, npz" + kHint);
  refused("a.mtx --format bin", "--format needs --output" + kHint);
  refused("a.mtx -o ''", "--output: the file's name is empty" + kHint);
  refused("- -", "A and B cannot both be standard input");
  refused(
      "none.mtx --force hash:1",
      "--force hash:1: lanes for a row of B exist on devices only; give --force hash, or the --backend of a device");
  for (const auto& [name, said] :
       {std::pair{"c.mat", ".mat"}, {"c.csv", ".csv"}, {"c.mtx.bz2", ".bz2"}, {"c.mxt", ".mxt"}})
    refused(std::string("none.mtx -o ") + name,
            std::string(name) + ": rowan does not write " + said +
                "; endings that it knows are .mtx, .bin and .rowan, each also with .gz, and .npz; with --format any of "
                "these can be written under any name");
  for (const std::string empty : {"''", "a.mtx ''", "a.mtx --model ''", "a.mtx -o ''"}) {
    const Ran ran = shell.rowan("multiply " + empty);
    CHECK(ran.code == 2);
    CHECK_MESSAGE(contains(ran.err, ": the file's name is empty" + kHint), ran.err);
  }
  for (const std::string size : {"1x", "0", "+5M", "M", "1MM", "nan", "1e3", "9999999T", ""})
    refused("a.mtx --memory-limit '" + size + "'",
            "--memory-limit: \"" + size + "\" is not a size; give one like 500M, 8G or 1.5GiB" + kHint);
}

TEST_CASE("rowan multiply: options that exclude each other are exit code 2") {
  Shell shell;
  for (const char* arguments : {"--policy nsparse --model m.json", "--dry-run --stats", "--dry-run -o c.mtx"}) {
    const Ran ran = shell.rowan("multiply a.mtx " + std::string(arguments));
    CHECK(ran.code == 2);
    CHECK_MESSAGE(contains(ran.err, " exclude each other"), ran.err);
  }
  CHECK(shell.count() == 2);
}

TEST_CASE("rowan multiply: failures are exit code 1 and one line") {
  Shell shell;
  shell.write("bad.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 5 1\n");
  const auto failed = [&](const std::string& arguments, const std::string& message) {
    CAPTURE(arguments);
    check_refused(shell.rowan("multiply " + arguments), 1, message);
  };
  failed("none.mtx", "none.mtx: cannot be opened: No such file or directory");
  failed("a.mtx none.mtx", "none.mtx: cannot be opened: No such file or directory");
  failed("b.mtx a.mtx", "A has 2 columns, but B has 3 rows");
  failed(
      "b.mtx",
      "A has 2 columns, but B has 3 rows; B is A, because none was given: --transpose-b multiplies A by its transpose");
  failed("b.mtx --transpose-a --transpose-b",
         "A has 3 columns, but B has 2 rows; B is A, because none was given: without --transpose-a, --transpose-b "
         "multiplies "
         "A by its transpose");
  failed("a.mtx --model none.json", "none.json: cannot be read");
  failed("a.mtx -o none/c.mtx", "none/c.mtx: cannot be created: No such file or directory");
  failed("a.mtx -o a.mtx/c.mtx", "a.mtx/c.mtx: cannot be created: Not a directory");
  failed("a.mtx -o .", ".: cannot be written: Is a directory");
  const Ran parse = shell.rowan("multiply bad.mtx");
  CHECK(parse.code == 1);
  CHECK(parse.err.starts_with("rowan: bad.mtx:3: "));
  CHECK(shell.rowan("multiply -", "rubbish").err.starts_with("rowan: <stdin>:1: "));
}

TEST_CASE("rowan multiply: an accumulator that can take no row is named on standard error") {
  Shell shell;
  const Ran none = shell.rowan("multiply a.mtx --force direct-shift -o c.mtx");
  CHECK(none.code == 0);
  CHECK(none.err.starts_with("rowan: --force direct-shift: it took no row; "));
  CHECK(contains(shell.rowan("inspect a.mtx --force direct-shift").err, "it took no row"));
  CHECK(shell.rowan("multiply a.mtx --force direct-shift --quiet").err == "");
  for (const char* some : {"hash", "dense"})
    CHECK_MESSAGE(shell.rowan(std::string("multiply a.mtx --force ") + some).err == "", some);
}

TEST_CASE("rowan multiply: letters of any size in an ending, and --format under any name") {
  Shell shell;
  CHECK(shell.rowan("multiply a.mtx b.mtx -o C.MTX.GZ").code == 0);
  CHECK(shell.run("sh -c 'gzip -dc <C.MTX.GZ'").out == kAB);
  CHECK(shell.rowan("multiply a.mtx b.mtx -o c.csv --format mtx").code == 0);
  CHECK(shell.read("c.csv") == kAB);
}

TEST_CASE("rowan multiply: the output is tried before the inputs are read") {
  Shell shell;
  check_refused(shell.rowan("multiply none.mtx -o none/c.mtx"), 1,
                "none/c.mtx: cannot be created: No such file or directory");
}

TEST_CASE("rowan multiply: ROWAN_MODEL counts, unless a policy is named") {
  Shell shell;
  check_refused(shell.rowan("multiply a.mtx", "", "none.json"), 1, "ROWAN_MODEL: none.json: cannot be read");
  CHECK(shell.rowan("multiply a.mtx --policy nsparse", "", "none.json").code == 0);
  const std::string file = ROWAN_SOURCE_DIR "/models/policies/deltasparse.json";
  CHECK(shell.rowan("multiply a.mtx --json", "", file).json()["policy"] == "deltasparse");
}

TEST_CASE("rowan multiply: a failure leaves neither a new file nor a changed one") {
  Shell shell;
  shell.write("c.mtx", "precious");
  for (const char* arguments : {"b.mtx -o c.mtx", "a.mtx --memory-limit 1 -o c.mtx", "none.mtx -o c.mtx",
                                "b.mtx -o new.mtx", "a.mtx --memory-limit 1 -o new.mtx", "a.mtx --model x -o new.mtx"})
    CHECK_MESSAGE(shell.rowan("multiply " + std::string(arguments)).code == 1, arguments);
  CHECK(shell.read("c.mtx") == "precious");
  CHECK_FALSE(shell.has("new.mtx"));
  CHECK(shell.count() == 3);
}

TEST_CASE("rowan: a full disk is a failure, for matrices and for words") {
  Shell shell;
  if (!std::filesystem::exists("/dev/full")) return;
  for (const char* arguments :
       {"multiply a.mtx -o /dev/full", "multiply a.mtx -o - >/dev/full", "multiply a.mtx >/dev/full", "info >/dev/full",
        "inspect a.mtx -o /dev/full", "--help >/dev/full", "model show nsparse >/dev/full"}) {
    const Ran ran = shell.rowan(arguments);
    CHECK_MESSAGE(ran.code == 1, arguments);
    CHECK_MESSAGE(contains(ran.err, "cannot be written: No space left on device"), ran.err);
  }
}

}  // namespace
}  // namespace rowan::test
