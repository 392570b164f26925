// Thin plans as the pipeline makes and follows them: pattern, first execution, the one that writes, and those that
// follow.
#include "lib/host/replay/thin.hpp"

#include <algorithm>
#include <thread>

#include <doctest/doctest.h>

#include "lib/host/replay/thin_product.hpp"
#include "models/loaded.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/policies.hpp"

namespace rowan::test {
namespace {

/// A policy under which no row is measured.
LoadedPolicy unmeasured() {
  LoadedPolicy p =
      LoadedPolicy::from_text(policy_text({.more = R"("sampled": )" + always("dense-spa") + ", "}), "test");
  p.resolve([](CandidateId id) { return kCandidates[id].on_host; });
  return p;
}

struct ThinPlan {
  LoadedPolicy policy = unmeasured();
  Options options;
  Policy in_force = policy.view();
  Settings settings{.options = options, .policy = in_force};
  Team team;
  Inputs<double> in;
  std::optional<ThinPattern> pattern;
  std::optional<ThinReplay> replay;

  ThinPlan(const Factors<double>& f, const Options& given)
      : options(given), team(given.threads), in(f.a(), f.b(), true, team) {
    Budget budget(options);
    pattern = thin_pattern_of(in.a(), in.b(), settings, team, budget);
    if (pattern) replay.emplace(pattern->chunks);
  }
  [[nodiscard]] std::vector<double> values() const {
    std::vector<double> val(pattern->col.size(), 7);
    replay->run(in, pattern->row_ptr.data(), pattern->col.data(), val.data(), settings, team);
    return val;
  }
};

std::string fault(const ThinPlan& plan, const Product<double>& expected) {
  const ThinPattern& c = *plan.pattern;
  if (!std::ranges::equal(c.row_ptr, expected.row_ptr)) return "row pointers";
  if (!std::ranges::equal(c.col, expected.col)) return "columns";
  for (int execution = 0; execution < 4; execution++)
    if (!std::ranges::equal(plan.values(), expected.val, same_bits<double>))
      return "values of execution " + std::to_string(execution);
  return "";
}

}  // namespace

TEST_CASE("thin plans have the textbook's pattern, and its bits at every execution") {
  std::size_t taken = 0;
  for (const std::vector<Shape>* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list) {
      CAPTURE(shape.name);
      const Factors<double> f(shape, Values::reals);
      const Product<double> expected = textbook(f.a(), f.b());
      for (const int threads : {1, 3}) {
        CAPTURE(threads);
        const ThinPlan plan(f, {.threads = threads});
        if (!plan.pattern) continue;
        taken++;
        CHECK_EQ(fault(plan, expected), "");
      }
    }
  CHECK_GT(taken, 20);
}

TEST_CASE("positions are written by the second execution, where they fit the memory limit") {
  const Factors<double> f(shape("large runs"), Values::reals);
  const Product<double> expected = textbook(f.a(), f.b());
  const ThinPlan plan(f, {.threads = 1});
  REQUIRE(plan.pattern);
  const std::int64_t before = plan.replay->bytes();
  static_cast<void>(plan.values());
  CHECK_EQ(plan.replay->bytes(), before);
  static_cast<void>(plan.values());
  CHECK_GT(plan.replay->bytes(), before);

  ThinPlan narrow(f, {.threads = 1});
  narrow.options.memory_limit = static_cast<std::int64_t>(expected.val.size() * sizeof(double)) + before + 4096;
  CHECK_EQ(fault(narrow, expected), "");
  CHECK_EQ(narrow.replay->bytes(), before);
}

TEST_CASE("a thin plan serves several threads at once, whichever of them writes positions") {
  const Factors<double> f(shape("large runs"), Values::reals);
  const Product<double> expected = textbook(f.a(), f.b());
  const ThinPlan plan(f, {.threads = 1});
  REQUIRE(plan.pattern);
  std::vector<std::string> faults(4, "not run");
  std::vector<std::thread> threads;
  for (std::string& result : faults) threads.emplace_back([&] { result = fault(plan, expected); });
  for (std::thread& t : threads) t.join();
  for (const std::string& result : faults) CHECK_EQ(result, "");
}

TEST_CASE("a pattern that does not fit the budget is left to others") {
  const Factors<double> f(shape("large runs"), Values::reals);
  const ThinPlan plan(f, {.threads = 1, .memory_limit = 1 << 16});
  CHECK_FALSE(plan.pattern);
}

}  // namespace rowan::test
