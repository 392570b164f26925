// XGBoost's own prediction and rowan's evaluator, bit for bit.
#include "training/booster.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include <doctest/doctest.h>

#include "tests/lib/io/errors.hpp"
#include "tests/support/random.hpp"
#include "training/scores.hpp"

namespace rowan::test {
namespace {

using namespace training;

const std::vector<std::size_t> kAsked{0, 3, 7, 10, 11};

/// As real ones are: of many magnitudes, often whole, often equal.
FeatureVector some_features(Random& random) {
  FeatureVector f{};
  for (float& v : f) {
    v = std::ldexp(std::abs(static_cast<float>(random.real())), static_cast<int>(random.between(-10, 30)));
    if (random.below(2) == 0) v = std::floor(v);
  }
  return f;
}

struct Fitted {
  Booster booster;
  std::vector<std::vector<ScoreTree>> trees;
};

Fitted fitted(int classes, int rounds) {
  Random random(9);
  FeatureTable table(kAsked);
  std::vector<float> targets, weights;
  for (int i = 0; i < 3000; i++) {
    const FeatureVector f = some_features(random);
    table.add(f);
    const float y = std::sin(std::log(f[0] + 1)) + (f[7] < 300 ? 1.0F : 0.0F) + static_cast<float>(random.real());
    targets.push_back(classes == 1 ? y : std::floor(std::abs(y) * 10) - 3 * std::floor(std::abs(y) * 10 / 3));
    weights.push_back(0.5F + std::abs(static_cast<float>(random.real())));
  }
  const Booster b = classes == 1 ? Booster::regression(table, targets, weights, {.rounds = rounds})
                                 : Booster::softprob(table, targets, weights, classes, {.rounds = rounds});
  return {b, b.trees()};
}

/// Every threshold with its two neighbours in every feature, each with the others at random; NaN; and what is left to
/// `count` at random.
FeatureTable inputs(const Fitted& f, std::size_t count, std::vector<FeatureVector>& rows) {
  Random random(3);
  FeatureTable table(kAsked);
  const auto add = [&](const FeatureVector& row) { rows.push_back(row), table.add(row); };
  for (const auto& trees : f.trees)
    for (const ScoreTree& tree : trees)
      for (const Node& n : tree) {
        if (n.leaf()) continue;
        for (const float v : {n.threshold, std::nextafter(n.threshold, -INFINITY), std::nextafter(n.threshold, 1e38F),
                              std::numeric_limits<float>::quiet_NaN()})
          for (int i = 0; i < 20; i++) {
            FeatureVector row = some_features(random);
            row[n.feature] = v;
            add(row);
          }
      }
  while (rows.size() < count) {
    FeatureVector row = some_features(random);
    if (random.below(4) == 0)
      row[kAsked[static_cast<std::size_t>(random.below(5))]] = std::numeric_limits<float>::quiet_NaN();
    add(row);
  }
  return table;
}

}  // namespace

TEST_CASE("rowan's evaluator and XGBoost agree bit for bit on a million inputs") {
  if (!have_xgboost()) return;
  for (const auto& [classes, rounds, n] :
       {std::tuple{1, 1, 1'000'000}, std::tuple{1, 4, 50'000}, std::tuple{3, 2, 50'000}}) {
    CAPTURE(classes);
    CAPTURE(rounds);
    const Fitted f = fitted(classes, rounds);
    REQUIRE_EQ(f.trees.size(), static_cast<std::size_t>(classes));
    std::vector<FeatureVector> rows;
    const FeatureTable table = inputs(f, static_cast<std::size_t>(n), rows);
    const std::vector<float> theirs = f.booster.outputs(table);
    REQUIRE_EQ(theirs.size(), rows.size() * f.trees.size());
    std::size_t differ = 0;
    std::set<float> values;
    for (std::size_t i = 0; i < rows.size(); i++)
      for (std::size_t k = 0; k < f.trees.size(); k++) {
        float ours = 0;
        for (const ScoreTree& tree : f.trees[k]) ours += leaf_of(tree, rows[i]).threshold;
        differ += std::bit_cast<std::uint32_t>(ours) != std::bit_cast<std::uint32_t>(theirs[i * f.trees.size() + k]);
        values.insert(ours);
      }
    CHECK_EQ(differ, 0U);
    CHECK_GT(values.size(), 8U);
  }
}

TEST_CASE("trees are no deeper than asked, and ask for what they may") {
  if (!have_xgboost()) return;
  const Fitted f = fitted(1, 1);
  REQUIRE_EQ(f.trees[0].size(), 1U);
  CHECK_LE(f.trees[0][0].size(), 31U);  // four levels and their leaves
  for (const Node& n : f.trees[0][0])
    if (!n.leaf()) CHECK_NE(std::find(kAsked.begin(), kAsked.end(), n.feature), kAsked.end());
  CHECK_GT(f.booster.gains()[7], 0);
  CHECK_EQ(f.booster.gains()[1], 0);
}

TEST_CASE("the same fit, the same trees") {
  if (!have_xgboost()) return;
  CHECK_EQ(fitted(1, 1).trees, fitted(1, 1).trees);
}

TEST_CASE("without XGBoost fitting is refused in words") {
  if (have_xgboost()) return;
  CHECK_EQ(error_of([] { static_cast<void>(Booster::regression(FeatureTable({}), {}, {}, {})); }),
           "unsupported: this build fits no models: XGBoost was not found when it was made");
}

}  // namespace rowan::test
