#pragma once
// Running kernels: under the emulator in many schedules, on a real device as it comes.
#include <string>

#include <doctest/doctest.h>

#include "lib/device/runtime/info.hpp"
#include <rowan/options.hpp>
#if defined(ROWAN_EMULATED)
#include "lib/device/emulated/options.hpp"
#endif

namespace rowan::test {

/// The backend that these tests are compiled for.
#if defined(ROWAN_EMULATED)
inline constexpr Backend kBackend = Backend::emulated;
#elif defined(__HIPCC__)
inline constexpr Backend kBackend = Backend::hip;
#else
inline constexpr Backend kBackend = Backend::cuda;
#endif

#if defined(ROWAN_EMULATED)
namespace emulator = device::ROWAN_BACKEND::emulator;

/// The emulator's options for as long as it lives.
class Emulated {
 public:
  explicit Emulated(const emulator::EmulatorOptions& options) : before_(emulator::options()) { emulator::set(options); }
  ~Emulated() { emulator::set(before_); }
  Emulated(const Emulated&) = delete;
  Emulated& operator=(const Emulated&) = delete;

 private:
  emulator::EmulatorOptions before_;
};

/// Calls f() under waves of this width with `schedules` orders of blocks, waves and lanes.
template <class F>
void for_schedules_at(int wave, int schedules, const F& f) {
  for (int seed = 1; seed <= schedules; seed++) {
    emulator::EmulatorOptions options;
    options.wave = wave, options.seed = static_cast<std::uint64_t>(seed);
    options.preempt = seed == 1 ? 0 : 0.02;
    const Emulated emulated(options);
    f(wave, seed);
  }
}

/// The same under waves of 32 and of 64.
template <class F>
void for_schedules(int schedules, const F& f) {
  for (const int wave : {32, 64}) for_schedules_at(wave, schedules, f);
}

/// What the emulator says of the work, or nothing.
template <class F>
std::string fault_of(const F& f) {
  try {
    f();
  } catch (const emulator::EmulatorFault& fault) {
    return fault.what();
  }
  return "";
}

#else

template <class F>
void for_schedules(int, const F& f) {
  if (device::count() == 0)
    MESSAGE("there is no device here");
  else
    f(device::info(0).wave, 0);
}

/// Where the device's waves are of this width.
template <class F>
void for_schedules_at(int wave, int schedules, const F& f) {
  if (device::count() == 0 || device::info(0).wave == wave) for_schedules(schedules, f);
}

#endif

}  // namespace rowan::test
