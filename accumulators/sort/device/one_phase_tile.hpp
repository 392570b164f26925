#pragma once
// What the parts of one phase share (one_phase.hpp): the kernel over tiles, the sample, the planning of a launch.
#include "accumulators/common/device/shape.hpp"
#include "accumulators/sort/device/one_phase.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {

inline constexpr int kTileThreads = kShapes.one_phase.block;
/// Lanes that have a row of at most 32 products, or at most kMostShort.
inline constexpr int kLanesOfFew = kShapes.one_phase.lanes_of_few, kLanesOfMany = kShapes.one_phase.lanes_of_many;
/// Or more; then a wave has as many rows as it has groups of lanes.
[[nodiscard]] constexpr int lanes_of_wide(int most) noexcept {
  constexpr int kWide = kShapes.one_phase.lanes_of_wide, kWidest = kShapes.one_phase.lanes_of_widest;
  return most <= 2 * kMostShort ? kWide : kWidest;
}

/// What the kernel over tiles works on: rows in order, some for each wave of a block.
template <class T>
struct Tiles {
  Operand<T> a, b;
  const CRow* c_rows;      // null: all rows are taken for short
  bool counted;            // then: row_ptr has products
  unsigned most;           // products of a short row
  int rows_of_wave, room;  // entries that are staged for a wave
  bool placed;             // row_ptr is known
  std::int64_t* row_ptr;
  Column* col;
  T* val;
  std::int64_t capacity;
  LaunchWords words;  // the number of the next tile, whether a row is not short, what is known of each tile
  HostMailbox<std::int64_t>::Sender told;  // row_ptr's last number
};
inline constexpr int kNextTile = 0, kNotShort = 1, kTileState = 2;

/// Starts the kernel for short rows of at most `most` products.
template <class T>
void launch_tiles(const Tiles<T>& tiles, int most, const Shape& shape, hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
