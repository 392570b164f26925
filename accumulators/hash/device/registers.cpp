#include "accumulators/hash/device/registers.hpp"

#include "accumulators/common/device/gather.hpp"
#include "accumulators/common/device/shape.hpp"
#include "accumulators/hash/device/table.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {
namespace {

constexpr int kThreads = kShapes.hash_registers.block;

template <int kProducts>
struct RegisterRows {
  static constexpr int kMostKeys = kShapes.hash_registers.keys_a_lane;
  static constexpr int kLanes = kProducts / kMostKeys < kLeastWave ? kProducts / kMostKeys : kLeastWave;
  static constexpr int kKeys = kProducts / kLanes;
  static constexpr int kRows = kThreads / kLanes;
  static constexpr int kTable = kShapes.hash_registers.slots_a_product * kProducts;
  static constexpr int kPitch = kTable + kLanes;  // neighbours' tables begin in different banks
};

/// kLanes lanes a row, the grid as many blocks as rows need. Shared memory: a table for each row.
template <int kProducts>
__global__ void __launch_bounds__(kThreads) symbolic_registers(Pattern a, Pattern b, RowList rows, std::int64_t* nnz) {
  if (rows.cancelled) return;
  using G = RegisterRows<kProducts>;
  ROWAN_SHARED(int, tables, G::kRows* G::kPitch);
  const Mask wave = simt::wave_mask();
  const int mine = static_cast<int>(threadIdx.x) / G::kLanes, l = static_cast<int>(threadIdx.x) % G::kLanes;
  int* const table = tables + mine * G::kPitch;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * G::kRows + mine;
  const std::int64_t row = i < rows.count ? rows[i] : -1;
  ROWAN_UNROLL
  for (int k = 0; k < G::kTable / G::kLanes; k++) table[k * G::kLanes + l] = kNoKey;
  simt::sync_wave(wave);
  int found = 0;
  gather<G::kLanes, G::kKeys, NoValue>(
      a.col, nullptr, b.ptr, row < 0 ? 0 : a.ptr[row], row < 0 ? 0 : a.ptr[row + 1],
      [&](std::int64_t at, NoValue) { return b.col[at]; },
      [&](int, int column) {
        bool fresh;
        insert(table, G::kTable, column, fresh);
        found += fresh ? 1 : 0;
      });
  found = simt::sum(wave, found, G::kLanes);
  if (row >= 0 && l == 0) nnz[row] = found;
}

template <std::size_t kSize = 0>
void launch_size(const SymbolicLaunch& l, int kernel) {
  if constexpr (kSize < kInRegisters.size()) {
    if (kernel != static_cast<int>(kSize)) return launch_size<kSize + 1>(l, kernel);
    constexpr std::int64_t kRows = RegisterRows<kInRegisters[kSize]>::kRows;
    launch(symbolic_registers<kInRegisters[kSize]>, {.grid = (l.rows.count + kRows - 1) / kRows, .block = kThreads},
           l.stream, l.a, l.b, l.rows, l.nnz);
  }
}

}  // namespace

void DeviceRegisters::symbolic(const SymbolicLaunch& l, int kernel) {
  launch_size(l, kernel);
}

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
