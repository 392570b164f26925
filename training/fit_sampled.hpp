#pragma once
// The decision `sampled`: whether rows are measured at all, fitted and judged by whole products.
#include <functional>

#include "training/judge.hpp"
#include "training/ways.hpp"

namespace rowan::training {

/// Products as examples; outcomes are candidates that take rows without measuring them, and kMeasure, the safest.
[[nodiscard]] Problem sampled_problem(const TrainingSet& set, const Products& products);

/// Features that a sample of rows gives.
[[nodiscard]] std::vector<std::size_t> sampled_features(const std::vector<std::size_t>& offered);

/// A whole product's seconds as the policy decides, where a race of several candidates is won by the fastest; 0 where
/// none was measured that way.
[[nodiscard]] double sampled_seconds(const TrainingSet& set, std::size_t product, const Policy& policy);
/// By one outcome for all; where it does not take the rows they are measured.
[[nodiscard]] double sampled_seconds(const TrainingSet& set, std::size_t product, std::uint8_t outcome);
/// The least that was measured; 0: nothing was.
[[nodiscard]] double best_sampled_seconds(const TrainingSet& set, std::size_t product);

/// Times over the best, the geometric mean of the products that were measured.
[[nodiscard]] double sampled_regret(const TrainingSet& set, const std::function<double(std::size_t)>& seconds);

/// Whether any product was measured both ways.
[[nodiscard]] bool has_sampled(const TrainingSet& set);

}  // namespace rowan::training
