#pragma once
// XGBoost, through its C API: the one file that knows it.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "features/feature.hpp"
#include "models/policy.hpp"

namespace rowan::training {

/// Whether this build has XGBoost. Everything below throws Error{unsupported} where it has not.
[[nodiscard]] bool have_xgboost() noexcept;
/// "1.7.4"; empty where there is none.
[[nodiscard]] std::string xgboost_version();

/// A tree that scores: a leaf's threshold is its value.
using ScoreTree = std::vector<Node>;

/// The features that a fit may ask about, of some rows.
struct FeatureTable {
  std::vector<std::size_t> features;
  std::vector<float> values;  // row by row
  std::size_t rows = 0;

  explicit FeatureTable(std::vector<std::size_t> asked) : features(std::move(asked)) {}
  void add(const FeatureVector& row) {
    for (const std::size_t f : features) values.push_back(row[f]);
    rows++;
  }
};

struct BoostRules {
  int depth = 4;
  int rounds = 1;
  double rate = 1;          // of a round's trees, so much counts
  double least_weight = 1;  // of the examples on either side of a split, summed
  double lambda = 1e-3;     // pulls leaves towards 0
};

/// Trees fitted to a table; the same for the same input, on any number of threads.
class Booster {
 public:
  /// One output: least squares.
  [[nodiscard]] static Booster regression(const FeatureTable& table, std::span<const float> targets,
                                          std::span<const float> weights, const BoostRules& rules);
  /// `classes` outputs: softmax over them, cross entropy.
  [[nodiscard]] static Booster softprob(const FeatureTable& table, std::span<const float> labels,
                                        std::span<const float> weights, int classes, const BoostRules& rules);
  /// `classes` outputs by any loss: from all rows' outputs, its first and second derivatives by them.
  using Gradient = std::function<void(std::span<const float> outputs, std::span<float> first, std::span<float> second)>;
  [[nodiscard]] static Booster custom(const FeatureTable& table, int classes, const Gradient& gradient,
                                      const BoostRules& rules);

  /// For each output its trees, whose leaves add up in this order.
  [[nodiscard]] std::vector<std::vector<ScoreTree>> trees() const;
  /// By feature: how much its splits lowered the loss.
  [[nodiscard]] FeatureVector gains() const;
  /// XGBoost's own outputs, row by row.
  [[nodiscard]] std::vector<float> outputs(const FeatureTable& table) const;

 private:
  struct Handle;
  explicit Booster(std::shared_ptr<Handle> handle) : handle_(std::move(handle)) {}
  std::shared_ptr<Handle> handle_;
};

}  // namespace rowan::training
