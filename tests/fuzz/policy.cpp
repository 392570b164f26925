#include <bit>
#include <optional>
#include <vector>

#include "lib/host/multiply.hpp"
#include "models/loaded.hpp"
#include "models/print.hpp"
#include "tests/fuzz/matrices.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/random.hpp"

namespace rowan::fuzz {
namespace {

using test::Random;

/// What an honest feature pass may give and what it never would.
FeatureVector any_features(Random& random) {
  FeatureVector f{};
  for (float& value : f)
    value = random.below(2) == 0 ? static_cast<float>(random.below(1000))
                                 : std::bit_cast<float>(static_cast<std::uint32_t>(random.below(INT64_C(1) << 32)));
  return f;
}

std::size_t outcomes(Decision d) {
  switch (d) {
    case Decision::use_binning:
      return kUseBinningNames.size();
    case Decision::method:
      return kMethodNames.size();
    case Decision::group:
      return kGroupNames.size();
    case Decision::sampled:
      return kMeasure + 1;
    case Decision::symbolic:
    case Decision::numeric:
      break;
  }
  return kCandidates.size();
}

void check_evaluation(const Policy& policy, Random& random) {
  for (std::size_t d = 0; d < kDecisions; d++)
    for (int i = 0; i < 16; i++) {
      const auto decision = static_cast<Decision>(d);
      const FeatureVector features = any_features(random);
      const auto ranked = evaluate(policy.tree(decision), features);
      require(ranked.count != 0, "a leaf without outcomes");
      for (const std::uint8_t outcome : ranked) require(outcome < outcomes(decision), "an outcome that is none");
      static_cast<void>(print_path(policy.tree(decision), decision, features));
    }
}

void check_predictions(const Policy& policy, Random& random) {
  for (const Tree& costs : policy.costs)
    for (std::size_t id = 0; id < kCandidates.size(); id++) {
      const auto log_time = predict(costs, static_cast<CandidateId>(id), any_features(random));
      require(!log_time || costs.scored(), "a prediction from nothing");
    }
}

struct Known {
  test::Factors<double> factors;
  test::Product<double> product;
};

/// Small products that between them have every kind of row.
const std::vector<Known>& products() {
  static const std::vector<Known> all = [] {
    std::vector<Known> list;
    for (const char* name : {"power law with a hub", "unsorted runs with duplicates", "runs of 1 to 6 equal rows",
                             "empty rows and columns", "rows of B picked"}) {
      const test::Factors<double> f(test::shape(name), test::Values::reals);
      list.push_back({f, test::textbook(f.a(), f.b())});
    }
    return list;
  }();
  return all;
}

}  // namespace

void policy(Bytes file) {
  std::optional<LoadedPolicy> loaded;
  try {
    loaded = LoadedPolicy::from_text(std::string(text_of(file)), kName);
  } catch (const Error& e) {
    return require_refusal(e);
  }
  loaded->resolve([](CandidateId id) { return kCandidates[id].on_host; });
  const Policy policy = loaded->view();
  std::uint64_t seed = 1;
  for (const std::uint8_t byte : file) seed = seed * 31 + byte;
  Random random(seed);
  check_evaluation(policy, random);
  check_predictions(policy, random);
  const Options options{.threads = 1};
  for (const Known& known : products()) {
    Stats stats;
    const Csr<double> c = multiply(known.factors.a(), known.factors.b(), {options, policy}, stats);
    require(test::difference(c, known.product).empty(), "another product");
  }
}

}  // namespace rowan::fuzz
