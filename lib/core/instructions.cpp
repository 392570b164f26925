#include "lib/core/instructions.hpp"

#include <cstdint>
#include <cstdlib>

#include <hwy/highway.h>

#include "lib/core/spelling.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

/// Bits of Highway's targets, the best first: better ones have lower bits.
std::vector<std::int64_t> targets() {
  std::vector<std::int64_t> list;
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1)
    list.push_back(left & -left);
  return list;
}

void disable(std::int64_t bits) {
  hwy::DisableTargets(bits);
  hwy::GetChosenTarget().DeInit();  // the next call of a kernel chooses again
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> list;
  for (const std::int64_t bit : targets()) list.emplace_back(hwy::TargetName(bit));
  return list;
}

void limit_instructions(std::string_view name) {
  const std::int64_t before = hwy::SupportedTargets();
  disable(0);
  if (name.empty()) return;
  for (const std::int64_t bit : targets())
    if (name == hwy::TargetName(bit)) return disable(bit - 1);
  const std::vector<std::string> all = instruction_sets();
  disable(~before);
  throw Error(ErrorCode::invalid_argument, unknown("instruction set", name, all));
}

void limit_instructions_as_asked() {
  static const bool once = [] {
    const char* const name = std::getenv("ROWAN_INSTRUCTIONS");  // NOLINT(concurrency-mt-unsafe): only read
    if (name == nullptr) return false;
    try {
      limit_instructions(name);
    } catch (const Error& e) {
      throw Error(e.code(), std::string("ROWAN_INSTRUCTIONS: ") + e.what());
    }
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace rowan
