#pragma once
// The instruction sets of this processor, one after another.
#include <cstdint>
#include <vector>

#include <hwy/highway.h>

namespace rowan::test {

/// One instruction set and nothing else for as long as it lives.
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) { set(target); }
  ~OnlyTarget() { set(0); }
  OnlyTarget(const OnlyTarget&) = delete;
  OnlyTarget& operator=(const OnlyTarget&) = delete;

 private:
  static void set(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().DeInit();  // the next call chooses anew
  }
};

/// Those that kernels are compiled for and this processor has. (The file that asks is compiled for the same ones.)
inline std::vector<std::int64_t> instruction_sets() {
  std::vector<std::int64_t> list;
  const std::int64_t all = hwy::SupportedTargets() & HWY_TARGETS;
  for (std::int64_t left = all; left != 0; left &= left - 1) list.push_back(left & -left);
  return list;
}

}  // namespace rowan::test
