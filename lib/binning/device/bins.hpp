#pragma once
// Binning on a device in two passes, one core for both phases (OpSparse, section 5.1, algorithms 1-3; DCU-nsparse,
// section 5.2): the first sums up every bin, the second lists rows by queue. Counters are a block's in shared memory;
// one atomic a block, bin and number goes to global memory.
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

  [[nodiscard]] constexpr int class_of(const RowNumbers& row) const noexcept {
    // 32 bits of each are all: no row has 2^32 - 1 entries, and of products few count; INT64_MAX becomes more than any
    const bool few = by_products != 0 && row.nprod <= upper[by_products - 1];
    const auto number = static_cast<std::uint32_t>(few ? row.nprod : row.bound);
    int c = few ? 0 : by_products;  // counted, not searched: what a thread indexes with its own numbers is slow memory
    ROWAN_UNROLL
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
/// The bin of a row; `follower`: it has a leader before it.
[[nodiscard]] constexpr int bin_of(const Borders& borders, const RowNumbers& row, bool follower) noexcept {
  if (is_heavy(row, borders.heavy)) return kHeavyBin;
  const int c = borders.class_of(row);
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
[[nodiscard]] constexpr int key_of(const Borders& borders, const RowNumbers& row, bool follower) noexcept {
  constexpr auto kLeast = kHeavyProducts;  // of its own: devices cannot see the host's
  if (!is_heavy(row, kLeast[0])) return bin_of(borders, row, follower);
  int heavy_class = -1;
  ROWAN_UNROLL
  for (int c = 0; c < kHeavyClasses; c++) heavy_class += row.nprod >= kLeast[static_cast<std::size_t>(c)] ? 1 : 0;
  return heavy_key(heavy_class, {borders.class_of(row), RowKind::single, row.span > borders.narrow_span});
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
  entries,      // of C
  first_entry,  // where the row's entries begin in C: they are row pointers
};

/// What the first pass reads of a row.
struct RowSource {
  Pattern a;
  const std::int64_t* number;  // of every row, and one behind the last
  RowNumber says;
  const CRow* c_rows;
  const std::uint8_t* relation;     // to the row before; null where it was not measured
  const std::uint8_t* bundle_rows;  // numeric, where relations were measured: runs.hpp
  const ShiftMark* shift_mark;      // null where there are no shift bundles: runs.hpp
};

/// Sums by key as the host is told them: only of keys that have rows, because the host reads what a device wrote to its
/// memory line by line, and all keys are 24 KB.
struct ToldSums {
  static constexpr int kMoreWords = 8;
  std::uint64_t more[kMoreWords];  // of the caller's, where it has any
  std::int32_t count;              // keys that have rows
  std::int32_t key[kKeys];         // which
  Tally of[kKeys];                 // of key[i] in of[i]
};
/// Tells the host the sums of keys [0, keys), and `more` (kMoreWords of them, or null), when everything before it in
/// the stream is done.
void tell_sums(const Tally* of_key, int keys, const std::uint64_t* more, const HostMailbox<ToldSums>::Sender& told,
               hipStream_t stream);

/// What the first pass writes.
struct RowTallies {
  Tally* of_key;  // were zero: of every bin; where rows that may be heavy are apart, of every key
  std::uint8_t* key;
  bool heavy_apart = false;
  // tells the sums at the end, without a launch of its own; by default it does not
  HostMailbox<ToldSums>::Sender told = {};
  std::uint32_t* blocks_done = nullptr;  // was zero
};

/// Every row's key, and sums of rows by key.
void tally_bins(const RowSource& rows, const Borders& borders, const RowTallies& out, hipStream_t stream,
                int multiprocessors);

/// Queues: the rows that one kernel takes stand together in a list.
inline constexpr int kMaxQueues = 64;
inline constexpr std::uint8_t kNoQueue = 255;

/// Where in the list queues are, and whose rows they have; the kernel gets it by value.
struct ListLayout {
  std::int64_t begin[kMaxQueues + 1];  // queue q is list[begin[q], begin[q + 1])
  std::uint8_t of_key[kKeys];          // kNoQueue: rows that no kernel has to look at
};
/// Lists rows by queue; in a queue, rows that were neighbours stay near each other. `cursor`: kMaxQueues numbers that
/// were zero. `saved`: of every row, becomes nowhere (null: not wanted).
void list_rows(std::int64_t rows, const std::uint8_t* key, const ListLayout& layout, std::int64_t* cursor,
               std::int32_t* list, SavedRange* saved, hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
