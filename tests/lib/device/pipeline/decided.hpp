#pragma once
// Bins of a phase, and what was decided for them.
#include "lib/device/pipeline/decide.hpp"

namespace rowan::test {

struct Decided {
  Tally tally[device::kBins] = {};
  device::DeviceBinDecision bins[device::kBins] = {};
};

}  // namespace rowan::test
