// Phases run piece by piece: the bins are all rows that there is work with, and whoever is picked runs.
#include <numeric>

#include <doctest/doctest.h>

#include "lib/backends/devices.hpp"
#include "lib/host/multiply.hpp"
#include "models/loaded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"

namespace rowan::test {
namespace {

constexpr const char* kEverything =
    R"({"rowan_policy": 2, "name": "everything", "kind": "rules", "about": "", "source": "",
  "use_binning": [{"then": "yes"}], "method": [{"then": "two_phase"}],
  "symbolic": [{"then": ["direct", "direct-shift", "sort", "sort-merge", "dense-run", "dense-rank", "hash",
                         "hash-registers"]}],
  "numeric": [{"then": ["direct", "direct-shift", "sort", "sort-merge", "dense-run", "dense-rank", "hash",
                         "hash-registers"]}]})";

}  // namespace

TEST_CASE(
    "a trial: bins have all products, and every candidate that takes one runs, by the average row and with the most "
    "lanes") {
  const LoadedPolicy loaded = LoadedPolicy::from_text(kEverything, "everything");
  const Policy policy = loaded.view();
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    const auto device = open_devices(policy, {.backend = kBackend});
    for (const char* name : {"runs of 1 to 6 equal rows", "shift runs", "permutation", "all empty"}) {
      CAPTURE(name);
      const Factors<double> f(shape(name), Values::integers);
      const Inputs<double> in(f.a(), f.b(), true, Team());
      const DeviceTrial trial = device->on.of<double>().trial(in.a(), in.b(), false);
      CHECK_EQ(trial.rows, in.a().rows);
      for (const Phase phase : {Phase::symbolic, Phase::numeric}) {
        const auto& bins = trial.bins[static_cast<std::size_t>(phase)];
        const std::int64_t nprod = std::accumulate(bins.begin(), bins.end(), std::int64_t{0},
                                                   [](std::int64_t n, const auto& bin) { return n + bin.nprod; });
        if (phase == Phase::numeric) CHECK_EQ(nprod, trial.nprod);
        for (std::size_t b = 0; b < bins.size(); b++) {
          CHECK(bins[b].feasible[*candidate_named("hash")]);
          CHECK_FALSE(bins[b].feasible[*candidate_named("dense-window")]);
          if (phase == Phase::numeric) CHECK_FALSE(bins[b].feasible[*candidate_named("hash-registers")]);
          if (phase == Phase::symbolic) CHECK_FALSE(bins[b].feasible[*candidate_named("direct")]);
          for (std::size_t id = 0; id < kCandidates.size(); id++) {
            if (!bins[b].feasible[id]) continue;
            CHECK_LE(bins[b].lanes[id], wave);
            for (const int lanes : {0, bins[b].lanes[id]}) {
              std::vector<std::optional<DevicePick>> picks(bins.size());
              picks[b] = DevicePick{static_cast<CandidateId>(id), lanes};
              const auto run = trial.prepare(phase, picks);
              run();
            }
          }
        }
        // all at once; sort leaves long rows to its fallbacks
        trial.prepare(phase,
                      std::vector<std::optional<DevicePick>>(bins.size(), DevicePick{*candidate_named("sort"), 0}))();
        trial.wait();
      }
    }
  });
}

}  // namespace rowan::test
