#pragma once
// Binning on a device in two passes, one core for both phases (OpSparse, section 5.1, algorithms 1-3; DCU-nsparse,
// section 5.2): the first, here, sums up every bin, the second lists rows (lists.hpp). Counters are a block's in shared
// memory; one atomic a block, bin and number goes to global memory.
#include "lib/binning/bins.hpp"
#include "lib/binning/device/rows.hpp"
#include "lib/binning/device/runs.hpp"
#include "lib/device/runtime/host_mailbox.hpp"
#include "lib/device/runtime/runtime.hpp"
#include "lib/device/runtime/shapes.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Upper borders of the row classes; as many as BinKey has room for. The first `by_products` of them, rising, are of
/// rows with few products, whatever their size; the others, rising from their own start, are sizes of the rest.
struct Borders {
  std::int64_t upper[kBinBorders.size()];
  std::int64_t narrow_span;
  int by_products = 0;
  std::int64_t heavy = INT64_MAX;  // products from which rows like no others have kHeavyBin, in both phases

  /// Kernels look it up (class_table.hpp).
  [[nodiscard]] constexpr int class_of(const RowNumbers& row) const noexcept {
    // 32 bits of each are all: no row has 2^32 - 1 entries, and of products few count; INT64_MAX becomes more than any
    const bool few = by_products != 0 && row.nprod <= upper[by_products - 1];
    const auto number = static_cast<std::uint32_t>(few ? row.nprod : row.bound);
    int c = few ? 0 : by_products;
    for (int k = 0; k < static_cast<int>(kBinBorders.size()); k++)
      c += number > static_cast<std::uint32_t>(upper[k]) && (k < by_products) == few ? 1 : 0;
    return c;
  }
};

/// What rows of a device's bin are. Followers share their leader's result (symbolic: the first row of their run or
/// bundle, numeric: the first of their bundle) and have bins of their own.
enum class RowKind : std::uint8_t { single, run, run_follower, shift, shift_follower };
/// Of a bin of a row class; of shift bundles there is one bin a class, whatever the span.
struct BinParts {
  int row_class = 0;
  RowKind kind = RowKind::single;
  bool wide = false;
};

/// Bins of a device by number: first the host's, with followers of runs where the host has rows of shift runs; behind
/// them two a class, of shift bundles and of their followers; last the heavy rows, whatever their class.
inline constexpr int kFirstShift = BinKey::kCount, kShiftKinds = 2,
                     kHeavyBin = kFirstShift + kShiftKinds * static_cast<int>(kBinBorders.size()),
                     kBins = kHeavyBin + 1;
inline constexpr int kNoBin = -1;

/// Products of a row from which it may count as heavy; one of them is chosen by what the rows sum up to (HeavyTally).
inline constexpr auto kHeavyProducts = kShapes.heavy.least.value;
inline constexpr int kHeavyClasses = static_cast<int>(kHeavyProducts.size());
/// Rows like no others that have kHeavyProducts, each by the most of them that it has.
struct HeavyTally {
  Tally of[kHeavyClasses];
};

/// A row's key says its bin. Where it is not yet decided how many products make a row heavy, rows that may be have keys
/// of their own behind the bins, by the most of kHeavyProducts that they have and the bin that they have otherwise: so
/// rows are summed up once, and not again without the heavy ones.
inline constexpr int kOfHeavyClass = BinKey::kWidths * static_cast<int>(kBinBorders.size()),
                     kHeavyKeys = kHeavyClasses * kOfHeavyClass, kKeys = kBins + kHeavyKeys;
static_assert(kKeys <= 255);

