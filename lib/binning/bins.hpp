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

/// What decides a row's bin. Packed into one number; `empty` and `direct` come first. This is the one place where the
/// number is made and read; a device's bins begin with the same numbers (device/bins.hpp).
class BinKey {
 public:
  /// Whether rows are like their neighbours: runs of equal patterns, runs of shifted products.
  enum class Kind : std::uint8_t { single, run, shift };
  /// Of a bin of a row class.
  struct Parts {
    int row_class = 0;
    Kind kind = Kind::single;
    bool wide = false;  // the span is more than one window
  };
  static constexpr int kEmpty = 0, kDirect = 1, kFirstClass = 2;
  static constexpr int kKinds = 3, kWidths = 2, kOfClass = kKinds * kWidths;
  static constexpr int kCount = kFirstClass + kOfClass * static_cast<int>(kBinBorders.size());

  [[nodiscard]] static constexpr int index_of(const Parts& bin) noexcept {
    return kFirstClass + kOfClass * bin.row_class + kWidths * static_cast<int>(bin.kind) + (bin.wide ? 1 : 0);
  }
  /// The number of a row's bin; `bin` is where rows with products and more than one entry of A are.
  [[nodiscard]] static constexpr int index_of(std::int64_t nprod, std::int64_t a_nnz, const Parts& bin) noexcept {
    // chosen, not branched to: short rows come in any order
    int key = index_of(bin);
    key = a_nnz == 1 ? kDirect : key;
    return nprod == 0 ? kEmpty : key;
  }

  [[nodiscard]] static constexpr BinKey of(const CRow& row, std::int64_t a_nnz) noexcept {
    const auto bits = std::bit_width(static_cast<std::uint64_t>(row.nprod) - 1) % 64;  // 0 products: of no class
    const Kind kind = row.run.in_shift_run() ? Kind::shift : row.run.in_run() ? Kind::run : Kind::single;
    return BinKey(index_of(row.nprod, a_nnz,
                           {detail::kClassOfWidth[static_cast<std::size_t>(bits)], kind, row.span() > kNarrowSpan}));
  }
  explicit constexpr BinKey(int index) noexcept : index_(index) {}
  explicit constexpr BinKey(const Parts& bin) noexcept : index_(index_of(bin)) {}

  [[nodiscard]] constexpr int index() const noexcept { return index_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return index_ == kEmpty; }
  [[nodiscard]] constexpr bool direct() const noexcept { return index_ == kDirect; }
  [[nodiscard]] constexpr bool has_class() const noexcept { return index_ >= kFirstClass; }
  /// Only of a bin that has a class.
  [[nodiscard]] constexpr Parts parts() const noexcept {
    const int of_classes = index_ - kFirstClass;
    return {of_classes / kOfClass, static_cast<Kind>(of_classes / kWidths % kKinds), of_classes % kWidths != 0};
  }
  [[nodiscard]] constexpr bool wide() const noexcept { return has_class() && parts().wide; }
  [[nodiscard]] constexpr bool run() const noexcept { return has_class() && parts().kind == Kind::run; }
  [[nodiscard]] constexpr bool shift() const noexcept { return has_class() && parts().kind == Kind::shift; }
  /// "empty", "one entry", "nprod 33-64", "nprod 513-2048, wide, run", "nprod 17-32, shift" ...
  [[nodiscard]] std::string label() const { return label("nprod", kBinBorders); }
  /// The same by other borders, of `what`.
  [[nodiscard]] std::string label(const std::string& what, std::span<const std::int64_t> borders) const;

 private:
  int index_;
};

struct Bin {
  BinKey key;
  Tally tally;
};

struct Bins {
  std::vector<Bin> bins;                                  // only those that have rows, by rising key
  Array<std::uint8_t> key_of_row;                         // empty: all rows are in bins[0]
  std::array<std::uint8_t, BinKey::kCount> bin_of_key{};  // where in `bins` a key is

  [[nodiscard]] int of(std::int64_t row) const noexcept {
    return key_of_row.size() == 0 ? 0 : bin_of_key[key_of_row[row]];
  }
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
