#include "tests/tools/rowan/run.hpp"

namespace rowan::test {
namespace {

TEST_CASE("rowan --help: every command, with an example; every command has its own") {
  Shell shell;
  const Ran top = shell.rowan("--help");
  CHECK(top.code == 0);
  CHECK(top.err == "");
  for (const char* command : {"multiply", "galerkin", "inspect", "generate", "info", "model", "bench", "train"}) {
    CHECK_MESSAGE(contains(top.out, command), command);
    const Ran own = shell.rowan(std::string(command) + " --help");
    CHECK(own.code == 0);
    CHECK_MESSAGE(contains(own.out, "Example"), command);
    CHECK_MESSAGE(contains(own.out, "Usage: rowan " + std::string(command)), own.out);
    CHECK_MESSAGE(!contains(own.out, "Excludes:"), own.out);
  }
  for (const char* command : {"show", "check", "embed", "diff"})
    CHECK(contains(shell.rowan("model " + std::string(command) + " --help").out, "Example"));
}

TEST_CASE("rowan: no command, a wrong one, the version") {
  Shell shell;
  check_refused(shell.rowan(""), 2, "A subcommand is required (see rowan --help)");
  check_refused(shell.rowan("multipy a.mtx"), 2,
                "there is no command \"multipy\", did you mean \"multiply\"? There are multiply, galerkin, inspect, "
                "generate, info, "
                "model, bench, train (see rowan --help)");
  check_refused(shell.rowan("--bogus"), 2, "unknown option --bogus (see rowan --help)");
  const Ran version = shell.rowan("--version");
  CHECK(version.code == 0);
  CHECK(version.out.starts_with("rowan 0."));
}

TEST_CASE("rowan info: what there is and what is in force") {
  Shell shell;
  const Ran text = shell.rowan("info");
  CHECK(text.code == 0);
  for (const char* part : {"version", "backends      host", "host-trained (trees), compiled in", "dense-window",
                           "nprod <= 512", "A's nnz <= 1, sorted B"})
    CHECK_MESSAGE(contains(text.out, part), part << " in\n" << text.out);
  const auto json = shell.rowan("info --json").json();
  CHECK(shell.rowan("--version").out == "rowan " + json["version"].get<std::string>() + "\n");
  CHECK(json["backends"][0] == "host");
  CHECK(json["instruction_sets"].size() >= 1);
  CHECK(json["threads"].get<int>() >= 1);
  CHECK(json["policy"]["name"] == "host-trained");
  CHECK(json["policies"].size() == 10);
  CHECK(json["accumulators"].size() == 11);
  CHECK(json["accumulators"][4]["name"] == "sort-merge");
  CHECK(json["accumulators"][4]["on_host"] == false);
  CHECK(json["accumulators"][10]["counts_only"] == true);
  CHECK(json["accumulators"][0]["name"] == "direct");
  CHECK(json["accumulators"][0]["max_a_nnz"] == 1);
  CHECK(json["accumulators"][0]["max_nprod"].is_null());
  CHECK(json["build"]["compiler"].is_string());
  CHECK(json["build"]["policy_files"].is_boolean());
  CHECK(json["build"].contains("xgboost"));
}

TEST_CASE("rowan info: ROWAN_INSTRUCTIONS limits what is used") {
  Shell shell;
  const auto all = shell.rowan("info --json").json()["instruction_sets"];
  const std::string last = all.back();
  CHECK(shell.run("ROWAN_INSTRUCTIONS=" + last + " '" ROWAN_TOOL_PATH "' info --json").json()["instruction_sets"] ==
        nlohmann::json{last});
  const Ran bad = shell.run("ROWAN_INSTRUCTIONS=MMX '" ROWAN_TOOL_PATH "' multiply a.mtx b.mtx -o c.mtx");
  CHECK(bad.code == 1);
  CHECK(contains(bad.err, "rowan: ROWAN_INSTRUCTIONS: there is no instruction set \"MMX\""));
  CHECK(!shell.has("c.mtx"));
}

TEST_CASE("rowan info: ROWAN_MODEL is the policy in force, and a bad one a failure that still shows the rest") {
  Shell shell;
  const std::string file = ROWAN_SOURCE_DIR "/models/policies/deltasparse.json";
  const auto json = shell.rowan("info --json", "", file).json();
  CHECK(json["policy"]["name"] == "deltasparse");
  CHECK(json["policy"]["from"] == file + " (ROWAN_MODEL)");
  const Ran bad = shell.rowan("info", "", "none.json");
  CHECK(bad.code == 1);
  CHECK(contains(bad.out, "none: none.json (ROWAN_MODEL) is not a policy"));
  CHECK(bad.err == "rowan: ROWAN_MODEL: none.json: cannot be read\n");
}

}  // namespace
}  // namespace rowan::test
