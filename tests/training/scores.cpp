// A policy's scores are the fit's, but for leaves that are not sure.
#include "training/scores.hpp"

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "tests/support/random.hpp"

namespace rowan::test {
namespace {

using namespace training;

/// A tree of random comparisons of three features, some levels deep.
void grow(Random& random, int depth, ScoreTree& tree) {
  const std::size_t at = tree.size();
  tree.emplace_back();
  if (depth == 0) {
    tree[at].threshold = static_cast<float>(random.real() - 0.5);
    return;
  }
  tree[at].feature = static_cast<std::uint8_t>(random.below(3));
  tree[at].threshold = static_cast<float>(random.below(100));
  tree[at].nan_less = random.below(2) == 0;
  tree[at].less = static_cast<std::uint16_t>(tree.size());
  grow(random, depth - 1, tree);
  tree[at].other = static_cast<std::uint16_t>(tree.size());
  grow(random, depth - 1, tree);
}

float sum_of(const Scorer& scorer, const FeatureVector& features) {
  float sum = 0;
  for (const ScoreTree& tree : scorer.trees) sum += leaf_of(tree, features).threshold;
  return sum;
}

Example example(float x, double other, std::size_t product) {
  Example e{.weight = 1, .product = product};
  e.features[0] = x, e.seconds[0] = other, e.seconds[1] = 1;
  return e;
}

}  // namespace

TEST_CASE("scores: where every leaf speaks, sums and choices are the fit's, NaN and thresholds included") {
  for (std::uint64_t seed = 1; seed <= 5; seed++) {
    Random random(seed);
    std::vector<Scorer> scorers;
    for (std::uint8_t k = 0; k < 3; k++) {
      scorers.push_back({.outcome = k, .trees = {}});
      for (int t = 0; t <= k; t++) grow(random, 3, scorers.back().trees.emplace_back());
    }
    const JoinedScores joined = join(scorers, {}, {.safest = 1, .least_products = 0});
    const Tree tree = joined.tree.view();
    CHECK_EQ(tree.ranked[0], 1);
    CHECK_EQ(joined.unsure.size(), tree.nodes.size());
    for (int i = 0; i < 5000; i++) {
      FeatureVector f{};
      for (std::size_t x = 0; x < 3; x++) {
        const auto v = static_cast<float>(random.below(101));
        const auto kind = random.below(8);
        f[x] = kind == 0   ? std::numeric_limits<float>::quiet_NaN()
               : kind == 1 ? std::nextafter(v, -1.0F)
               : kind == 2 ? std::nextafter(v, 200.0F)
                           : v;
      }
      const Ranking ranked = evaluate(tree, f);
      REQUIRE_EQ(int{ranked.count}, 3);
      for (const Scorer& s : scorers) {
        REQUIRE_EQ(score(tree, s.outcome, f), sum_of(s, f));
        REQUIRE_LE(sum_of(scorers[ranked[0]], f), sum_of(s, f));
      }
    }
  }
}

TEST_CASE("scores: a leaf that few products led to, or whose gain is doubtful, does not speak for its outcome") {
  const ScoreTree split{{.feature = 0, .threshold = 10, .less = 1, .other = 2}, {.threshold = -1}, {.threshold = 1}};
  const auto joined = [&](const std::vector<Example>& examples) {
    return join({{0, {split}}}, examples, {.safest = 1});
  };
  const auto speaks = [&](const std::vector<Example>& examples) {
    const JoinedScores j = joined(examples);
    CHECK_EQ(j.tree.nodes[2].threshold, 1);  // against it every leaf speaks
    CHECK_EQ(j.unsure[1], j.tree.nodes[1].threshold == 0);
    CHECK_EQ(int{evaluate(j.tree.view(), FeatureVector{})[0]}, j.unsure[1] ? 1 : 0);  // the safest wins a tie
    return !j.unsure[1];
  };
  CHECK(speaks({example(1, .5, 0), example(1, .5, 1), example(1, .5, 2), example(20, 2, 3)}));
  CHECK_FALSE(speaks({example(1, .5, 0), example(1, .5, 1), example(20, 2, 3)}));                     // two products
  CHECK_FALSE(speaks({example(1, .5, 0), example(1, .5, 0), example(1, .5, 0), example(20, 2, 3)}));  // one
  CHECK_FALSE(speaks({example(1, .5, 0), example(1, 2, 1), example(1, .9, 2), example(1, 1.2, 3)}));  // doubtful
  CHECK_EQ(joined({example(1, .5, 0), example(1, .5, 1), example(20, 2, 3)}).examples[1], 2U);
}

TEST_CASE("scores: without any trees the safest is what is chosen") {
  const JoinedScores j = join({}, {}, {.safest = 2});
  CHECK_EQ(int{evaluate(j.tree.view(), FeatureVector{})[0]}, 2);
}

}  // namespace rowan::test
