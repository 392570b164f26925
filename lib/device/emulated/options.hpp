#pragma once
// How the emulated devices behave, and what they report. All are alike but for their memory; launches take turns.
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "lib/device/runtime/backend.hpp"

namespace rowan::device::inline ROWAN_BACKEND::emulator {

struct EmulatorOptions {
  int wave = 32;                        // lanes a wave: 32 (NVIDIA, RDNA) or 64 (GCN, CDNA)
  std::uint64_t seed = 1;               // orders blocks, waves and lanes
  int resident = 4;                     // blocks that run interleaved
  int multiprocessors = 2;              // told to the host; keeps persistent grids small
  double preempt = 0;                   // probability of a switch at a memory access; checked build only
  std::size_t shared_limit = 64 << 10;  // bytes of shared memory a block may use: a compute unit of AMD's
  int devices = 1;
  std::size_t memory = std::size_t{4} << 30;  // bytes of device memory
  std::vector<std::size_t> memory_of = {};    // the same of each device, where they differ
  bool peers = true;                          // devices can read each other's memory, once that is opened to them
  std::int64_t copies_before_failure = -1;    // how many copies succeed before one fails; -1: all
  std::size_t stack = 64 << 10;               // bytes of stack a thread
  std::uint64_t spin_limit = 2'000'000;       // looks at a flag, with nothing else happening, that are a livelock
};

struct Counters {
  std::uint64_t switches = 0;                             // between threads
  std::uint64_t accesses = 0;                             // checked
  std::uint64_t shared_accesses = 0, shared_atomics = 0;  // of those; atomics count as accesses, too
  std::uint64_t global_bytes = 0, global_atomics = 0;
  std::uint64_t swaps = 0;  // compare-and-swap: probes of hash tables
  std::uint64_t launches = 0;
  std::uint64_t allocations = 0;  // alive
};

/// What a kernel did wrong: what, where (file and line), which block and thread.
struct EmulatorFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Bytes of a device's memory.
[[nodiscard]] std::size_t memory_of(const EmulatorOptions& options, int ordinal);
[[nodiscard]] EmulatorOptions options();
void set(const EmulatorOptions& options);  // not while a kernel runs
[[nodiscard]] Counters counters();

}  // namespace rowan::device::inline ROWAN_BACKEND::emulator
