#include "lib/host/in_context.hpp"

#include <vector>

#include <doctest/doctest.h>

namespace rowan::test {
namespace {

constexpr CandidateId kSort = *candidate_named("sort"), kWindow = *candidate_named("dense-window"),
                      kHash = *candidate_named("hash");

CandidateSeconds seconds(double sort, double window, double hash) {
  CandidateSeconds s{};
  s[kSort] = sort, s[kWindow] = window, s[kHash] = hash;
  return s;
}

}  // namespace

TEST_CASE("bins' times are scaled to the whole phase, fallbacks first") {
  // a bin for sort or window, and one that sort cannot take
  const std::vector<CandidateSeconds> bins{seconds(2, 1, 8), seconds(0, 3, 9)};
  const CandidateSeconds factors = context_factors(bins, seconds(7, 6, 17));
  CHECK_EQ(factors[kHash], doctest::Approx(1));
  CHECK_EQ(factors[kWindow], doctest::Approx(1.5));  // 6 for 1 + 3
  CHECK_EQ(factors[kSort], doctest::Approx(1.25));   // 7 - 1.5 * 3 for 2
}

TEST_CASE("a factor is at most two, and 1 where a candidate has a small part or was not forced") {
  const std::vector<CandidateSeconds> bins{seconds(1, 1, 1), seconds(0, 10, 1)};
  const CandidateSeconds factors = context_factors(bins, seconds(20, 50, 0));
  CHECK_EQ(factors[kWindow], 2);
  CHECK_EQ(factors[kSort], 1);  // a twenty-first of its forced phase
  CHECK_EQ(factors[kHash], 1);
}

TEST_CASE("where nothing along the fallbacks was measured hash does the rows") {
  CHECK_EQ(measured_or_fallback(kSort, seconds(0, 2, 1)), kWindow);
  CHECK_EQ(measured_or_fallback(kSort, seconds(0, 0, 1)), kHash);
  CHECK_EQ(measured_or_fallback(kSort, seconds(0, 0, 0)), kHash);
}

}  // namespace rowan::test