[[nodiscard]] constexpr bool in_shift_bundle(RowKind kind) noexcept {
  return kind == RowKind::shift || kind == RowKind::shift_follower;
}
/// The host's kind that has the same number.
[[nodiscard]] constexpr BinKey::Kind numbered_as(RowKind kind) noexcept {
  static_assert(static_cast<int>(RowKind::run) == static_cast<int>(BinKey::Kind::run) &&
                static_cast<int>(RowKind::run_follower) == static_cast<int>(BinKey::Kind::shift));
  return static_cast<BinKey::Kind>(kind);
}
[[nodiscard]] constexpr int bin_number(const BinParts& bin) noexcept {
  if (in_shift_bundle(bin.kind))
    return kFirstShift + kShiftKinds * bin.row_class + (bin.kind == RowKind::shift_follower ? 1 : 0);
  return BinKey::index_of({bin.row_class, numbered_as(bin.kind), bin.wide});
}
/// Whether rows of the bin have products and more than one entry of A.
[[nodiscard]] constexpr bool has_class(int bin) noexcept {
  return BinKey(bin).has_class() && bin != kHeavyBin;
}
/// Only of a bin that has a class.
[[nodiscard]] constexpr BinParts parts_of(int bin) noexcept {
  if (bin >= kFirstShift) {
    const bool follower = (bin - kFirstShift) % kShiftKinds != 0;
    return {(bin - kFirstShift) / kShiftKinds, follower ? RowKind::shift_follower : RowKind::shift, false};
  }
  const BinKey::Parts parts = BinKey(bin).parts();
  return {parts.row_class, static_cast<RowKind>(parts.kind), parts.wide};
}
[[nodiscard]] constexpr int class_of(int bin) noexcept {
  return parts_of(bin).row_class;
}
[[nodiscard]] constexpr bool is_follower(int bin) noexcept {
  if (!has_class(bin)) return false;
  const RowKind kind = parts_of(bin).kind;
  return kind == RowKind::run_follower || kind == RowKind::shift_follower;
}
/// The bin of the leaders of the rows in `bin`; itself where they are no followers.
[[nodiscard]] constexpr int leader_bin(int bin) noexcept {
  if (!is_follower(bin)) return bin;
  BinParts parts = parts_of(bin);
  parts.kind = parts.kind == RowKind::run_follower ? RowKind::run : RowKind::shift;
  return bin_number(parts);
}
/// The bin of the followers of the rows in `bin`, or kNoBin.
[[nodiscard]] constexpr int follower_bin(int bin) noexcept {
  if (!has_class(bin)) return kNoBin;
  BinParts parts = parts_of(bin);
  if (parts.kind != RowKind::run && parts.kind != RowKind::shift) return kNoBin;
  parts.kind = parts.kind == RowKind::run ? RowKind::run_follower : RowKind::shift_follower;
  return bin_number(parts);
}
/// Whether a row has a number of products and may have many blocks: it shares nothing with its neighbours.
[[nodiscard]] constexpr bool is_heavy(const RowNumbers& row, std::int64_t products) noexcept {
  return row.nprod >= products && row.a_nnz > 1 && !row.in_run && !row.in_shift;
}
/// The bin of a row of class `c`; `follower`: it has a leader before it.
[[nodiscard]] constexpr int bin_of(const Borders& borders, const RowNumbers& row, int c, bool follower) noexcept {
  if (is_heavy(row, borders.heavy)) return kHeavyBin;
  if (row.in_shift) return bin_number({c, follower ? RowKind::shift_follower : RowKind::shift});
  const RowKind kind = follower ? RowKind::run_follower : row.in_run ? RowKind::run : RowKind::single;
  return BinKey::index_of(row.nprod, row.a_nnz, {c, numbered_as(kind), row.span > borders.narrow_span});
}
/// The key of a row that has kHeavyProducts[heavy_class].
[[nodiscard]] constexpr int heavy_key(int heavy_class, const BinParts& bin) noexcept {
  return kBins + heavy_class * kOfHeavyClass + bin.row_class * BinKey::kWidths + (bin.wide ? 1 : 0);
}
/// Of a key behind the bins.
[[nodiscard]] constexpr int heavy_class_of(int key) noexcept {
  return (key - kBins) / kOfHeavyClass;
}
/// The bin of rows with a key, now that `heavy` products make a row heavy; 0: no row is.
[[nodiscard]] constexpr int bin_of_key(int key, std::int64_t heavy) noexcept {
  if (key < kBins) return key;
  constexpr auto kLeast = kHeavyProducts;
  if (heavy != 0 && kLeast[static_cast<std::size_t>(heavy_class_of(key))] >= heavy) return kHeavyBin;
  const int rest = (key - kBins) % kOfHeavyClass;
  return bin_number({rest / BinKey::kWidths, RowKind::single, rest % BinKey::kWidths != 0});
}
/// A row's key where rows that may be heavy are apart.
[[nodiscard]] constexpr int key_of(const Borders& borders, const RowNumbers& row, int c, bool follower) noexcept {
  constexpr auto kLeast = kHeavyProducts;  // of its own: devices cannot see the host's
  if (!is_heavy(row, kLeast[0])) return bin_of(borders, row, c, follower);
  int heavy_class = -1;
  ROWAN_UNROLL
  for (const std::int64_t least : kLeast) heavy_class += row.nprod >= least ? 1 : 0;
  return heavy_key(heavy_class, {c, RowKind::single, row.span > borders.narrow_span});
}
/// A bin's sums with those of its followers.
[[nodiscard]] constexpr Tally with_followers(const Tally* tally, int bin) noexcept {
  Tally t = tally[bin];
  if (const int followers = follower_bin(bin); followers != kNoBin) t.add(tally[followers]);
  return t;
}

