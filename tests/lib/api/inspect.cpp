#include <map>

#include <doctest/doctest.h>

#include "accumulators/candidates.hpp"
#include "features/feature.hpp"
#include "tests/lib/host/least_limit.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/policies.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

struct Sums {
  std::int64_t rows = 0, nprod = 0, nnz = 0;
  [[nodiscard]] bool operator==(const Sums&) const = default;
};

std::int64_t products(const CsrView<double>& a, const CsrView<double>& b, std::int64_t i) {
  std::int64_t n = 0;
  for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++) {
    const Column j = a.col[static_cast<std::size_t>(k)];
    n += b.row_ptr[j + 1] - b.row_ptr[j];
  }
  return n;
}

}  // namespace

TEST_CASE("every row is reported, its counts are a recount's and the bins partition the rows") {
  const Folder folder;
  Options two_phase;
  two_phase.model = folder.file("two.json", policy_text({.method = always("two_phase")}));
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list)
      for (const Options& options : {Options{}, two_phase}) {
        CAPTURE(shape.name);
        const Factors<double> f(shape, Values::reals);
        const Product<double> expected = textbook(f.a(), f.b());
        const Inspection in = Context(options).inspect(f.a(), f.b());
        REQUIRE_EQ(in.row.size(), expected.row_ptr.size() - 1);
        CHECK_EQ(in.rows, expected.rows);
        CHECK_EQ(in.cols, expected.cols);
        CHECK_EQ(in.nnz, expected.row_ptr.back());
        std::vector<Sums> recount(in.bins.size());
        std::int64_t wrong = 0, nprod = 0;
        for (std::size_t i = 0; i < in.row.size(); i++) {
          const RowReport& r = in.row[i];
          wrong += r.row == static_cast<std::int64_t>(i) ? 0 : 1;
          wrong += r.a_nnz == f.a().row_ptr[i + 1] - f.a().row_ptr[i] ? 0 : 1;
          wrong += r.nprod == products(f.a(), f.b(), r.row) ? 0 : 1;
          wrong += r.nnz == expected.row_ptr[i + 1] - expected.row_ptr[i] ? 0 : 1;
          wrong += r.span >= r.nnz && r.run >= 1 && r.shift >= 1 && r.b_row_max <= r.nprod ? 0 : 1;
          REQUIRE_LT(static_cast<std::size_t>(r.bin), recount.size());
          Sums& s = recount[static_cast<std::size_t>(r.bin)];
          s.rows++, s.nprod += r.nprod, s.nnz += r.nnz, nprod += r.nprod;
        }
        CHECK_EQ(wrong, 0);
        CHECK_EQ(in.nprod, nprod);
        for (std::size_t b = 0; b < in.bins.size(); b++) {
          const BinReport& bin = in.bins[b];
          CHECK((Sums{bin.rows, bin.nprod, bin.nnz} == recount[b]));
          CHECK(!bin.label.empty());
          CHECK_EQ(bin.group_size, 1);
        }
      }
}

TEST_CASE("every bin says what was chosen, among what, and why") {
  for (const std::string policy : {"host-rules", "deltasparse", "dcu-nsparse", "opsparse", "register-aware"})
    for (const Shape& shape : shapes()) {
      CAPTURE(policy);
      CAPTURE(shape.name);
      const Factors<double> f(shape, Values::reals);
      Options options;
      options.policy = policy;
      const Inspection in = Context(options).inspect(f.a(), f.b());
      CHECK_EQ(in.policy, policy);
      CHECK_EQ(in.policy_kind, "rules");
      CHECK_EQ(in.features.size(), kFeatures.size());
      for (const BinReport& bin : in.bins) {
        CHECK_EQ(bin.features.size(), kFeatures.size());
        REQUIRE_EQ(bin.candidates.size(), kCandidates.size());
        const auto id = candidate_named(bin.candidate);
        REQUIRE(id);
        CHECK_EQ(bin.accumulator, kCandidates[*id].family);
        CHECK(candidate_named(bin.symbolic_candidate));
        if (bin.label == "empty") {
          CHECK_EQ(bin.why, std::vector<std::string>{"no products"});
          continue;
        }
        CHECK(bin.candidates[*id].feasible);
        const auto asked = candidate_named(bin.requested);
        REQUIRE(asked);
        if (bin.requested != bin.candidate)
          CHECK_EQ(bin.why.back(), bin.requested + (bin.candidates[*asked].feasible ? " would get too few rows together"
                                                                                    : " cannot take these rows"));
        for (const CandidateReport& c : bin.candidates) CHECK_EQ(c.seconds, 0);
      }
    }
}

TEST_CASE("rules that compare say so in why") {
  const Factors<double> f(shape("up to 600 products"), Values::reals);
  Options options;
  options.policy = "register-aware";
  for (const BinReport& bin : Context(options).inspect(f.a(), f.b()).bins) {
    REQUIRE_FALSE(bin.why.empty());
    CHECK(bin.why[0].starts_with("nprod_max "));
    CHECK(bin.why[0].ends_with(bin.candidate == "sort" ? " < 513" : " >= 513"));
  }
}

TEST_CASE("a forced accumulator that cannot take a bin is reported beside its stand-in") {
  const Factors<double> f(shape("up to 5000 products"), Values::reals);
  Options options;
  options.force = "sort";
  bool seen = false;
  for (const BinReport& bin : Context(options).inspect(f.a(), f.b()).bins) {
    CHECK_EQ(bin.requested, "sort");
    CHECK_EQ(bin.why.front(), "forced: sort");
    if (bin.candidate == "sort") continue;
    seen = true;
    CHECK_EQ(bin.candidate, "dense-window");
    CHECK_EQ(bin.why.back(), "sort cannot take these rows");
  }
  CHECK(seen);
}

TEST_CASE("an accumulator that would work in too much memory is reported beside its stand-in") {
  const Factors<double> f(shape("runs beyond a narrow span, well filled"), Values::reals);
  Options options;
  options.force = "dense-window", options.threads = 1;
  Inspection in;
  options.memory_limit = least_limit([&](std::int64_t limit) {
    options.memory_limit = limit;
    return error_of([&] { in = Context(options).inspect(f.a(), f.b()); });
  });
  for (const BinReport& bin : in.bins) {
    CHECK_EQ(bin.requested, "dense-window");
    CHECK_NE(bin.candidate, "dense-window");
    CHECK_EQ(bin.why.back(), "dense-window would work in more memory than the limit leaves");
  }
}

TEST_CASE("measuring times what is feasible in every bin") {
  const Factors<float> f(shape("power law with a hub"), Values::reals);
  for (const BinReport& bin : Context().inspect(f.a(), f.b(), true).bins)
    for (const CandidateReport& c : bin.candidates) CHECK_EQ(c.seconds > 0, c.feasible);
}

}  // namespace rowan::test
