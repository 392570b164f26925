#pragma once
// Heavy rows, whose products are shared out over many blocks (dense/device/heavy.hpp): what of them lies in memory from
// the symbolic phase to the numeric one, and as long as values are computed again.
#include <cstddef>
#include <cstdint>

#include "accumulators/common/device/shares.hpp"
#include "lib/binning/device/cancelled.hpp"
#include "lib/device/runtime/launch_words.hpp"
#include <rowan/types.hpp>

namespace rowan::device::inline ROWAN_BACKEND {

/// Columns of a row that follow each other: which there are, and how many there are before. One load reads it.
struct alignas(16) BitGroup {
  static constexpr int kWords = 3, kColumns = 32 * kWords;
  std::uint32_t bits[kWords];
  std::int32_t before;
};
static_assert(sizeof(BitGroup) == 16);

/// An entry of A in a heavy row.
struct alignas(16) HeavyEntry {
  std::int64_t from;  // where its row of B begins
  std::int64_t at;    // in A
};

struct HeavyRow {
  std::int32_t row;
  Column lo;  // no column is less
};

/// How much of it there is.
struct HeavySizes {
  std::int64_t rows = 0, entries = 0, products = 0;
  std::int64_t groups = 0;  // of each row's bitmap
};

/// Null where there are no heavy rows. A row's number among them is none of its own: blocks take rows as they come.
struct HeavyRows {
  HeavySizes size;
  LaunchWords words = {};     // symbolic phase only: of the next row, of what is known of each (look_back.hpp)
  BitGroup* group = nullptr;  // size.groups of each row
  HeavyRow* row = nullptr;
  std::int32_t* before = nullptr;  // products, of every entry and behind the last
  std::int32_t* owner = nullptr;   // the number of every entry's row
  HeavyEntry* entry = nullptr;
  Cancelled cancelled = {};

  [[nodiscard]] constexpr std::int64_t word_count() const noexcept { return size.rows + 1; }
  [[nodiscard]] constexpr std::int64_t bytes_of_words() const noexcept {
    return word_count() * static_cast<std::int64_t>(sizeof *words.zero);
  }
  [[nodiscard]] constexpr SharedProducts products() const noexcept { return {before, size.entries, size.products}; }
};

/// Arrays in the memory that `carver` cuts up (lib/device/pipeline/carver.hpp).
template <class Carver>
[[nodiscard]] HeavyRows cut_heavy_rows(Carver& carver, const HeavySizes& size) {
  HeavyRows h{.size = size};
  h.group = carver.template take<BitGroup>(size.rows * size.groups);
  h.row = carver.template take<HeavyRow>(size.rows);
  h.before = carver.template take<std::int32_t>(size.entries + 1);
  h.owner = carver.template take<std::int32_t>(size.entries);
  h.entry = carver.template take<HeavyEntry>(size.entries);
  return h;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
