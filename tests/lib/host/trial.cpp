#include "lib/host/trial.hpp"

#include <doctest/doctest.h>

#include "models/embedded.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"

namespace rowan::test {

TEST_CASE_TEMPLATE("every feasible candidate of every bin is timed and no other", T, float, double) {
  for (const std::string name : {"power law with a hub", "unsorted", "runs of 1 to 6 equal rows", "no rows"}) {
    CAPTURE(name);
    const Factors<T> f(shape(name), Values::reals);
    const Options options;
    const Team team(1);
    const Inputs<T> in(f.a(), f.b(), true, team);
    Stats stats;
    const Policy* policy = embedded_policy("nsparse");
    REQUIRE(policy != nullptr);
    Decided d = decide(in.a(), in.b(), {options, *policy}, team, stats);
    const std::vector<BinDecision> before = d.record.decisions;
    const auto c = static_cast<std::int64_t>(textbook(f.a(), f.b()).col.size());
    const CandidateTimes times = time_candidates(in, d, c, 2);
    REQUIRE_EQ(times.bins.size(), d.record.decisions.size());
    std::array<bool, kCandidates.size()> anywhere{};
    for (std::size_t bin = 0; bin < times.bins.size(); bin++) {
      const BinDecision& decision = d.record.decisions[bin];
      CHECK_EQ(decision.numeric.chosen, before[bin].numeric.chosen);
      for (std::size_t id = 0; id < kCandidates.size(); id++) {
        const bool timed = !decision.bin.key.empty() && kCandidates[id].feasible(decision.extent);
        CHECK_EQ(times.bins[bin][id] > 0, timed);
        anywhere[id] = anywhere[id] || timed;
      }
    }
    for (std::size_t id = 0; id < kCandidates.size(); id++) CHECK_EQ(times.forced[id] > 0, anywhere[id]);
  }
}

}  // namespace rowan::test
