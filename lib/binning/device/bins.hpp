#pragma once
// Binning on a device in two passes, one core for both phases (OpSparse, section 5.1, algorithms 1-3; DCU-nsparse,
// section 5.2): the first sums up every bin, the second lists rows by slot. Counters are a block's in shared memory;
// one atomic a block, bin and number goes to global memory.
#include "lib/binning/bins.hpp"
#include "lib/binning/device/rows.hpp"
#include "lib/binning/device/runs.hpp"
#include "lib/device/runtime/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Upper borders of the row classes; as many as BinKey has room for. The first `by_products` of them, rising, are of
/// rows with few products, whatever their size; the others, rising from their own start, are sizes of the rest.
struct Borders {
  std::int64_t upper[kBinBorders.size()];
  std::int64_t narrow_span;
  int by_products = 0;

  [[nodiscard]] constexpr int class_of(const BinFacts& row) const noexcept {
    int few = 0, size = 0;  // counted, not searched: what a thread indexes with its own numbers lies in slow memory
    ROWAN_UNROLL
    for (int k = 0; k < static_cast<int>(kBinBorders.size()); k++)
      (k < by_products ? few : size) += (k < by_products ? row.nprod : row.size) > upper[k] ? 1 : 0;
    return few < by_products ? few : by_products + size;
  }
};

/// Bins of a device: the host's for single rows and runs of equal rows, and one a class, whatever the span, for shift
/// teams. Rows that go along with one before them (symbolic: the first of their run, numeric: of their team) have bins
/// of their own, which are said to be beside that one's; of runs where the host has runs of shifted products.
inline constexpr int kFirstShift = BinKey::kCount, kBins = kFirstShift + 2 * static_cast<int>(kBinBorders.size());
inline constexpr int kRunFollower = 2, kShiftFollower = 1, kNoBin = -1;

[[nodiscard]] constexpr bool is_follower(int bin) noexcept {
  if (bin >= kFirstShift) return (bin - kFirstShift) % 2 == 1;
  return bin >= BinKey::kFirstClass && (bin - BinKey::kFirstClass) / 2 % 3 == 2;
}
/// The bin of the first rows, of those in `bin`.
[[nodiscard]] constexpr int leader_bin(int bin) noexcept {
  return !is_follower(bin) ? bin : bin - (bin >= kFirstShift ? kShiftFollower : kRunFollower);
}
/// The bin of the rows that go along with those in `bin`, or kNoBin.
[[nodiscard]] constexpr int follower_bin(int bin) noexcept {
  if (bin < BinKey::kFirstClass || is_follower(bin)) return kNoBin;
  const int along = bin + (bin >= kFirstShift ? kShiftFollower : kRunFollower);
  return is_follower(along) ? along : kNoBin;
}
/// The bin of a row; `along`: it goes along with one before it.
[[nodiscard]] constexpr int bin_of(const Borders& borders, BinFacts row, bool along) noexcept {
  const int c = borders.class_of(row);
  if (row.in_shift) return kFirstShift + 2 * c + (along ? kShiftFollower : 0);
  row.in_shift = along;
  return BinKey::index_of(row, c, borders.narrow_span);
}
/// The row class of a bin of rows with products, but direct ones.
[[nodiscard]] constexpr int class_of(int bin) noexcept {
  return bin >= kFirstShift ? (bin - kFirstShift) / 2 : (bin - BinKey::kFirstClass) / 6;
}
/// A bin's sums with those of the rows that go along.
[[nodiscard]] constexpr Tally with_followers(const Tally* tally, int bin) noexcept {
  Tally t = tally[bin];
  if (const int along = follower_bin(bin); along != kNoBin) t.add(tally[along]);
  return t;
}

/// What a row's number says.
enum class RowNumber : std::uint8_t {
  products,
  entries,  // of C
  place,    // the first entry's in C: they are row pointers
};

/// What the first pass reads of a row.
struct RowSource {
  Pattern a;
  const std::int64_t* number;  // of every row, and one behind the last
  RowNumber says;
  const CRow* c_rows;
  const std::uint8_t* relation;  // to the row before; null where it was not measured
  const std::uint8_t* team;      // numeric, where relations were measured: runs.hpp
  const std::uint8_t* place;     // of shift teams; null where there are none: runs.hpp
};

/// Sums of every bin into tally[0, kBins), which was zero, and every row's bin into key.
void tally_bins(const RowSource& rows, const Borders& borders, Tally* tally, std::uint8_t* key, hipStream_t stream,
                int multiprocessors);

/// Slots: rows that one kernel takes stand together in a list.
inline constexpr int kMostSlots = 64;
inline constexpr std::uint8_t kNoSlot = 255;

/// Where in the list slots are, and whose rows they have; handed to the kernel by value.
struct ListLayout {
  std::int64_t begin[kMostSlots + 1];  // slot s is list[begin[s], begin[s + 1])
  std::uint8_t of_bin[kBins];          // kNoSlot: rows that no kernel has to look at
};
/// Lists rows by slot; in a slot, rows that were neighbours stay near each other. `cursor`: kMostSlots numbers that
/// were zero.
void list_rows(std::int64_t rows, const std::uint8_t* key, const ListLayout& layout, std::int64_t* cursor,
               std::int32_t* list, hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
