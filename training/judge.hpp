#pragma once
// What choices cost: times of whole phases, and how far they are from the best known.
#include "models/policy.hpp"
#include "training/dataset.hpp"

namespace rowan::training {

/// Seconds of a phase with the policy's choices, the numeric one with what deciding takes.
[[nodiscard]] double policy_seconds(const TrainingSet& set, std::size_t product, std::size_t phase,
                                    const Policy& policy);
/// The same with one candidate for all rows that it can take, in bins; 0 where it can take none.
[[nodiscard]] double forced_seconds(const TrainingSet& set, std::size_t product, std::size_t phase, CandidateId id);
/// By GraphBLAS's rule for each bin: hash, or Gustavson's dense vector where its table would not be much smaller
/// (SuiteSparse:GraphBLAS, GB_AxB_saxpy3_slice_balanced.c, GB_hash_table_size). 0 for devices.
[[nodiscard]] double graphblas_seconds(const TrainingSet& set, std::size_t product, std::size_t phase);
/// Expected, of a random choice among feasible candidates, for each bin.
[[nodiscard]] double random_seconds(const TrainingSet& set, std::size_t product, std::size_t phase);
/// The least known: each bin's best, or the best one candidate for all.
[[nodiscard]] double best_seconds(const TrainingSet& set, std::size_t product, std::size_t phase);

/// Times over the best of several products.
struct Regret {
  std::size_t products = 0;
  double geomean = 1, p95 = 1, worst = 1;
  std::size_t worst_product = 0;  // where among them
};
[[nodiscard]] Regret regret_of(const std::vector<double>& ratios);

/// Share of bins, each counted by its share of the time, whose choice is the fastest or within the noise of it.
[[nodiscard]] double accuracy(const TrainingSet& set, std::size_t product, std::size_t phase, const Policy& policy);

}  // namespace rowan::training