/// What a row's number says.
enum class RowNumber : std::uint8_t {
  products,
  entries,  // of C
};

/// What the binning pass reads of a row, and what it makes of rows on its way, which saves launches.
struct RowSource {
  Pattern a;
  std::int64_t* number;  // of every row; of entries, followers get their leader's
  RowNumber says;
  const CRow* c_rows;
  // runs.hpp; null where relations were not measured, or there are no shift bundles
  const std::uint8_t* relation;  // to the row before
  const std::uint8_t* moved;     // by products: rows for shift_mark
  ShiftMark* shift_mark;         // by products made, by entries read
  std::uint8_t* bundle_rows;     // by entries made: how many rows from a row on are multiplied together, 0 where a row
                                 // follows in a bundle that began before it
  SavedRange* saved;             // by entries: followers of runs get their leader's; null where none are
};

/// Sums by key as the host is told them: only of keys that have rows, because the host reads what a device wrote to its
/// memory line by line, and all keys are 24 KB.
struct ToldSums {
  std::int32_t count;       // keys that have rows
  std::int32_t flag;        // the caller's, where it has one
  std::uint64_t checksum;   // of all rows (row_look.hpp)
  std::int32_t key[kKeys];  // which
  Tally of[kKeys];          // of key[i] in of[i]
};

/// The key at a place in the order of a list by key (lists.hpp). Kernels take rows of some classes that follow each
/// other, often of one kind and sometimes of one width: so kinds are apart, in them widths, and classes follow each
/// other. The largest come first: a kernel's last blocks should not have its longest rows.
[[nodiscard]] constexpr int key_at(int place) noexcept {
  constexpr int kClasses = static_cast<int>(kBinBorders.size()), kParts = BinKey::kOfClass + kShiftKinds;
  if (place < kHeavyKeys) {  // by products, in them widths, in them row classes
    const int of_class = place % kOfHeavyClass, c = kClasses - 1 - of_class % kClasses;
    return kKeys - kOfHeavyClass * (place / kOfHeavyClass + 1) + c * BinKey::kWidths + of_class / kClasses;
  }
  const int behind = place - kHeavyKeys - 1;
  if (behind < 0) return kHeavyBin;
  const int part = behind / kClasses, c = kClasses - 1 - behind % kClasses;
  if (part < BinKey::kOfClass) return BinKey::kFirstClass + BinKey::kOfClass * c + part;
  if (part < kParts) return kFirstShift + kShiftKinds * c + part - BinKey::kOfClass;
  return behind == kParts * kClasses ? BinKey::kDirect : BinKey::kEmpty;
}
static_assert([] {
  bool seen[kKeys] = {};
  for (int place = 0; place < kKeys; place++) seen[key_at(place)] = true;
  for (const bool s : seen)
    if (!s) return false;
  return true;
}());

/// Rows whose entries are added up together: C's row pointers are made chunk by chunk (lists.hpp).
inline constexpr int kChunkRows = 1024;
[[nodiscard]] constexpr std::int64_t chunks_of(std::int64_t rows) noexcept {
  return (rows + kChunkRows - 1) / kChunkRows;
}

/// What the binning pass writes.
struct RowTallies {
  Tally* of_key;  // were zero: of every bin; where rows that may be heavy are apart, of every key
  std::uint8_t* key;
  bool heavy_apart = false;                 // by products only
  const std::int32_t* flag = nullptr;       // told with the sums; null: none is
  HostMailbox<ToldSums>::Sender told = {};  // tells the sums at the end, without a launch of its own
  std::uint32_t* blocks_done = nullptr;     // was zero
  std::int32_t* first_of_key = nullptr;     // where in a list by key the rows of every key begin
  std::int64_t* before_chunk = nullptr;     // were zero: entries before every chunk of rows; null: not wanted
  std::uint64_t* checksum = nullptr;        // was zero: of all rows; null: not wanted
};

/// Every row's key, and sums of rows by key; bundles of runs and of shifted rows on the way. O(rows).
void tally_bins(const RowSource& rows, const Borders& borders, const RowTallies& out, hipStream_t stream,
                int multiprocessors);

}  // namespace rowan::device::inline ROWAN_BACKEND
