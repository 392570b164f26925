// Measuring rows or not, fitted to whole products and judged by them.
#include "training/fit_sampled.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "lib/host/sampled.hpp"
#include "models/embedded.hpp"
#include "tests/training/made_up.hpp"
#include "training/train.hpp"

namespace rowan::test {
namespace {

using namespace training;

constexpr std::uint8_t kSpa = *candidate_named("dense-spa");

std::vector<ProductSample> samples() {
  std::vector<ProductSample> list = made_up_samples(30);
  for (std::size_t i = 0; i < list.size(); i++) make_up_sampled(list[i], 1 + static_cast<float>(i % 7) / 1.5F);
  return list;
}

std::uint8_t first(const Policy& policy, float compression, float nprod) {
  FeatureVector f{};
  f[index(Feature::compression_ratio)] = compression, f[index(Feature::nprod)] = nprod;
  f[index(Feature::nprod_max)] = 1000;
  return evaluate(policy.tree(Decision::sampled), f)[0];
}

}  // namespace

TEST_CASE("training: rows are measured only where that is faster, as families held out confirm") {
  if (!have_xgboost()) return;
  const Trained trained = train_model(samples(), {.name = "mine", .folds = 5}, {});
  const auto& sampled = trained.report["sampled"];
  CHECK_EQ(sampled["kept"], "fitted");
  CHECK_LT(sampled["fitted"].get<double>(), 1.02);
  CHECK_GT(sampled["always"]["measure"].get<double>(), 1.2);
  CHECK_GT(sampled["always"]["dense-spa"].get<double>(), 1.2);
  CHECK_EQ(sampled["by_family"].size(), 10U);
  const LoadedPolicy model = LoadedPolicy::from_text(trained.model, "model");
  CHECK_EQ(int{first(model.view(), 4, 1e5F)}, int{kSpa});
  CHECK_EQ(int{first(model.view(), 2, 1e5F)}, int{kMeasure});
}

TEST_CASE("training: the hand rules stay where a fit is not better on families held out") {
  if (!have_xgboost()) return;
  std::vector<ProductSample> list = samples();
  Random random(3);
  for (ProductSample& s : list) {  // nothing that a feature tells; the hand rules measure, which is never far off
    make_up_sampled(s, static_cast<float>(random.below(100)));
    s.sampled.features[index(Feature::nprod_max)] = 5000, s.sampled.features[index(Feature::row_nnz_avg)] = 100;
    s.sampled.times[kSpa].seconds = random.below(4) == 0 ? 1.99e-3 : 9e-3;
  }
  const Trained trained = train_model(list, {.name = "mine", .folds = 5}, {});
  const auto& sampled = trained.report["sampled"];
  CHECK_GT(sampled["fitted"].get<double>(), sampled["hand rules"].get<double>());
  CHECK_EQ(sampled["kept"], "hand rules");
  const LoadedPolicy model = LoadedPolicy::from_text(trained.model, "model");
  const Tree rules = embedded_policy("host-rules")->tree(Decision::sampled);
  CHECK_EQ(model.view().tree(Decision::sampled).nodes.size(), rules.nodes.size());
}

TEST_CASE("a product's time as sampled decides: one candidate, a race of several, or measured") {
  std::vector<ProductSample> list = samples();
  list.resize(1);
  const CandidateId sort = *candidate_named("sort");
  list[0].nprod = kRacedFrom;
  list[0].sampled.times[sort] = {.seconds = 1.5e-3, .noise = 0, .runs = 1};
  list[0].sampled.times[kSpa].seconds = 1e-3;
  TrainingSet set(list);
  const std::array<Node, 1> leaf{Node{.less = 0, .other = 3}};
  std::array<std::uint8_t, 3> ranked{sort, kSpa, kMeasure};
  Policy policy = embedded_policies().front();
  policy.trees[static_cast<std::size_t>(Decision::sampled)] = {leaf, ranked};
  CHECK_EQ(sampled_seconds(set, 0, policy), 1e-3);
  set.samples[0].nprod--;
  CHECK_EQ(sampled_seconds(set, 0, policy), 1.5e-3);
  ranked = {kMeasure, kSpa, sort};
  CHECK_EQ(sampled_seconds(set, 0, policy), 2e-3);
  CHECK_EQ(sampled_seconds(set, 0, sort), 1.5e-3);
  CHECK_EQ(sampled_seconds(set, 0, *candidate_named("sort-vector")), 2e-3);
  CHECK_EQ(best_sampled_seconds(set, 0), 1e-3);
}

}  // namespace rowan::test
