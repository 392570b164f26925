// rowan train --backend: measured on a device, fitted, and multiplied with there. The emulator is slow: few small rows.
#if defined(ROWAN_EMULATED_TOOL_PATH)

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "tests/tools/rowan/run.hpp"
#include "training/booster.hpp"

namespace rowan::test {
namespace {

/// Whether two matrices as text differ in the last digits of values at most: the model that was just fitted may choose
/// an accumulator that adds in any order.
bool same_but_for_rounding(const std::string& x, const std::string& y) {
  std::istringstream left(x), right(y);
  for (std::string a, b; left >> a;) {
    if (!(right >> b)) return false;
    if (a == b) continue;
    const double difference = std::abs(std::stod(a) - std::stod(b));
    if (a.find('.') == std::string::npos || difference > 1e-12 * std::abs(std::stod(b))) return false;
  }
  std::string more;
  return !(right >> more);
}

constexpr const char* kTwo = " generated:random:n=40,row_length=4 generated:fem:nx=2,ny=2,nz=1,unknowns=3";

auto line_count(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

nlohmann::json first_line(const std::string& text) {
  return nlohmann::json::parse(text.substr(0, text.find('\n')));
}

}  // namespace

TEST_CASE(
    "rowan train --backend emulated: all that takes a bin, lanes that walk, whole phases, a model that multiplies") {
  for (const std::string wave : {"32", "64"}) {
    CAPTURE(wave);
    Shell shell;
    const auto rowan = [&](const std::string& arguments) {
      return shell.run("ROWAN_EMULATED_WAVE=" + wave + " " + (ROWAN_EMULATED_TOOL_PATH " " + arguments));
    };
    const std::string train = "train --backend emulated --repeats 1 --measurements t.jsonl";
    const Ran measured = rowan(train + " generated:random:n=40,row_length=4");
    REQUIRE_MESSAGE(measured.code == 0, measured.err);
    CHECK(measured.out.starts_with("measured 1 products"));
    const auto line = first_line(shell.read("t.jsonl"));
    CHECK(line["backend"] == "emulated");
    CHECK(line["wave"] == std::stoi(wave));
    CHECK(line["machine"] == "emulated, waves of " + wave);
    for (const char* phase : {"symbolic", "numeric"}) {
      std::int64_t nprod = 0;
      for (const auto& bin : line[phase]["bins"]) {
        nprod += bin["nprod"].get<std::int64_t>();
        for (const char* candidate : {"sort", "sort-merge", "hash", "dense-rank"})
          CHECK(bin["times"].contains(candidate));
        CHECK(bin["times"].contains("hash-registers") == (std::string(phase) == "symbolic"));  // it only counts
        CHECK_FALSE(bin["times"].contains("dense-window"));                                    // the host's
        CHECK(bin["group_times"]["dense-rank"].size() == 6);
        CHECK_FALSE(bin["group_times"].contains("sort"));
      }
      CHECK(nprod == line["nprod"]);
      for (const char* candidate : {"sort", "sort-merge", "hash", "dense-rank"})
        CHECK(line[phase]["forced"].contains(candidate));
      CHECK(line[phase]["mixed"][0] > 0);
    }

    CHECK(contains(rowan(train + kTwo).out, "measured 1 products, 1 were measured before"));
    CHECK(line_count(shell.read("t.jsonl")) == 2);
    CHECK(contains(shell.read("t.jsonl"), "\"dense-run\""));
    if (!training::have_xgboost()) continue;
    const Ran fitted = rowan("train --measurements t.jsonl -o m.json --report r.html --report r.json");
    REQUIRE_MESSAGE(fitted.code == 0, fitted.err);
    CHECK(contains(fitted.out, "lanes that walk a row of B"));
    CHECK(contains(shell.read("r.html"), "Lanes that walk"));
    CHECK(nlohmann::json::parse(shell.read("r.json"))["machine"] == line["machine"]);
    CHECK(rowan("model check m.json").out == "m.json: ok, m (trees)\n");
    CHECK(contains(rowan("model show m.json").out, "Trees for devices with waves of " + wave));
    for (const std::string product : {" a.mtx b.mtx", " generated:fem:nx=2,ny=2,nz=1,unknowns=3"}) {
      const Ran there = rowan("multiply --backend emulated --model m.json -o -" + product);
      CHECK(there.code == 0);
      CHECK(same_but_for_rounding(there.out, rowan("multiply -o -" + product).out));
    }
    CHECK(rowan("multiply a.mtx b.mtx --backend emulated --model m.json --json").json()["policy"] == "m");
    CHECK(contains(rowan("model diff device-rules m.json a.mtx --backend emulated").out,
                   "products would be multiplied differently"));
  }
}

TEST_CASE("rowan train --backend emulated: a budget is kept, and what was measured with it") {
  Shell shell;
  const std::string rowan = std::string(ROWAN_EMULATED_TOOL_PATH) + " train --backend emulated --measurements t.jsonl ";
  const Ran ran = shell.run(rowan + "--budget 0.001" + kTwo + " generated:random:n=41,row_length=4");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "were left out: the budget was used up"));
  CHECK(line_count(shell.read("t.jsonl")) < 3);
}

TEST_CASE("rowan train --backend: a backend that this build does not have") {
  Shell shell;
  const Ran ran =
      shell.run(std::string(ROWAN_EMULATED_TOOL_PATH) + " train --backend hip --measurements t.jsonl a.mtx");
  CHECK(ran.code == 1);
  CHECK(ran.err.starts_with("rowan: backend is \"hip\", which this build does not have"));
  CHECK(shell.run(std::string(ROWAN_EMULATED_TOOL_PATH) + " train --backend gpu --measurements t.jsonl a.mtx").code ==
        2);
}

}  // namespace rowan::test

#endif
