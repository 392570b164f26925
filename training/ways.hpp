#pragma once
// Ways of fitting a choice: each gives every candidate a score, and the least is chosen.
#include "training/scores.hpp"

namespace rowan::training {

enum class Loss : std::uint8_t { log_time, best_class, expected_regret };

struct Way {
  std::string_view name;
  std::string_view about;
  Loss loss;
  BoostRules boost;
};

inline constexpr BoostRules kOneTree{.depth = 4, .rounds = 1, .rate = 1, .least_weight = 2, .lambda = 1};
inline constexpr BoostRules kEightTrees{.depth = 3, .rounds = 8, .rate = 0.4, .least_weight = 2, .lambda = 3};

inline constexpr std::array kWays{
    Way{"log-time", "a regression tree a candidate on the logarithm of its time over the safest's", Loss::log_time,
        kOneTree},
    Way{"best-class", "softmax over candidates on the fastest, weighted by the second's regret", Loss::best_class,
        kOneTree},
    Way{"regret", "softmax over candidates on the expected regret", Loss::expected_regret, kOneTree},
    Way{"log-time x8", "log-time, eight rounds of boosting, three levels", Loss::log_time, kEightTrees},
    Way{"best-class x8", "best-class, eight rounds of boosting, three levels", Loss::best_class, kEightTrees},
    Way{"regret x8", "regret, eight rounds of boosting, three levels", Loss::expected_regret, kEightTrees},
};

/// What a way is fitted on.
struct Problem {
  std::vector<Example> examples = {};
  std::vector<std::uint8_t> outcomes = {};  // that take part
  std::uint8_t safest = 0;
};

struct Scored {
  std::vector<Scorer> scorers = {};
  FeatureVector gains{};
};

[[nodiscard]] Scored fit_scores(const Problem& problem, const Way& way, const std::vector<std::size_t>& features);

struct FittedDecision {
  JoinedScores scores = {};
  FeatureVector gains{};
};
[[nodiscard]] FittedDecision fit_decision(const Problem& problem, const Way& way,
                                          const std::vector<std::size_t>& features);

}  // namespace rowan::training
