// Whole products without measuring rows are timed where a policy could ask for them.
#include "training/measure_sampled.hpp"

#include <doctest/doctest.h>

#include <rowan/generate.hpp>

namespace rowan::test {
namespace {

using namespace training;

ProductSample measured(const std::string& spec) {
  const Csr<double> m = generate(spec);
  ProductSample s;
  measure_sampled(m.view(), m.view(), {.repeats = 2, .least = 0}, s);
  return s;
}

bool has(const ProductSample& s, const char* name) {
  return s.sampled.times[*candidate_named(name)].measured();
}

}  // namespace

TEST_CASE("measuring: every candidate that takes the rows without anything measured, and measuring them") {
  const ProductSample thin = measured("random:n=3000,row_length=3");
  for (const char* name : {"sort", "sort-vector", "dense-spa"}) {
    CAPTURE(name);
    CHECK(has(thin, name));
  }
  CHECK_FALSE(has(thin, "hash"));
  CHECK(thin.sampled.times[kMeasure].measured());
  CHECK_EQ(thin.sampled.features[index(Feature::nprod)], 27000);
  CHECK_EQ(thin.sampled.features[index(Feature::nprod_avg)], 9);
  CHECK_GE(thin.sampled.features[index(Feature::compression_ratio)], 1);
}

TEST_CASE("measuring: candidates that do not take such long rows are left out, and all of them where rows are heavy") {
  const ProductSample longer = measured("random:n=3000,row_length=24");
  CHECK_FALSE(has(longer, "sort"));
  CHECK(has(longer, "dense-spa"));
  const ProductSample heavy = measured("random:n=300,row_length=70");
  CHECK_FALSE(heavy.sampled.times[kMeasure].measured());
}

}  // namespace rowan::test
