#pragma once
// The binning core: which rows are alike enough to share a decision. A bin is (row class by nprod) x (span fits one
// window, or is wider) x (single row, run of identical-pattern rows, or run of shifted products); empty rows and direct
// rows are bins of their own. Feasibility is a property of the bin, not of the row.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "lib/binning/tally.hpp"
#include "lib/core/parallel.hpp"
#include "lib/core/pattern.hpp"
#include <rowan/memory.hpp>

namespace rowan {

/// Upper borders of the row classes, in products. 16 to 512 are the register-sort's (register-aware, section 3.1, has
/// nine up to 512; below 16 they make no difference on a host); above, each class is four times the one before.
inline constexpr std::array<std::int64_t, 14> kBinBorders = {16,   32,    64,     128,    256,     512,     2048,
                                                             8192, 32768, 131072, 524288, 2097152, 8388608, INT64_MAX};
/// A window of this many doubles is 512 KiB: the second-level cache of the smallest core we care for.
inline constexpr std::int64_t kNarrowSpan = 65536;

namespace detail {

/// The row class by the bits that nprod - 1 takes: all borders are powers of two.
inline constexpr auto kClassOfWidth = [] {
  std::array<std::uint8_t, 64> classes{};
  for (std::size_t bits = 0; bits < classes.size(); bits++)
    while (bits != 63 && std::int64_t{1} << bits > kBinBorders[classes[bits]]) classes[bits]++;
  classes[63] = kBinBorders.size() - 1;
  return classes;
}();
static_assert(std::all_of(kBinBorders.begin(), kBinBorders.end() - 1,
                          [](std::int64_t border) { return std::has_single_bit(static_cast<std::uint64_t>(border)); }));

}  // namespace detail

/// What of a row decides its bin.
struct BinFacts {
  std::int64_t nprod = 0;
  std::int64_t size = 0;  // what the row classes are borders of: products, a bound, or exact entries
  std::int64_t span = 0;
  std::int64_t a_nnz = 0;
  bool in_run = false;
  bool in_shift = false;  // of products; a device makes no bins of it yet
};

/// What decides a row's bin. Packed into one number; `empty` and `direct` come first.
class BinKey {
 public:
  static constexpr int kEmpty = 0, kDirect = 1, kFirstClass = 2;
  static constexpr int kKinds = 6;  // of a row class
  static constexpr int kCount = kFirstClass + kKinds * static_cast<int>(kBinBorders.size());

  /// The bin's number, by any rising borders of which the last is beyond every row.
  [[nodiscard]] static constexpr int index_of(const BinFacts& row, const std::int64_t* borders,
                                              std::int64_t narrow_span) noexcept {
    int c = 0;
    while (row.size > borders[c]) c++;
    return index_of(row, c, narrow_span);
  }
  /// The same where the row's class is known.
  [[nodiscard]] static constexpr int index_of(const BinFacts& row, int row_class, std::int64_t narrow_span) noexcept {
    // chosen, not branched to: short rows come in any order
    const int kind = row.in_shift ? 4 : row.in_run ? 2 : 0;
    int key = kFirstClass + kKinds * row_class + kind + (row.span > narrow_span ? 1 : 0);
    key = row.a_nnz == 1 ? kDirect : key;
    return row.nprod == 0 ? kEmpty : key;
  }

  [[nodiscard]] static constexpr BinKey of(const CRow& row, std::int64_t a_nnz) noexcept {
    const auto bits = std::bit_width(static_cast<std::uint64_t>(row.nprod) - 1) % 64;  // 0 products: of no class
    return BinKey(index_of({row.nprod, row.nprod, row.span(), a_nnz, row.run.in_run(), row.run.in_shift_run()},
                           detail::kClassOfWidth[static_cast<std::size_t>(bits)], kNarrowSpan));
  }
  explicit constexpr BinKey(int index) noexcept : index_(index) {}

  [[nodiscard]] int index() const noexcept { return index_; }
  [[nodiscard]] bool empty() const noexcept { return index_ == kEmpty; }
  [[nodiscard]] bool direct() const noexcept { return index_ == kDirect; }
  [[nodiscard]] bool wide() const noexcept { return index_ >= kFirstClass && (index_ - kFirstClass) % 2 == 1; }
  [[nodiscard]] bool run() const noexcept { return kind() == 1; }
  [[nodiscard]] bool shift() const noexcept { return kind() == 2; }
  /// "empty", "one entry", "nprod 33-64", "nprod 513-2048, wide, run", "nprod 17-32, shift" ...
  [[nodiscard]] std::string label() const { return label("nprod", kBinBorders); }
  /// The same by other borders, of `what`.
  [[nodiscard]] std::string label(const std::string& what, std::span<const std::int64_t> borders) const;

 private:
  [[nodiscard]] int kind() const noexcept { return index_ < kFirstClass ? 0 : (index_ - kFirstClass) / 2 % 3; }

  int index_;
};

struct Bin {
  BinKey key;
  Tally tally;
};

struct Bins {
  std::vector<Bin> bins;                            // only those that have rows, by rising key
  Array<std::uint8_t> key_of_row;                   // empty: all rows are in bins[0]
  std::array<std::uint8_t, BinKey::kCount> slot{};  // where in `bins` a key is

  [[nodiscard]] int of(std::int64_t row) const noexcept { return key_of_row.size() == 0 ? 0 : slot[key_of_row[row]]; }
  /// Where the rows from `row` on that are in its bin end, at most at `last`; some of them at least.
  [[nodiscard]] std::int64_t same_bin(std::int64_t row, std::int64_t last) const noexcept {
    if (key_of_row.size() == 0) return last;
    const std::uint8_t* const key = key_of_row.data();
    const std::uint64_t eight = key[row] * 0x0101010101010101U;
    std::int64_t end = row + 1;
    for (std::uint64_t next = 0; end < last && key[end] == key[row]; end += 8) {
      if (end + 8 > last) return end + 1;
      std::memcpy(&next, key + end, 8);
      if (next != eight) return end + 1;
    }
    return end;
  }
};

/// Sums over a block of rows, bin by bin; blocks are merged, as OpSparse (section 5.1) and DCU-nsparse
/// (section 5.2) do on devices. Rows stay where they are, for the host runs them in order.
class BinTallies {
 public:
  /// `times` rows that are alike; returns their bin's number.
  [[gnu::always_inline]] std::uint8_t add(const CRow& row, std::int64_t a_nnz, std::int64_t times = 1) noexcept {
    const int key = BinKey::of(row, a_nnz).index();
    tally_[static_cast<std::size_t>(key)].add(row, static_cast<Offset>(a_nnz), static_cast<Offset>(row.bound()), times);
    return static_cast<std::uint8_t>(key);
  }
  void add(std::size_t key, const Tally& rows) noexcept { tally_[key].add(rows); }
  void add(const BinTallies& block) noexcept;
  /// The bins that have rows, of merged blocks. `key_of_row`: what add() returned for each row.
  [[nodiscard]] Bins bins(Array<std::uint8_t> key_of_row) const;

 private:
  std::array<Tally, BinKey::kCount> tally_{};
};

/// All rows in one bin: what `use_binning = no` means. O(1): `all` is the tally of the whole matrix.
[[nodiscard]] Bins one_bin(const Tally& all);

}  // namespace rowan
