#pragma once
// A decided bin told in names: the host's pipeline and the devices' report alike.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "lib/choose/choose.hpp"
#include <rowan/inspection.hpp>

namespace rowan {

struct DecidedBin {
  std::string label;
  Decision decision = Decision::numeric;  // that chose the accumulator
  FeatureVector features{};               // that the numeric decision saw
  Choice choice;
  int group_size = 1;
  bool empty = false;
  std::array<bool, kCandidates.size()> feasible{};
};

[[nodiscard]] std::vector<std::pair<std::string, float>> named(const FeatureVector& features);

/// All of a bin but its sums; the symbolic candidate is the numeric one's name. `force`: Options::force.
[[nodiscard]] BinReport report(const DecidedBin& bin, const Policy& policy, const std::string& force);

}  // namespace rowan
