#include "lib/choose/alternating.hpp"

#include <doctest/doctest.h>

#include "lib/host/decide.hpp"
#include "models/loaded.hpp"
#include "tests/accumulators/kernels.hpp"
#include "tests/lib/host/decided.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/policies.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

/// 512 rows of 100 and as many of 300 products, `together` of each behind one another.
Shape mixed(std::int64_t together) {
  Random random(7);
  Rows a, b;
  for (int j = 0; j < 200; j++) b.push_back(some_columns(random, 10, 0, 6000));
  for (std::int64_t i = 0; i < 1024; i++) a.push_back(some_columns(random, i / together % 2 == 0 ? 10 : 30, 0, 200));
  return {"", from_rows(a, 200), from_rows(b, 6000)};
}

constexpr const char* kSortShortRows = R"([{"when": ["nprod_max < 257"], "then": "sort"}, {"then": "dense-window"}])";

LoadedPolicy sort_short_rows(const std::string& more) {
  return LoadedPolicy::from_text(policy_text({.use_binning = always("yes"), .numeric = kSortShortRows, .more = more}),
                                 "test");
}

}  // namespace

TEST_CASE("isolated rows of sort go to dense-window where the policy asks for it, and stay where it does not") {
  const LoadedPolicy merging = sort_short_rows(kAlternating), plain = sort_short_rows("");
  for (const std::int64_t together : {1, 2, 5, 16, 128, 512}) {
    CAPTURE(together);
    const Problem<double> p(mixed(together), Values::integers);
    const auto check = [&](const Record& record, bool merged) {
      REQUIRE_EQ(record.decisions.size(), 2);
      const Choice first = record.decisions[0].numeric;
      CHECK_EQ(name_of(first.requested), "sort");
      CHECK_EQ(name_of(first.chosen), merged ? "dense-window" : "sort");
      CHECK_EQ(first.instead, merged ? Instead::isolated : Instead::as_requested);
      CHECK_EQ(name_of(record.decisions[1].numeric.chosen), "dense-window");
    };
    for (const LoadedPolicy* policy : {&merging, &plain}) {
      const bool merged = policy == &merging && together < 128;
      Record record = decided(p, policy->view());
      check(record, merged);
      decide_again(p.measured, p.expected.row_ptr.data(), "", record);
      check(record, merged);
    }
    const Record forced = decided(p, merging.view(), "sort");
    for (const BinDecision& d : forced.decisions) CHECK_EQ(name_of(d.numeric.chosen), "sort");
  }
}

TEST_CASE("a step that takes as long as fewer words makes fewer rows go") {
  LoadedPolicy policy = sort_short_rows(kAlternating);
  const Problem<double> p(mixed(1), Values::integers);
  CHECK_EQ(name_of(decided(p, policy.view()).decisions[0].numeric.chosen), "dense-window");
  policy.alternating->words_per_step = 0.01F;
  CHECK_EQ(name_of(decided(p, policy.view()).decisions[0].numeric.chosen), "sort");
}

TEST_CASE("what a batch of sort and a row of dense-window take is the candidates' own data") {
  const Candidate &sort = kCandidates[kSortInWindows.from], &window = kCandidates[kSortInWindows.to];
  CHECK_EQ(sort.batch_steps(0), 0);
  CHECK_EQ(sort.batch_steps(2), 1);
  CHECK_EQ(sort.batch_steps(3), 6);
  CHECK_EQ(sort.batch_steps(128), 1792);
  CHECK_EQ(window.scanned_words(6400), 100);
}

}  // namespace rowan::test
