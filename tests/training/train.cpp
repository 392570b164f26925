// From measurements to a model: what is to be found is found, and what is written can be read.
#include "training/train.hpp"

#include <doctest/doctest.h>

#include "models/loaded.hpp"
#include "models/print.hpp"
#include "tests/lib/io/errors.hpp"
#include "tests/training/made_up.hpp"

namespace rowan::test {
namespace {

using namespace training;

constexpr const char* kNone = "unsupported: this build fits no models: XGBoost was not found when it was made";

std::string_view choice(const Policy& policy, float nprod_max) {
  FeatureVector f{};
  f[index(Feature::nprod_max)] = nprod_max;
  return outcome_name(Decision::numeric, evaluate(policy.tree(Decision::numeric), f)[0]);
}

}  // namespace

TEST_CASE("training: a rule that times follow is found, on families that were held out too") {
  if (!have_xgboost()) return;
  const Trained trained =
      train_model(made_up_samples(30), {.name = "mine", .version = "1", .date = "today", .folds = 3}, {});
  const LoadedPolicy model = LoadedPolicy::from_text(trained.model, "model");
  CHECK_EQ(model.name, "mine");
  CHECK_EQ(model.kind, "trees");
  CHECK_EQ(choice(model.view(), 50), "sort");
  CHECK_EQ(choice(model.view(), 200), "dense-window");
  CHECK_EQ(choice(model.view(), 900), "dense-window");
  const auto& report = trained.report;
  CHECK_EQ(report["products"], 30);
  CHECK_EQ(report["families"], 10);
  CHECK_EQ(report["splits"], 3);
  CHECK_EQ(report["ways"].size(), kWays.size());
  const auto& numeric = report["phases"]["numeric"];
  CHECK_EQ(numeric["policies"][0]["kind"], "model");
  CHECK_EQ(numeric["policies"][0]["products"], 30);
  CHECK_LT(numeric["policies"][0]["geomean"].get<double>(), 1.05);
  CHECK_LT(numeric["policies"][0]["total"].get<double>(), 1.05);
  CHECK_GT(numeric["importances"]["nprod_max"].get<double>(), 0.9);
  for (const auto& p : numeric["policies"])
    if (p["name"] == "all hash") CHECK_GT(p["geomean"].get<double>(), 1.4);
  CHECK_GT(report["features"]["four"].get<double>(), 1.1);  // none of them is what times follow
  CHECK_GT(report["features"]["without"]["nprod_max"].get<double>(), 1.1);
  CHECK_LT(report["features"]["without"]["rows"].get<double>(), 1.05);
  CHECK_EQ(report["by_family"].size(), 10U);
  CHECK_EQ(report["cost"]["by_rounds"].size(), kCostRounds.size());
  CHECK_LT(report["cost"]["by_rounds"][0]["held_out_factor"].get<double>(), 1.1);
  // predicted times, too
  FeatureVector f{};
  f[index(Feature::nprod)] = 2047;
  CHECK_EQ(int{evaluate(model.view().tree(Decision::use_binning), f)[0]}, 0);  // whatever was measured
  f[index(Feature::nprod)] = 2048;
  CHECK_EQ(int{evaluate(model.view().tree(Decision::use_binning), f)[0]}, 1);
  f[index(Feature::nprod_max)] = 50;
  CHECK_EQ(*predict(model.view().costs[1], *candidate_named("sort"), f), doctest::Approx(-std::log(1.5)).epsilon(0.05));
}

TEST_CASE("training: the same measurements, the same model, byte for byte") {
  if (!have_xgboost()) return;
  const TrainRules rules{.name = "m", .version = "1", .date = "today", .folds = 2};
  CHECK_EQ(train_model(made_up_samples(10), rules, {}).model, train_model(made_up_samples(10), rules, {}).model);
}

TEST_CASE("training: one family cannot be held out, and few products make a cautious model") {
  if (!have_xgboost()) return;
  auto samples = made_up_samples(2);
  samples[1].family = samples[0].family;
  const Trained trained = train_model(samples, {.name = "few"}, {});
  CHECK_EQ(trained.report["splits"], 0);
  CHECK_FALSE(trained.report.contains("by_family"));
  const LoadedPolicy model = LoadedPolicy::from_text(trained.model, "model");
  CHECK_EQ(choice(model.view(), 50), "dense-window");
  CHECK_EQ(choice(model.view(), 900), "dense-window");
}

TEST_CASE("training: a model's text carries where it comes from, and unsure leaves say so") {
  if (!have_xgboost()) return;
  const Trained trained =
      train_model(made_up_samples(10), {.name = "m", .version = "7", .date = "today", .folds = 2}, {});
  const auto json = nlohmann::json::parse(trained.model);
  CHECK_EQ(json["provenance"]["rowan"], "7");
  CHECK_EQ(json["provenance"]["products"].size(), 10U);
  CHECK_EQ(json["provenance"]["products"][3]["hash"], "3");
  CHECK_EQ(json["provenance"]["machines"], nlohmann::json{"a machine"});
  CHECK(json["provenance"]["figures"]["numeric"].contains("geomean"));
  CHECK(LoadedPolicy::from_text(trained.model, "model").alternating == kSortInWindows);
  REQUIRE_FALSE(json["numeric"]["trees"].empty());
  for (const auto& tree : json["numeric"]["trees"])
    for (const auto& node : tree["nodes"])
      if (node.contains("value")) CHECK(node["examples"].is_number());
}

TEST_CASE("training: a device's model bins always, has its method by hand, and says how many lanes walk a row of B") {
  if (!have_xgboost()) return;
  const Trained trained = train_model(made_up_on_device(30), {.name = "there", .date = "today", .folds = 3}, {});
  const LoadedPolicy model = LoadedPolicy::from_text(trained.model, "model");
  CHECK_EQ(model.about, "Trees for devices with waves of 64, fitted to measurements of 30 products (10 families).");
  CHECK_FALSE(model.alternating.has_value());  // hosts' rows alone are taken together
  CHECK_EQ(choice(model.view(), 50), "sort");
  CHECK_EQ(choice(model.view(), 900), "dense-rank");
  FeatureVector f{};
  const auto first = [&](Decision d) { return outcome_name(d, evaluate(model.view().tree(d), f)[0]); };
  CHECK_EQ(first(Decision::use_binning), "yes");
  CHECK_EQ(first(Decision::method), "one_phase");
  f[index(Feature::nprod_avg)] = 50;
  CHECK_EQ(first(Decision::method), "two_phase");
  f[index(Feature::nprod_max)] = 900, f[index(Feature::a_row_nnz_max)] = 1;
  CHECK_EQ(first(Decision::symbolic), "direct");  // nothing of it was measured: there is nothing to count
  f[index(Feature::a_row_nnz_max)] = 2;
  CHECK_EQ(first(Decision::symbolic), "dense-rank");
  f[index(Feature::b_row_avg)] = 100;
  CHECK_EQ(first(Decision::group), "by average");
  f[index(Feature::b_row_avg)] = 900;
  CHECK_EQ(first(Decision::group), "8");
  const auto& report = trained.report;
  CHECK_EQ(report["group"]["kept"], true);
  CHECK_LT(report["group"]["fitted"].get<double>(), report["group"]["by_average"].get<double>() - 0.1);
  for (const auto& p : report["phases"]["numeric"]["policies"]) {
    if (p["name"] == "all dense-window") CHECK_EQ(p["products"], 0);
    if (p["name"] == "model, held out") CHECK_LT(p["geomean"].get<double>(), 1.15);
    if (p["products"] != 0) CHECK_GE(p["geomean"].get<double>(), 1);
  }
}

TEST_CASE("training: lanes go by the average row where a fit does not pay") {
  if (!have_xgboost()) return;
  auto samples = made_up_on_device(20);
  for (ProductSample& s : samples)
    for (PhaseSample& phase : s.phases)
      for (BinSample& bin : phase.bins) bin.group_times = {};
  const Trained trained = train_model(samples, {.name = "there", .date = "today", .folds = 2}, {});
  CHECK_EQ(trained.report["group"]["kept"], false);
  CHECK_EQ(nlohmann::json::parse(trained.model)["group"], nlohmann::json::parse(R"([{"then": "by average"}])"));
}

TEST_CASE("training: a device's measurements are not mixed with a host's") {
  if (!have_xgboost()) return;
  auto samples = made_up_samples(2);
  samples.push_back(made_up_on_device(1).front());
  CHECK_EQ(error_of([&] { static_cast<void>(train_model(samples, {}, {})); }),
           "invalid_argument: measurements of \"a machine\" and of \"a device\" are of two kinds of machines: fit them "
           "apart");
}

TEST_CASE("training: nothing to fit to") {
  const std::string error = error_of([] { static_cast<void>(train_model({}, {}, {})); });
  CHECK_EQ(error, have_xgboost() ? "invalid_argument: there are no measurements to fit to" : kNone);
}

}  // namespace rowan::test
