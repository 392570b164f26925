// Every feasible candidate of every bin is timed, in both phases, and every whole phase.
#include "training/measure.hpp"

#include <doctest/doctest.h>

#include "tests/support/matrices.hpp"
#include <rowan/generate.hpp>

namespace rowan::test {
namespace {

using namespace training;

constexpr MeasureRules kQuick{.race = {.repeats = 2, .least = 0}};

}  // namespace

TEST_CASE("measuring: all that can take a bin's rows, and the whole phase forced and mixed") {
  for (const char* spec : {"hubs:n=400,reach=10,hubs=1,hub_wires=40", "fem:nx=4,ny=4,nz=3,unknowns=3",
                           "stencil2d:nx=30,ny=30", "random:n=300,row_length=1"}) {
    CAPTURE(spec);
    const Csr<double> m = generate(spec);
    ProductSample s;
    measure_product(m.view(), m.view(), kQuick, s);
    CHECK_EQ(s.rows, m.rows());
    CHECK_GT(s.nprod, 0);
    CHECK_GT(s.features[index(Feature::compression_ratio)], 0);
    CHECK_GT(s.deciding[0], 0);
    for (const PhaseSample& phase : s.phases) {
      std::int64_t nprod = 0;
      REQUIRE_FALSE(phase.bins.empty());
      for (const BinSample& bin : phase.bins) {
        nprod += bin.nprod;
        CHECK(bin.times[*candidate_named("dense-window")].measured());
        CHECK(bin.times[*candidate_named("hash")].measured());
        CHECK_EQ(bin.times[*candidate_named("direct")].measured(), bin.label == "one entry");
        for (std::size_t id = 0; id < kCandidates.size(); id++)
          if (bin.times[id].measured()) CHECK(phase.forced[id].measured());
      }
      CHECK_EQ(nprod, s.nprod);
      CHECK_GT(phase.mixed.seconds, 0);
      CHECK(s.takes_all[*candidate_named("dense-rank")]);
      CHECK_FALSE(phase.forced[*candidate_named("direct")].measured() != (phase.bins.front().label == "one entry"));
    }
  }
}

TEST_CASE("measuring: where an accumulator's bins are absurd, their sum stands for its whole phase") {
  const Csr<double> m = generate("hubs:n=400,reach=10,hubs=1,hub_wires=40");
  ProductSample s;
  MeasureRules rules = kQuick;
  rules.absurd = 0;
  measure_product(m.view(), m.view(), rules, s);
  for (const PhaseSample& phase : s.phases)
    for (std::size_t id = 0; id < kCandidates.size(); id++) {
      if (!phase.forced[id].measured()) continue;
      double sum = 0;
      for (const BinSample& bin : phase.bins)
        sum += bin.times[measured_or_fallback(static_cast<CandidateId>(id), bin.times)].seconds;
      CHECK_EQ(phase.forced[id].seconds, sum);
      CHECK_EQ(phase.forced[id].runs, 1);
    }
}

TEST_CASE("measuring: nothing to multiply") {
  ProductSample s;
  const Factors<double> f(shape("all empty"), Values::reals);
  measure_product(f.a(), f.b(), kQuick, s);
  CHECK_EQ(s.nprod, 0);
  CHECK(s.phases[1].bins.empty());
}

TEST_CASE("measuring: patterns are told apart, values are not") {
  const Csr<double> a = generate("random:n=50,row_length=3"), b = generate("random:n=50,row_length=3,seed=2");
  CHECK_EQ(hash_of(a.view(), a.view()), hash_of(a.view(), generate("random:n=50,row_length=3").view()));
  CHECK_NE(hash_of(a.view(), a.view()), hash_of(a.view(), b.view()));
  CHECK_NE(hash_of(a.view(), b.view()), hash_of(b.view(), a.view()));
  CHECK_EQ(hash_of(a.view(), a.view()).size(), 16U);
}

}  // namespace rowan::test
