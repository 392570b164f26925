#pragma once
// What the machine can do at best, measured now: the floor that multiplications stand on.
#include <cstdint>
#include <string>

namespace rowan::tool::bench {

struct Machine {
  std::string processor;
  int cores = 1;  // that this process may use
  double bytes_memory = 0;
  double copy_rate = 0;         // bytes read and written a second by a copy of warm memory
  double first_touch_rate = 0;  // bytes a second written to new memory
};

/// What the system calls the processor ("unknown" where it does not say), and the instruction set that is used.
[[nodiscard]] std::string processor();

/// Measures with `threads` threads; takes about half a second.
[[nodiscard]] Machine measure_machine(int threads);

/// Seconds to move `bytes` once.
[[nodiscard]] inline double seconds_at(double rate, double bytes) {
  return rate > 0 ? bytes / rate : 0;
}

}  // namespace rowan::tool::bench
