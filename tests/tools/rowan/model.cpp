#include "tests/tools/rowan/run.hpp"

namespace rowan::test {
namespace {

const std::string kNsparse = ROWAN_SOURCE_DIR "/models/policies/nsparse.json";

std::string policy_called(const std::string& name) {
  return R"({"rowan_policy":2,"name":")" + name +
         R"(","kind":"rules","about":"a","source":"s","use_binning":[{"then":"no"}],"method":[{"then":"one_phase"}],)"
         R"("symbolic":[{"then":"hash"}],"numeric":[{"then":"hash"}]})";
}

TEST_CASE("rowan model show: a policy by name and from a file reads the same") {
  Shell shell;
  const Ran named = shell.rowan("model show nsparse");
  CHECK(named.code == 0);
  CHECK(named.out.starts_with("nsparse (rules)\n"));
  CHECK(contains(named.out, "\nnumeric:\n  hash\n"));
  CHECK(shell.rowan("model show " + kNsparse).out == named.out);
}

TEST_CASE("rowan model show: neither a file nor a name") {
  Shell shell;
  check_refused(
      shell.rowan("model show nsparze"), 1,
      "nsparze is not a file, and there is no policy \"nsparze\", did you mean \"nsparse\"? There are host-trained, "
      "dcu-nsparse, deltasparse, device-rules, h200-trained, host-rules, nsparse, opsparse, register-aware, "
      "wave64-rules");
  CHECK(shell.rowan("model show a.mtx").err.starts_with("rowan: a.mtx: not JSON: "));
}

TEST_CASE("rowan model check: every file is looked at, one bad one fails") {
  Shell shell;
  shell.write("mine.json", policy_called("mine"));
  shell.write("old.json", R"({"rowan_policy":0})");
  const Ran good = shell.rowan("model check mine.json " + kNsparse);
  CHECK(good.code == 0);
  CHECK(good.out == "mine.json: ok, mine (rules)\n" + kNsparse + ": ok, nsparse (rules)\n");
  CHECK(good.err == "");
  const Ran bad = shell.rowan("model check old.json none.json mine.json");
  CHECK(bad.code == 1);
  CHECK(bad.out == "mine.json: ok, mine (rules)\n");
  CHECK(
      bad.err ==
      "rowan: old.json: version 0 is neither 2 nor 1\nrowan: none.json: cannot be read; did you mean \"mine.json\"?\n");
}

TEST_CASE("rowan model embed: C++ with the files' names as given") {
  Shell shell;
  shell.write("mine.json", policy_called("mine-2"));
  const Ran ran = shell.rowan("model embed mine.json " + kNsparse);
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "// from mine.json\nnamespace mine_2 {\n"));
  CHECK(contains(ran.out, "// from " + kNsparse + "\n"));
  CHECK(contains(ran.out, "kPolicies[] = {mine_2::policy, nsparse::policy};"));
}

TEST_CASE("rowan model embed: names that are no C++, or twice the same, are refused and nothing is printed") {
  Shell shell;
  shell.write("a.json", policy_called("a b"));
  shell.write("b.json", policy_called("1st"));
  shell.write("c.json", policy_called("good"));
  const std::string rule = "\" cannot be embedded; it may have letters, digits and -, and must begin with a letter";
  check_refused(shell.rowan("model embed a.json"), 1, "a.json: the name \"a b" + rule);
  check_refused(shell.rowan("model embed b.json"), 1, "b.json: the name \"1st" + rule);
  check_refused(shell.rowan("model embed c.json c.json"), 1, "c.json: another file has the name \"good\", too");
  check_refused(shell.rowan("model embed c.json none.json"), 1, "none.json: cannot be read");
}

TEST_CASE("rowan model diff: rows that go elsewhere, by bin") {
  Shell shell;
  const std::string random = "generated:random:n=300,row_length=3";
  const Ran same = shell.rowan("model diff nsparse " + kNsparse + " " + random);
  CHECK(same.code == 0);
  CHECK(same.out == "0 of 1 products would be multiplied differently\n");
  const Ran other = shell.rowan("model diff nsparse register-aware a.mtx " + random);
  CHECK(other.code == 0);
  CHECK(other.out.starts_with("2 of 2 products would be multiplied differently\nproduct"));
  CHECK(contains(other.out, "nprod 1-16  hash    sort"));
  const auto json = shell.rowan("model diff nsparse host-rules --json " + random).json();
  CHECK(json[0]["nprod"] == 2700);
  CHECK(json[0]["rows_differ"] == 300);
  CHECK(json[0]["matrix"]["before"] == "bins, two_phase");
  CHECK(json[0]["bins"][0]["after"] == "sort-vector");
}

TEST_CASE("rowan model diff: what there is not") {
  Shell shell;
  check_refused(shell.rowan("model diff nsparse host-rules"), 2, "no products to compare on: give matrices or --set");
  CHECK(shell.rowan("model diff nsparse none.json a.mtx").err == "rowan: none.json: cannot be read\n");
  check_refused(shell.rowan("model diff nsparse host-rules none.mtx"), 2,
                "none.mtx is neither a matrix file nor a folder");
}

TEST_CASE("rowan model: wrong usage") {
  Shell shell;
  check_refused(shell.rowan("model"), 2,
                "a command is missing; there are show, check, embed, diff (see rowan model --help)");
  check_refused(
      shell.rowan("model chek x"), 2,
      "there is no command \"chek\", did you mean \"check\"? There are show, check, embed, diff (see rowan model "
      "--help)");
  check_refused(shell.rowan("model check"), 2, "FILE is missing (see rowan model check --help)");
}

}  // namespace
}  // namespace rowan::test
