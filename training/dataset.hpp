#pragma once
// Measurements prepared for a fit: examples with corrected times, weights, and their product.
#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "training/sample.hpp"

namespace rowan::training {

/// Seconds by outcome of a decision, which most often is a candidate; 0 where it is not feasible.
inline constexpr std::size_t kMostOutcomes = std::max(std::size_t{kMeasure} + 1, kGroupNames.size());
using Seconds = std::array<double, kMostOutcomes>;

/// Rows that share a decision.
struct Example {
  FeatureVector features{};
  Seconds seconds{};
  std::array<std::array<double, kGroupNames.size()>, kCandidates.size()> by_group{};  // of devices; [id][0] is empty
  double noise = 0;   // of the times, as a share: closer ones are ties
  double weight = 0;  // its share of the phase's best time
  std::size_t product = 0;

  [[nodiscard]] bool feasible(std::size_t id) const noexcept { return seconds[id] > 0; }
  [[nodiscard]] double best() const noexcept;
  /// The same with any number of lanes that was measured.
  [[nodiscard]] double best_known() const noexcept;
  /// With as many lanes to a row of B as `group` (an outcome of that decision) asks for, or the most below that there
  /// are; where it asks for none, or lanes do not walk, as they are by the average row.
  [[nodiscard]] double seconds_of(std::size_t id, std::uint8_t group) const noexcept;
};

/// A phase of one product, judged: what it takes with any choice for each bin.
struct PhaseTimes {
  std::vector<Example> bins = {};
  Seconds all_rows{};  // whole phase with one candidate for all rows as one bin; 0 where it cannot take them
  Seconds forced{};    // the same with fallbacks for the rows that it cannot take; 0: it can take none
  double mixed = 0;    // measured, each bin by its fastest

  [[nodiscard]] double best_of_bins() const noexcept;
  [[nodiscard]] double best_known_of_bins() const noexcept;
};

/// How well sums of bins' times rank whole phases, over pairs of forced candidates whose times differ by more than the
/// noise.
struct Concordance {
  int pairs = 0, before = 0, after = 0;  // ranked alike, before and after the correction
  double sum_over_mixed = 0;             // best bins' corrected sum over the whole phase measured with them; 0: unknown
};

/// Times of a phase's bins, made to agree with the whole phases: each candidate's times are scaled by one factor, so
/// that their sum is the time of the phase with that candidate forced.
[[nodiscard]] PhaseTimes phase_times(const ProductSample& sample, std::size_t phase, std::size_t product);
[[nodiscard]] Concordance concordance(const ProductSample& sample, std::size_t phase);

/// All that a fit sees.
struct TrainingSet {
  std::vector<ProductSample> samples;
  std::array<std::vector<PhaseTimes>, kPhases> times;  // of each sample

  explicit TrainingSet(std::vector<ProductSample> measured);
  /// All samples are of one kind of machine.
  [[nodiscard]] bool on_device() const noexcept { return !samples.empty() && !samples.front().backend.empty(); }
  [[nodiscard]] std::set<std::string> machines() const;
};

/// Indices into TrainingSet::samples.
using Products = std::vector<std::size_t>;

[[nodiscard]] Products all_of(const TrainingSet& set);

/// Groups of products for holding out: all products of a family are in one, and groups have about the same size. The
/// number of groups is `groups`, or that of the families if it is smaller.
[[nodiscard]] std::vector<Products> folds_by_family(const TrainingSet& set, const Products& products,
                                                    std::size_t groups);

/// `all` without `some`.
[[nodiscard]] Products without(const Products& all, const Products& some);

/// The candidate that does an example's rows where `ranked` is asked for: the first feasible one, else the first one's
/// fallback.
[[nodiscard]] CandidateId chosen(std::span<const std::uint8_t> ranked, const Example& example);

}  // namespace rowan::training
