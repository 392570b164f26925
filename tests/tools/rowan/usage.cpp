#include "tests/tools/rowan/run.hpp"

namespace rowan::test {
namespace {

TEST_CASE("rowan --help: every command, with an example, every command has its own") {
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
  check_refused(
      shell.rowan(""), 2,
      "a command is missing; there are multiply, galerkin, inspect, generate, info, model, bench, train, help, "
      "completion, man (see rowan --help)");
  check_refused(shell.rowan("multipy a.mtx"), 2,
                "there is no command \"multipy\", did you mean \"multiply\"? There are multiply, galerkin, inspect, "
                "generate, info, "
                "model, bench, train, help, completion, man (see rowan --help)");
  check_refused(shell.rowan("--bogus"), 2, "unknown option --bogus (see rowan --help)");
  const Ran version = shell.rowan("--version");
  CHECK(version.code == 0);
  CHECK(version.out.starts_with("rowan 0."));
  CHECK(shell.rowan("-V").out == version.out);
}

TEST_CASE("rowan help COMMAND: what --help shows") {
  Shell shell;
  for (const std::string command : {"", "multiply", "model", "model show", "help"})
    CHECK(shell.rowan("help " + command).out == shell.rowan(command + " --help").out);
  check_refused(
      shell.rowan("help mode"), 2,
      "there is no command \"mode\", did you mean \"model\"? There are multiply, galerkin, inspect, generate, "
      "info, model, bench, train, help, completion, man (see rowan --help)");
  check_refused(shell.rowan("help multiply x"), 2, "rowan multiply has no commands below it, so no \"x\"");
}

TEST_CASE("rowan: faults of the command line are told in this program's words") {
  Shell shell;
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    CAPTURE(arguments);
    check_refused(shell.rowan(arguments), 2, message);
  };
  const std::string hint = " (see rowan multiply --help)";
  refused("multiply a.mtx --threads", "--threads needs a value: --threads N" + hint);
  refused("multiply a.mtx --stats=3", "--stats takes no value" + hint);
  refused("multiply a.mtx --quiet=no", "--quiet takes no value" + hint);
  refused("multiply a.mtx --threads x", "--threads: \"x\" is not a number" + hint);
  refused("multiply a.mtx --threads 1.5", "--threads: 1.5 is not a whole number from 0 to 4096" + hint);
  refused("multiply a.mtx --threads 1e3", "--threads: \"1e3\" is not a whole number" + hint);
  refused("multiply a.mtx --threads 1 --threads 2", "--threads is given 2 times" + hint);
  refused("multiply a.mtx --dry-run --stats", "--stats and --dry-run exclude each other" + hint);
  refused("bench a.mtx --seconds soon", "--seconds: \"soon\" is not a number (see rowan bench --help)");
}

TEST_CASE("rowan completion: commands, options, names and files, from the definitions") {
  Shell shell;
  CHECK(shell.rowan("completion bash >rowan.bash").code == 0);
  shell.write(
      "complete.sh",
      "source rowan.bash\ncompopt() { :; }\n"
      "for line in 'mul' 'model sh' 'multiply --thr' 'multiply a.mtx --backend = c' 'multiply --force dense-w' "
      "'generate stencil3' 'help mo'; do\n"
      "  COMP_WORDS=(rowan $line); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rowan; echo \"${COMPREPLY[*]}\"\ndone\n");
  CHECK(shell.run("bash complete.sh").out == "multiply\nshow\n--threads\ncuda\ndense-window\nstencil3d\nmodel\n");
  for (const char* name : {"zsh", "fish"}) {
    const std::string file = std::string("rowan.") + name;
    CHECK(shell.rowan("completion " + std::string(name) + " >" + file).code == 0);
    const std::string found = shell.run("command -v " + std::string(name)).out;
    if (!found.empty()) CHECK(shell.run(std::string(name) + " -n " + file).code == 0);
    CHECK(contains(shell.read(file), "memory-limit"));
  }
  check_refused(shell.rowan("completion tcsh"), 2,
                "SHELL: there is no shell \"tcsh\", did you mean \"bash\"? There are bash, zsh, fish (see rowan "
                "completion --help)");
}

TEST_CASE("rowan man: a page for every command, with its options and examples") {
  Shell shell;
  const Ran page = shell.rowan("man multiply");
  for (const char* part : {".TH ROWAN\\-MULTIPLY 1", "\n.SH OPTIONS\n", "\\fB\\-\\-memory\\-limit\\fR \\fISIZE\\fR",
                           "One of: automatic, host, cuda", ".SH EXAMPLES\n.nf\nrowan multiply A.mtx"})
    CHECK_MESSAGE(contains(page.out, part), part);
  CHECK(shell.rowan("man --all pages").code == 0);
  CHECK(shell.read("pages/rowan-multiply.1") == page.out);
  CHECK(contains(shell.read("pages/rowan-model-show.1"), "rowan model show"));
  CHECK(contains(shell.read("pages/rowan.1"), ".BR rowan\\-train (1)"));
}

TEST_CASE("rowan info: what there is and what is in force") {
  Shell shell;
  const Ran text = shell.rowan("info");
  CHECK(text.code == 0);
  for (const char* part : {"version", "backends      host", "host-trained (trees), compiled in", "dense-window",
                           "nprod <= 512", "B's columns <= 128", "A's nnz <= 1, sorted B"})
    CHECK_MESSAGE(contains(text.out, part), part << " in\n" << text.out);
  const auto json = shell.rowan("info --json").json();
  CHECK(shell.rowan("--version").out == "rowan " + json["version"].get<std::string>() + "\n");
  CHECK(json["backends"][0] == "host");
  CHECK(json["instruction_sets"].size() >= 1);
  CHECK(json["threads"].get<int>() >= 1);
  CHECK(json["policy"]["name"] == "host-trained");
  CHECK(json["policies"].size() == 10);
  CHECK(json["accumulators"].size() == 14);
  CHECK(json["accumulators"][5]["name"] == "sort-merge");
  CHECK(json["accumulators"][5]["on_host"] == false);
  CHECK(json["accumulators"][13]["counts_only"] == true);
  CHECK(json["accumulators"][11]["name"] == "dense-b");
  CHECK(json["accumulators"][11]["max_b_area"] == 262144);
  CHECK(json["accumulators"][11]["min_b_uses"] == 8);
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
