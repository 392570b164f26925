// Evaluation: rules and the equivalent tree choose alike; NaN has a side of its own.
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "models/embedded.hpp"
#include "models/loaded.hpp"
#include "tests/support/policies.hpp"
#include "tests/support/random.hpp"

namespace rowan::test {
namespace {

LoadedPolicy with_numeric(const std::string& numeric) {
  return LoadedPolicy::from_text(policy_text({.numeric = numeric}), "test");
}

std::vector<std::string_view> choices(const Policy& p, Decision d, const FeatureVector& f) {
  std::vector<std::string_view> names;
  for (const std::uint8_t outcome : evaluate(p.tree(d), f)) names.push_back(outcome_name(d, outcome));
  return names;
}

std::string_view choice(const LoadedPolicy& p, float nprod_max, float run_ratio = 0) {
  FeatureVector f{};
  f[index(Feature::nprod_max)] = nprod_max, f[index(Feature::run_ratio)] = run_ratio;
  return choices(p.view(), Decision::numeric, f).front();
}

FeatureVector random_features(Random& random) {
  FeatureVector f{};
  for (float& v : f) {
    v = std::ldexp(static_cast<float>(random.real()), static_cast<int>(random.between(-5, 40)));
    if (random.below(10) == 0) v = std::numeric_limits<float>::quiet_NaN();
  }
  return f;
}

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("rules and the equivalent tree choose alike, NaN included") {
  const LoadedPolicy rules =
      with_numeric(R"([{"when": ["nprod_max < 33"], "then": "sort"}, {"when": ["run_ratio >= 0.5", "nprod_max < 900"],)"
                   R"( "then": ["dense-run", "dense-window"]}, {"then": "hash"}])");
  const LoadedPolicy tree = with_numeric(
      R"({"nodes": [{"feature": "nprod_max", "threshold": 33, "less": 1, "other": 2, "nan": "other"}, {"then": "sort"},)"
      R"({"feature": "run_ratio", "threshold": 0.5, "less": 4, "other": 3, "nan": "less"},)"
      R"({"feature": "nprod_max", "threshold": 900, "less": 5, "other": 4}, {"then": "hash"},)"
      R"({"then": ["dense-run", "dense-window"]}]})");
  Random random(4);
  for (int i = 0; i < 5000; i++) {
    FeatureVector f = random_features(random);
    f[index(Feature::run_ratio)] = random.below(9) == 0 ? kNaN : static_cast<float>(random.real());
    CHECK_EQ(choices(rules.view(), Decision::numeric, f), choices(tree.view(), Decision::numeric, f));
  }
}

TEST_CASE("a threshold itself is not less") {
  const LoadedPolicy p = with_numeric(R"([{"when": ["nprod_max < 33"], "then": "sort"}, {"then": "hash"}])");
  CHECK_EQ(choice(p, 33), "hash");
  CHECK_EQ(choice(p, std::nextafter(33.0F, 0.0F)), "sort");
  const LoadedPolicy at_least = with_numeric(R"([{"when": ["nprod_max >= 33"], "then": "sort"}, {"then": "hash"}])");
  CHECK_EQ(choice(at_least, 33), "sort");
  CHECK_EQ(choice(at_least, 32), "hash");
}

TEST_CASE("thresholds are compared in single precision, as they were fitted") {
  const LoadedPolicy p = with_numeric(R"([{"when": ["nprod_max < 0.1"], "then": "sort"}, {"then": "hash"}])");
  CHECK_EQ(choice(p, 0.1F), "hash");  // 0.1F > 0.1, but not less than float(0.1)
}

TEST_CASE("NaN fulfils no condition of a rule and goes where a tree's node says") {
  CHECK_EQ(choice(with_numeric(R"([{"when": ["nprod_max < 33"], "then": "sort"}, {"then": "hash"}])"), kNaN), "hash");
  CHECK_EQ(choice(with_numeric(R"([{"when": ["nprod_max >= 33"], "then": "sort"}, {"then": "hash"}])"), kNaN), "hash");
  const std::string node = R"({"nodes": [{"feature": "nprod_max", "threshold": 33, "less": 1, "other": 2)";
  const std::string leaves = R"(}, {"then": "sort"}, {"then": "hash"}]})";
  CHECK_EQ(choice(with_numeric(node + R"(, "nan": "less")" + leaves), kNaN), "sort");
  CHECK_EQ(choice(with_numeric(node + R"(, "nan": "other")" + leaves), kNaN), "hash");
  CHECK_EQ(choice(with_numeric(node + leaves), kNaN), "hash");
}

TEST_CASE("a policy that was never trained says rules in its kind and the default one in its name") {
  for (const Policy& p : embedded_policies()) CHECK((p.kind == "rules" || p.kind == "trees"));
  const Policy& first = embedded_policies().front();
  CHECK_EQ(first.kind == "rules", first.name.find("rules") != std::string_view::npos);
}

TEST_CASE("what no comparison asks for need not be measured") {
  const LoadedPolicy p = with_numeric(R"([{"when": ["nprod_max < 33"], "then": "sort"}, {"then": "hash"}])");
  CHECK(p.view().uses(Feature::nprod_max));
  CHECK(!p.view().uses(Feature::compression_ratio));
}

}  // namespace rowan::test
