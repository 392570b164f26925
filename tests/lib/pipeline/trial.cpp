#include "lib/pipeline/trial.hpp"

#include <doctest/doctest.h>

#include "models/embedded.hpp"
#include "tests/support/matrices.hpp"

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
    const Decided d = decide(in.a(), in.b(), {options, *policy}, team, stats);
    const auto seconds = time_candidates(in, d, 2);
    REQUIRE_EQ(seconds.size(), d.record.decisions.size());
    for (std::size_t bin = 0; bin < seconds.size(); bin++)
      for (std::size_t id = 0; id < kCandidates.size(); id++) {
        if (kCandidates[id].feasible(d.record.decisions[bin].extent))
          CHECK_GT(seconds[bin][id], 0);
        else
          CHECK_EQ(seconds[bin][id], 0);
      }
  }
}

}  // namespace rowan::test
