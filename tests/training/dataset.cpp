// Bins' times are made to add up to whole phases; families are held out whole.
#include "training/dataset.hpp"

#include <cmath>
#include <set>

#include <doctest/doctest.h>

#include "models/embedded.hpp"
#include "tests/training/made_up.hpp"
#include "training/judge.hpp"

namespace rowan::test {
namespace {

using namespace training;

const CandidateId kSort = *candidate_named("sort"), kWindow = *candidate_named("dense-window"),
                  kHash = *candidate_named("hash");

}  // namespace

TEST_CASE("sums of bins' times become the times of whole phases") {
  ProductSample s = made_up_samples(1).front();
  PhaseSample& phase = s.phases[1];
  phase.bins.front().times[kSort] = {};  // hash's rows are not sort's
  double bins_of_window = 0, bins_of_sort = 0, fallback = 0;
  for (const BinSample& b : phase.bins) {
    bins_of_window += b.times[kWindow].seconds;
    (b.times[kSort].measured() ? bins_of_sort : fallback) +=
        b.times[b.times[kSort].measured() ? kSort : kWindow].seconds;
  }
  phase.forced[kWindow].seconds = 1.2 * bins_of_window;
  phase.forced[kSort].seconds = 0.9 * bins_of_sort + 1.2 * fallback;
  const PhaseTimes times = phase_times(s, 1, 7);
  double window = 0, sort = 0;
  for (const Example& e : times.bins) {
    CHECK_EQ(e.product, 7U);
    window += e.seconds[kWindow];
    sort += e.feasible(kSort) ? e.seconds[kSort] : e.seconds[kWindow];
  }
  CHECK_EQ(window, doctest::Approx(phase.forced[kWindow].seconds));
  if (bins_of_sort > 0.2 * (bins_of_sort + fallback)) CHECK_EQ(sort, doctest::Approx(phase.forced[kSort].seconds));
}

TEST_CASE("an order that sums get wrong is counted, and right after the correction") {
  ProductSample s = made_up_samples(1).front();
  PhaseSample& phase = s.phases[1];
  double window = 0, hash = 0;
  for (const BinSample& b : phase.bins) window += b.times[kWindow].seconds, hash += b.times[kHash].seconds;
  const bool hash_slower = hash >= window;
  phase.forced[kHash].seconds = (hash_slower ? 0.8 : 1.25) * window;
  phase.forced[kWindow].seconds = window;
  const Concordance c = concordance(s, 1);
  CHECK_GT(c.pairs, 0);
  CHECK_LT(c.before, c.pairs);
  CHECK_GT(c.after, c.before);
}

TEST_CASE("weights are shares of the best time, and the best bin is the best") {
  const PhaseTimes times = phase_times(made_up_samples(1).front(), 0, 0);
  double sum = 0;
  for (const Example& e : times.bins) {
    sum += e.weight;
    CHECK_EQ(e.best(), e.seconds[made_up_best(e.features)]);
  }
  CHECK_EQ(sum, doctest::Approx(1));
}

TEST_CASE("a family is held out as a whole, and every product once") {
  const TrainingSet set(made_up_samples(53));
  Products all;
  for (std::size_t i = 0; i < set.samples.size(); i++) all.push_back(i);
  const auto folds = folds_by_family(set, all, 4);
  REQUIRE_EQ(folds.size(), 4U);
  std::set<std::size_t> seen;
  for (const Products& out : folds) {
    CHECK_GE(out.size(), 5U);
    seen.insert(out.begin(), out.end());
    const Products left = without(all, out);
    CHECK_EQ(left.size() + out.size(), all.size());
    for (const std::size_t i : out)
      for (const std::size_t j : left) CHECK_NE(set.samples[i].family, set.samples[j].family);
  }
  CHECK_EQ(seen.size(), all.size());
  CHECK_EQ(folds_by_family(set, {0, 10, 20}, 4).size(), 1U);  // of one family
}

TEST_CASE("what is asked for is done, or along the fallbacks what can be") {
  Example e;
  e.seconds[kWindow] = 1, e.seconds[kHash] = 2;
  CHECK_EQ(chosen(std::vector<std::uint8_t>{kHash, kWindow}, e), kHash);
  CHECK_EQ(chosen(std::vector<std::uint8_t>{kSort, kHash}, e), kHash);
  CHECK_EQ(chosen(std::vector<std::uint8_t>{*candidate_named("direct")}, e), kWindow);    // over sort
  CHECK_EQ(chosen(std::vector<std::uint8_t>{*candidate_named("dense-rank")}, e), kHash);  // not measured: as devices do
}

TEST_CASE("GraphBLAS's rule: hash while its table is below a twelfth of the columns") {
  const auto seconds = [](float nprod_max, float columns) {
    auto samples = made_up_samples(1);
    for (PhaseSample& phase : samples.front().phases) {
      phase.bins.resize(1);
      phase.bins[0].features[index(Feature::nprod_max)] = nprod_max;
      phase.bins[0].features[index(Feature::columns)] = columns;
      phase.bins[0].times[kHash].seconds = 1, phase.bins[0].times[kWindow].seconds = 2;
      phase.forced = phase.bins[0].times;
    }
    return graphblas_seconds(TrainingSet(std::move(samples)), 0, 0);
  };
  CHECK_EQ(seconds(32767, 1 << 20), doctest::Approx(1));
  CHECK_EQ(seconds(32768, 1 << 20), doctest::Approx(2));
  CHECK_EQ(seconds(10, 100), doctest::Approx(2));
}

TEST_CASE("a policy's time is that of its choices, binned or not") {
  const TrainingSet set(made_up_samples(4));
  for (std::size_t i = 0; i < 4; i++) {
    const Policy* all_hash = embedded_policy("nsparse");
    REQUIRE(all_hash != nullptr);
    CHECK_EQ(policy_seconds(set, i, 1, *all_hash), doctest::Approx(forced_seconds(set, i, 1, kHash)));
    CHECK_GT(random_seconds(set, i, 1), best_seconds(set, i, 1));
    CHECK_GE(policy_seconds(set, i, 1, *all_hash), best_seconds(set, i, 1));
    CHECK_EQ(accuracy(set, i, 1, *all_hash), doctest::Approx(0));
    Policy whole = *embedded_policy("host-rules");
    const std::uint8_t no[] = {0};
    const Node leaf[] = {{.less = 0, .other = 1}};
    whole.trees[0] = {leaf, no};
    const double time = policy_seconds(set, i, 1, whole);
    CHECK_EQ(time, doctest::Approx(set.times[1][i].all_rows[kWindow] + set.samples[i].deciding[0]));
  }
}

TEST_CASE("regret: geomean, tail and worst") {
  std::vector<double> ratios(20, 1.0);
  ratios[3] = 4, ratios[7] = 2;
  const Regret r = regret_of(ratios);
  CHECK_EQ(r.products, 20U);
  CHECK_EQ(r.worst, 4);
  CHECK_EQ(r.worst_product, 3U);
  CHECK_EQ(r.p95, 2);
  CHECK_EQ(r.geomean, doctest::Approx(std::pow(8.0, 1 / 20.0)));
  CHECK_EQ(regret_of({}).geomean, 1);
}

}  // namespace rowan::test
