#include "training/measure_sampled.hpp"

#include <memory>

#include "lib/host/multiply.hpp"
#include "lib/host/sampled.hpp"
#include "models/embedded.hpp"

namespace rowan::training {
namespace {

/// The model in force, but for one outcome of `sampled`.
struct Always {
  std::array<Node, 1> leaf{Node{.less = 0, .other = 1}};
  std::array<std::uint8_t, 1> outcome;
  Policy policy = embedded_policies().front();

  explicit Always(std::uint8_t o) : outcome{o} {
    policy.trees[static_cast<std::size_t>(Decision::sampled)] = {leaf, outcome};
  }
  Always(const Always&) = delete;
  Always& operator=(const Always&) = delete;
};

}  // namespace

void measure_sampled(const CsrView<double>& a, const CsrView<double>& b, const RaceRules& rules,
                     ProductSample& sample) {
  const Options options{.threads = 1};
  const Inputs<double> in(a, b, true, Team(1));
  const auto run = [&](const Always& always) {
    Stats stats;
    static_cast<void>(
        multiply(a, b, Settings{.options = options, .policy = always.policy, .small_path = false}, stats));
    return stats.sampled;
  };
  std::vector<std::unique_ptr<Always>> ways;
  for (std::uint8_t id = 0; id < kMeasure; id++) {
    if (kCandidates[id].max_unmeasured_span == 0) continue;
    auto way = std::make_unique<Always>(id);
    Stats stats;
    const auto decided = decide_sampled(in.a(), in.b(), {.options = options, .policy = way->policy}, Team(1), stats);
    if (!decided) continue;
    sample.sampled.features = decided->record.features;
    if (run(*way)) ways.push_back(std::move(way));
  }
  if (ways.empty()) return;
  ways.push_back(std::make_unique<Always>(kMeasure));
  std::vector<std::function<void()>> runners;
  runners.reserve(ways.size());
  for (const auto& way : ways) runners.emplace_back([&run, &way] { static_cast<void>(run(*way)); });
  const std::vector<Timing> times = race(runners, rules);
  for (std::size_t i = 0; i < ways.size(); i++) sample.sampled.times[ways[i]->outcome[0]] = times[i];
}

}  // namespace rowan::training
