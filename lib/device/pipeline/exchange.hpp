#pragma once
// Rows of B on several devices, brought together: those that some entries ask for, or all.
#include <vector>

#include "lib/backends/devices.hpp"
#include "lib/device/pipeline/multiply.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// A matrix's rows in order, a block a device; columns are the whole matrix's.
template <class T>
struct RowBlocks {
  std::vector<Resident<T>> blocks;  // rows count from 0 in each
  std::vector<int> devices;         // whose memory they are in
  [[nodiscard]] std::int64_t rows() const noexcept;
  [[nodiscard]] std::int64_t cols() const noexcept { return blocks.front().m.cols; }
};

/// Lets the engines' kernels read each other's memory. False where a device cannot.
[[nodiscard]] bool connect(const Engines& engines);

/// B with the rows that A's entries ask for and the device's own, numbered as in all of B; rows that nobody asks for
/// are empty. Sums are in the order that they have with all of B, so C has the same bits.
template <class T>
struct GatheredRows {
  Buffer<std::int64_t> ptr = {};
  Buffer<Column> col = {};
  Buffer<T> val = {};
  Resident<T> b = {};
  std::int64_t from_others = 0;  // bytes
};

/// Kernels of the engine's device read the others' memory (connect()). `self`: which block of B is its own. Waits for
/// sizes.
template <class T>
[[nodiscard]] GatheredRows<T> gather_rows(Engine& engine, const Resident<T>& a, const RowBlocks<T>& b, int self,
                                          hipStream_t stream);

/// Adds to row pointers what is before them.
void add_to_row_pointers(std::int64_t* ptr, std::int64_t n, std::int64_t more, hipStream_t stream);

/// All blocks one below another in the engine's memory, by copies from device to device.
template <class T>
[[nodiscard]] Product<T> put_together(Engine& engine, const RowBlocks<T>& m, hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
