#pragma once
// The emulated devices as kernels and the runtime see them: threads are fibers, blocks run interleaved on one thread of
// the operating system, in an order that a seed shuffles.
#include <cstddef>
#include <cstdint>

#include "lib/device/runtime/backend.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

using Mask = std::uint64_t;  // a bit a lane; waves of 32 leave the upper half empty

/// std::source_location, which clang 14 lacks.
struct Here {
  const char* file;
  unsigned line;
  static constexpr Here current(const char* f = __builtin_FILE(), unsigned l = __builtin_LINE()) { return {f, l}; }
};

namespace emulator {

enum class Collective : std::uint8_t { sync, shuffle, ballot, match };

// --- for kernels: the thread that runs now
[[nodiscard]] unsigned thread_index();
[[nodiscard]] unsigned block_index();
[[nodiscard]] unsigned block_size();
[[nodiscard]] unsigned grid_size();
[[nodiscard]] int wave_width();
/// The block's variable of shared memory that `site` names; made when the first thread asks. `dynamic_end`: bytes of
/// the launch's dynamic shared memory that are used up with it, 0 for a variable with a fixed size.
[[nodiscard]] void* shared(const void* site, std::size_t bytes, const char* name, std::size_t dynamic_end);
/// All lanes of `mask` meet: in[] of lane `source` goes to out[] (shuffle), bits are collected (ballot).
void collective(Collective kind, Mask mask, int source, const void* in, void* out, std::size_t bytes, Here where);
void barrier(Here where);
/// Called before an atomic operation; the hooks see plain ones.
void note_atomic(const void* address, std::size_t bytes, Here where);
/// Called before a load that may meet atomics.
void note_relaxed(const void* address, std::size_t bytes, Here where);
void count_swap() noexcept;
/// Called before a load-acquire: others may run, and what the releasing block did is done.
void note_acquire(const void* address, std::size_t bytes, Here where);
void note_release(const void* address, std::size_t bytes, Here where);

// --- for the runtime
void run(unsigned grid, unsigned block, std::size_t dynamic_shared, void (*body)(const void* call), const void* call,
         std::size_t call_bytes);
[[nodiscard]] int device_count();
[[nodiscard]] int chosen_device();  // the calling thread's
[[nodiscard]] bool choose_device(int ordinal);
inline constexpr int kHostMemory = -1;                       // pinned, which all devices see
[[nodiscard]] void* allocate(std::size_t bytes, int owner);  // null where the device has no more
void release(void* address);
void mark_written(const void* address, std::size_t bytes);
[[nodiscard]] std::size_t memory_free();
/// Lets kernels of device `from` use the memory of device `to`; false where they cannot.
[[nodiscard]] bool open_memory(int to, int from);
/// Whether a copy that is asked for now fails.
[[nodiscard]] bool copy_fails();
/// Whose memory this is; kHostMemory for all that is no device's.
[[nodiscard]] int owner_of(const void* address);

// --- for the compiler's hooks
void note_plain(const void* address, std::size_t bytes, bool write, const void* code) noexcept;
void hooks_exist() noexcept;

}  // namespace emulator
}  // namespace rowan::device::inline ROWAN_BACKEND
