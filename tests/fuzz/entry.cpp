// libFuzzer's door to one target: ROWAN_FUZZ_TARGET, by name.
#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rowan::fuzz::ROWAN_FUZZ_TARGET({data, size});
  return 0;
}
