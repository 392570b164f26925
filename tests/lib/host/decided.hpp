#pragma once
// What tests of the host's decisions share.
#include <string_view>

#include "lib/host/decide.hpp"
#include "tests/accumulators/kernels.hpp"

namespace rowan::test {

[[nodiscard]] inline std::string_view name_of(CandidateId id) {
  return kCandidates[id].name;
}

/// What a policy, or `force` in its place, decides for a product on the host.
[[nodiscard]] inline Record decided(const Problem<double>& p, const Policy& policy, std::string_view force = "") {
  Record record = decide_matrix(p.measured, policy);
  Measured m = measure(p.a, p.b, Team(1));
  bin(m, record);
  decide_bins(p.measured, force, record);
  return record;
}

}  // namespace rowan::test
