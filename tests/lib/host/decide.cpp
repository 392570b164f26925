#include "lib/host/decide.hpp"

#include <doctest/doctest.h>

#include "models/embedded.hpp"
#include "models/loaded.hpp"
#include "tests/accumulators/kernels.hpp"
#include "tests/lib/host/decided.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/policies.hpp"

namespace rowan::test {
namespace {

LoadedPolicy loaded(const Decisions& d) {
  return LoadedPolicy::from_text(policy_text(d), "test");
}

}  // namespace

TEST_CASE("no policy and no force ever chooses what is not feasible") {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list) {
      CAPTURE(shape.name);
      const Factors<double> f(shape, Values::integers);
      const auto a = Problem<double>::operand(f.a()), b = Problem<double>::operand(f.b());
      Measured m = measure(a, b, Team(1));
      std::vector<std::int64_t> bounds{0};  // row pointers, were every row as long as its bound
      for (const CRow& w : m.rows) bounds.push_back(bounds.back() + w.bound());
      for (const Policy& policy : embedded_policies())
        for (std::size_t force = 0; force <= kCandidates.size(); force++) {
          const std::string_view forced = force == 0 ? "" : kCandidates[force - 1].name;
          Record record = decide_matrix(m, policy);
          bin(m, record);
          decide_bins(m, forced, record);
          decide_again(m, bounds.data(), forced, record);
          REQUIRE_EQ(record.decisions.size(), record.bins.bins.size());
          for (const BinDecision& d : record.decisions) {
            if (d.bin.key.empty()) continue;
            CHECK(kCandidates[d.symbolic.chosen].feasible(d.extent));
            CHECK(kCandidates[d.numeric.chosen].feasible(d.extent));
            if (force != 0) CHECK_EQ(name_of(d.numeric.requested), forced);
          }
          if (record.binned) m.bins = std::move(record.bins);
        }
    }
}

TEST_CASE("the first feasible of a ranking is chosen, and what was asked for is kept") {
  const Problem<double> p(shape("up to 600 products"), Values::integers);
  const LoadedPolicy policy =
      loaded({.symbolic = R"([{"then": ["direct", "dense-run", "dense-rank", "hash"]}])", .numeric = always("direct")});
  const Record record = decided(p, policy.view());
  for (const BinDecision& d : record.decisions) {
    if (d.bin.key.direct()) continue;
    CHECK_EQ(name_of(d.symbolic.requested), "direct");
    CHECK_EQ(name_of(d.symbolic.chosen), "dense-rank");
    CHECK_EQ(name_of(d.numeric.requested), "direct");
    const bool short_rows = d.extent.nprod_max <= sort::kMaxProducts;
    CHECK_EQ(name_of(d.numeric.chosen), short_rows ? "sort" : "dense-window");
  }
}

TEST_CASE("by default rows of A with one entry are copied wherever they can be") {
  bool seen = false;
  for (const Shape& shape : shapes()) {
    CAPTURE(shape.name);
    for (const BinDecision& d :
         decided(Problem<double>(shape, Values::integers), embedded_policies().front()).decisions) {
      if (!d.bin.key.direct() || !d.extent.sorted_b) continue;
      seen = true;
      CHECK_EQ(name_of(d.numeric.chosen), "direct");
      CHECK_EQ(name_of(d.symbolic.chosen), "direct");
    }
  }
  CHECK(seen);
}

TEST_CASE("rows that are wide for their products do not go to bitmaps") {
  const Problem<double> few(shape("beyond a narrow span"), Values::integers);
  const Problem<double> filled(shape("beyond a narrow span, well filled"), Values::integers);
  for (const char* force : {"dense-window", "dense-rank"}) {
    for (const BinDecision& d : decided(filled, embedded_policies().front(), force).decisions)
      CHECK_EQ(name_of(d.numeric.chosen), force);
    for (const BinDecision& d : decided(few, embedded_policies().front(), force).decisions) {
      if (d.bin.key.empty()) continue;
      CHECK_EQ(name_of(d.numeric.chosen), d.extent.span_max <= kNarrowSpan ? force : "hash");
      CHECK_EQ(name_of(d.symbolic.chosen), d.extent.span_max <= kNarrowSpan ? force : "hash");
    }
  }
}

TEST_CASE("what works in more memory than the limit gives way to what works in less") {
  const Problem<double> p(shape("beyond a narrow span, well filled"), Values::integers);
  Record record = decided(p, embedded_policies().front(), "dense-window");
  const BinDecision before = record.decisions.back();
  REQUIRE_EQ(name_of(before.numeric.chosen), "dense-window");
  const ScratchLimit all;
  const std::int64_t window = all.needed(kCandidates[before.numeric.chosen], before.extent);
  limit_scratch(record, Phase::numeric, "dense-window", {window, sizeof(double)});
  CHECK_EQ(name_of(record.decisions.back().numeric.chosen), "dense-window");
  limit_scratch(record, Phase::numeric, "dense-window", {window - 1, sizeof(double)});
  const BinDecision& d = record.decisions.back();
  CHECK_EQ(name_of(d.numeric.requested), "dense-window");
  CHECK_EQ(name_of(d.numeric.chosen), "hash");  // along the fallbacks
  CHECK_EQ(d.numeric.instead, Instead::memory);
  CHECK_EQ(name_of(d.symbolic.chosen), "dense-window");  // the other phase's are as they were
  limit_scratch(record, Phase::symbolic, "dense-window", {0, sizeof(double)});
  const BinDecision& least = record.decisions.back();
  for (std::size_t id = 0; id < kCandidates.size(); id++)
    if (kCandidates[id].feasible(least.extent))
      CHECK_LE(all.needed(kCandidates[least.symbolic.chosen], least.extent), all.needed(kCandidates[id], least.extent));
}

TEST_CASE("binning and method are the policy's") {
  const Problem<double> p(shape("up to 600 products"), Values::integers);
  for (const std::string binning : {"no", "yes"})
    for (const std::string method : {"one_phase", "two_phase"}) {
      const LoadedPolicy policy = loaded({.use_binning = always(binning), .method = always(method)});
      const Record record = decided(p, policy.view());
      CHECK_EQ(record.binned, binning == "yes");
      CHECK_EQ(record.bins.bins.size() == 1, binning == "no");
      CHECK_EQ(record.requested_method, method == "one_phase" ? Method::one_phase : Method::two_phase);
    }
}

TEST_CASE("exact counts replace bounds in the numeric decision only") {
  const Problem<double> p(shape("shift runs"), Values::integers);
  const std::string by_nnz = R"([{"when": ["row_nnz_max < 14"], "then": "hash"}, {"then": "dense-window"}])";
  const LoadedPolicy policy = loaded({.use_binning = always("no"), .symbolic = by_nnz, .numeric = by_nnz});
  Record record = decided(p, policy.view());
  CHECK_EQ(name_of(record.decisions[0].numeric.chosen), "dense-window");
  decide_again(p.measured, p.expected.row_ptr.data(), "", record);
  CHECK_EQ(name_of(record.decisions[0].numeric.chosen), "hash");
  CHECK_EQ(name_of(record.decisions[0].symbolic.chosen), "dense-window");
  CHECK_EQ(record.decisions[0].features[index(Feature::row_nnz_max)], 13);
}

}  // namespace rowan::test
