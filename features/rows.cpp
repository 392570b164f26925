// No branch predictor knows where rows of a few entries end, and what is known of B's rows comes late from memory. So
// it is read for many rows first, in a loop without rows; then a lane takes a row, all as many steps as the longest.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "features/rows.cpp"
#include "features/rows.hpp"

#include <bit>

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What is known of B's rows: a BRow each.
struct BRowWords {
  static constexpr std::uint32_t kLong = BRow::kLong;
  const BRow* at;
  explicit BRowWords(const PatternFacts& b) : at(b.row.data()) {}
  HWY_INLINE std::uint64_t operator[](Column j) const { return at[j].word; }
};
/// The same where they are scattered: their lengths, a byte each.
struct BRowLengths {
  static constexpr std::uint32_t kLong = 255;
  const std::uint8_t* at;
  explicit BRowLengths(const PatternFacts& b) : at(b.length.data()) {}
  HWY_INLINE std::uint64_t operator[](Column j) const { return at[j]; }
};

/// A row that meets a row of B longer than its word can say.
inline void measure_long(const Pattern& a, const Pattern& b, std::int64_t i, CRow& out) {
  out.nprod = 0, out.b_max = 0;
  for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++) {
    const std::int64_t length = b.length(a.col[k]);
    out.nprod = static_cast<Offset>(out.nprod + length);
    out.b_max = std::max(out.b_max, static_cast<std::int32_t>(length));
  }
}

constexpr std::int64_t kAhead = 24;  // entries of A: what is known of B's rows is prefetched this early

// Sums in registers, one store of each. No branch on what is read, which comes late.
template <bool Ahead, class Known>
HWY_INLINE CRow measure_one(const Pattern& a, const Pattern& b, const PatternFacts& facts, std::int64_t i) {
  const Known known(facts);
  std::int64_t nprod = 0;
  std::uint32_t longest = 0, lo = BRow::kNoColumn;
  std::uint64_t most = 0;
  for (std::int64_t k = a.ptr[i], end = a.ptr[i + 1]; k < end; k++) {
    if constexpr (Ahead) hwy::Prefetch(known.at + a.col[k + kAhead]);
    const BRow row(known[a.col[k]]);
    nprod += row.length();
    longest = std::max(longest, row.length()), lo = std::min(lo, row.lo()), most = std::max(most, row.word);
  }
  CRow out;
  out.nprod = static_cast<Offset>(nprod), out.b_max = static_cast<std::int32_t>(longest);
  if (longest == Known::kLong) measure_long(a, b, i, out);
  if (out.nprod == 0) return out;
  const bool ranges = std::is_same_v<Known, BRowWords>;
  out.lo = ranges ? facts.first_column(lo) : 0;
  out.hi = ranges ? facts.last_column(BRow::hi_of(most), b.cols) : static_cast<Column>(b.cols - 1);
  return out;
}

constexpr std::int64_t kWords = 2048;  // read together: half of a first-level cache
constexpr std::int64_t kLanes = HWY_MIN(HWY_LANES(std::int64_t), LaneTally::kLanes);
using D = hn::CappedTag<std::int64_t, kLanes>;
using V = hn::Vec<D>;
using Counts = LaneTally::Lanes<std::int64_t>;

/// kLanes rows of C, a lane each. Their columns lie in [lo, end); a row without products has lo = end = 0.
struct RowLanes {
  V nprod, longest, lo, end, a_nnz;
};

/// RowNumbers of rows side by side, flags apart.
struct RowNumberLanes {
  V nprod, bound, a_nnz, span, b_max;
};

HWY_INLINE void sum_up(Counts& to, V x) {
  hn::Store(hn::Add(hn::Load(D(), to.data()), x), D(), to.data());
}
HWY_INLINE void raise(Counts& to, V x) {
  hn::Store(hn::Max(hn::Load(D(), to.data()), x), D(), to.data());
}

HWY_INLINE void sum_up_squares(LaneTally::Lanes<double>& to, V x) {
  const hn::RebindToFloat<D> d;
  const auto number = hn::ConvertTo(d, x);
  hn::Store(hn::Add(hn::Load(d, to.data()), hn::Mul(number, number)), d, to.data());
}

/// Bins of rows that are in no run, as BinKey::index_of tells them.
HWY_INLINE V keys_of(const RowLanes& r, V span) {
  const D d;
  auto row_class = hn::Zero(d);
  for (const std::int64_t border : kBinBorders) {
    const auto above = hn::Gt(r.nprod, hn::Set(d, border));
    if (hn::AllFalse(d, above)) break;
    row_class = hn::Sub(row_class, hn::VecFromMask(d, above));
  }
  static_assert(BinKey::kOfClass == (1 << 1) + (1 << 2) &&
                BinKey({.row_class = 1, .wide = true}).index() == BinKey::kFirstClass + BinKey::kOfClass + 1);
  const auto wide = hn::VecFromMask(d, hn::Gt(span, hn::Set(d, kNarrowSpan)));
  auto key = hn::Add(hn::ShiftLeft<1>(row_class), hn::ShiftLeft<2>(row_class));
  key = hn::Sub(hn::Add(key, hn::Set(d, BinKey::kFirstClass)), wide);
  key = hn::IfThenElse(hn::Eq(r.a_nnz, hn::Set(d, 1)), hn::Set(d, BinKey::kDirect), key);
  return hn::IfThenElse(hn::Eq(r.nprod, hn::Zero(d)), hn::Set(d, BinKey::kEmpty), key);
}

/// A bin at a time: neighbours are in few.
HWY_INLINE void tally(const RowLanes& r, V span, V key, const Counts& keys, LaneTallies& lanes) {
  const D d;
  const auto bound = hn::Min(r.nprod, span);
  for (auto left = hn::Eq(key, key); !hn::AllFalse(d, left);) {
    const std::int64_t first = keys[static_cast<std::size_t>(hn::FindFirstTrue(d, left))];
    const auto in = hn::Eq(key, hn::Set(d, first));
    left = hn::AndNot(in, left);
    LaneTally& t = lanes.of(static_cast<std::size_t>(first));
    const RowNumberLanes row{hn::IfThenElseZero(in, r.nprod), hn::IfThenElseZero(in, bound),
                             hn::IfThenElseZero(in, r.a_nnz), hn::IfThenElseZero(in, span),
                             hn::IfThenElseZero(in, r.longest)};
#define ROWAN_SUM(field, type, number) sum_up(t.field, row.number);
#define ROWAN_MAX(field, type, number) raise(t.field, row.number);
#define ROWAN_SQUARES(field, type, number) sum_up_squares(t.field, row.number);
    ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_MAX, ROWAN_SQUARES, ROWAN_NO_FIELD)
#undef ROWAN_SUM
#undef ROWAN_MAX
#undef ROWAN_SQUARES
    t.rows += static_cast<std::int64_t>(hn::CountTrue(d, in));
  }
}

/// Adds one word a lane.
struct WordSums {
  V nprod, longest, hi_lo, lo;
  HWY_INLINE void add(V word) {
    const D d;
    const hn::RebindToUnsigned<D> du;
    const auto columns = hn::BitCast(d, hn::ShiftRight<16>(hn::BitCast(du, word)));
    const auto products = hn::And(word, hn::Set(d, std::int64_t{BRow::kLong}));
    nprod = hn::Add(nprod, products), longest = hn::Max(longest, products);
    hi_lo = hn::Max(hi_lo, columns), lo = hn::Min(lo, hn::And(columns, hn::Set(d, std::int64_t{BRow::kNoColumn})));
  }
};

HWY_INLINE WordSums of_nothing() {
  const auto zero = hn::Zero(D());
  return {zero, zero, zero, hn::Set(D(), std::int64_t{BRow::kNoColumn})};
}

constexpr std::int64_t kNone = std::int64_t{BRow::kNoColumn} << 16;  // the word of a row without entries

/// A lane a row, each from its own entry of `word` on.
HWY_INLINE WordSums sum_lanes(const std::int64_t* word, V at, V length, std::int64_t steps) {
  const D d;
  WordSums sum = of_nothing();
  for (std::int64_t s = 0; s < steps; s++, at = hn::Add(at, hn::Set(d, 1)))
    sum.add(hn::IfThenElse(hn::Gt(length, hn::Set(d, s)), hn::GatherIndex(d, word, at), hn::Set(d, kNone)));
  return sum;
}

/// One row after another, a vector of its entries at a time.
HWY_NOINLINE WordSums sum_each(const std::int64_t* word, const Offset* ptr) {
  const D d;
  const auto lane = hn::Iota(d, 0);
  WordSums all = of_nothing();
  for (std::int64_t r = 0; r < kLanes; r++, word += ptr[r] - ptr[r - 1]) {
    const std::int64_t length = ptr[r + 1] - ptr[r];
    WordSums sum = of_nothing();
    for (std::int64_t k = 0; k < length; k += kLanes)
      sum.add(hn::IfThenElse(hn::Lt(lane, hn::Set(d, length - k)), hn::LoadU(d, word + k), hn::Set(d, kNone)));
    const auto mine = hn::Eq(lane, hn::Set(d, r));
    all.nprod = hn::IfThenElse(mine, hn::SumOfLanes(d, sum.nprod), all.nprod);
    all.longest = hn::IfThenElse(mine, hn::MaxOfLanes(d, sum.longest), all.longest);
    all.hi_lo = hn::IfThenElse(mine, hn::MaxOfLanes(d, sum.hi_lo), all.hi_lo);
    all.lo = hn::IfThenElse(mine, hn::MinOfLanes(d, sum.lo), all.lo);
  }
  return all;
}

/// To CRow as it lies in memory, whose columns lie in [lo, hi].
HWY_INLINE void store(const RowLanes& r, CRow* rows) {
  const D d;
  const auto hi = hn::Sub(r.end, hn::Set(d, 1));
  constexpr bool kThreeWords = sizeof(CRow) == 24 && std::endian::native == std::endian::little;
  if constexpr (kThreeWords) {
    const auto run = hn::Set(d, std::int64_t{std::bit_cast<std::int32_t>(RowRun())} << 32);
    hn::StoreInterleaved3(r.nprod, hn::Or(r.lo, hn::ShiftLeft<32>(hi)), hn::Or(r.longest, run), d,
                          reinterpret_cast<std::int64_t*>(rows));
  } else {
    alignas(64) Counts nprod, longest, lo, his;
    hn::Store(r.nprod, d, nprod.data()), hn::Store(r.longest, d, longest.data());
    hn::Store(r.lo, d, lo.data()), hn::Store(hi, d, his.data());
    for (std::size_t k = 0; k < kLanes; k++) {
      rows[k] = {};
      rows[k].nprod = static_cast<Offset>(nprod[k]), rows[k].b_max = static_cast<std::int32_t>(longest[k]);
      rows[k].lo = static_cast<Column>(lo[k]), rows[k].hi = static_cast<Column>(his[k]);
    }
  }
}

template <class P>
HWY_INLINE V load(const P* ptr) {
  if constexpr (std::is_same_v<P, std::int64_t>) {
    return hn::LoadU(D(), ptr);
  } else {
    alignas(64) Counts wide;
    std::copy_n(ptr, kLanes, wide.begin());
    return hn::Load(D(), wide.data());
  }
}

// The time that kLanes rows take, in the time that sum_each takes for one entry.
constexpr std::int64_t kTimeOfLaneStep = 9;  // of sum_lanes, for each entry of the longest row
constexpr std::int64_t kTimeOfRows = 107;    // of sum_each, beside one for each entry

HWY_INLINE bool lanes_are_faster(std::int64_t longest, std::int64_t entries) {
  return kTimeOfLaneStep * longest < entries + kTimeOfRows;
}

/// Rows of C from the sums over their entries. `sum` has the first and the last unit of columns that is met, see
/// PatternFacts; where B's rows are known by length alone, any column may be met.
template <class Known>
HWY_INLINE RowLanes rows_of(const WordSums& sum, V length, const PatternFacts& facts, std::int64_t cols) {
  const D d;
  const auto all = hn::Set(d, cols);
  RowLanes r{sum.nprod, sum.longest, hn::Zero(d), all, length};
  if constexpr (std::is_same_v<Known, BRowWords>) {
    const auto last = hn::ShiftRight<24>(sum.hi_lo);
    r.lo = hn::ShiftLeftSame(sum.lo, facts.unit);
    r.end = hn::Min(hn::ShiftLeftSame(hn::Add(last, hn::Set(d, 1)), facts.unit), all);
  }
  const auto empty = hn::Eq(r.nprod, hn::Zero(d));
  r.lo = hn::IfThenZeroElse(empty, r.lo), r.end = hn::IfThenZeroElse(empty, r.end);
  return r;
}

/// Rows i .. i + kLanes one by one: at least one meets a row of B whose length is known as "kLong or more" alone.
template <class Known>
HWY_INLINE void measure_long_lanes(const Pattern& a, const Pattern& b, const PatternFacts& facts, std::int64_t i,
                                   const MeasuredRows& out) {
  for (std::int64_t k = i; k < i + kLanes; k++) {
    out.rows[k] = measure_one<false, Known>(a, b, facts, k);
    out.key_of_row[k] = out.tallies.add(out.rows[k], a.length(k));
  }
}

/// Rows i .. i + kLanes, of which `word` holds what is known of all entries.
template <class Known>
HWY_INLINE void measure_lanes(const Pattern& a, const Pattern& b, const PatternFacts& facts, std::int64_t i,
                              const std::int64_t* word, const MeasuredRows& out) {
  const D d;
  const Offset* const ptr = a.ptr + i;
  const auto begin = load(ptr), length = hn::Sub(load(ptr + 1), begin);
  const std::int64_t longest = hn::GetLane(hn::MaxOfLanes(d, length));
  const WordSums sum = lanes_are_faster(longest, ptr[kLanes] - ptr[0])
                           ? sum_lanes(word, hn::Sub(begin, hn::Set(d, std::int64_t{ptr[0]})), length, longest)
                           : sum_each(word, ptr);
  const auto is_long = hn::Eq(sum.longest, hn::Set(d, std::int64_t{Known::kLong}));
  if (!hn::AllFalse(d, is_long)) return measure_long_lanes<Known>(a, b, facts, i, out);
  const RowLanes r = rows_of<Known>(sum, length, facts, b.cols);
  const auto span = hn::Sub(r.end, r.lo), key = keys_of(r, span);
  store(r, out.rows + i);
  alignas(64) Counts keys;
  hn::Store(key, d, keys.data());
  for (std::size_t k = 0; k < kLanes; k++)
    out.key_of_row[i + static_cast<std::int64_t>(k)] = static_cast<std::uint8_t>(keys[k]);
  tally(r, span, key, keys, out.lanes);
}

template <class Known>
void measure_all(const Pattern& a, const Pattern& b, const PatternFacts& facts, std::int64_t i, std::int64_t last,
                 const MeasuredRows& out) {
  const Known known(facts);
  HWY_ALIGN std::int64_t word[2 * kWords];  // the half behind is read, not used
  const auto one = [&](std::int64_t row) {
    out.rows[row] = a.ptr[row + 1] + kAhead <= a.nnz() ? measure_one<true, Known>(a, b, facts, row)
                                                       : measure_one<false, Known>(a, b, facts, row);
    out.key_of_row[row] = out.tallies.add(out.rows[row], a.length(row));
  };
  while (i + kLanes <= last) {
    const std::int64_t begin = a.ptr[i];
    std::int64_t end = i;
    while (end + kLanes <= last && a.ptr[end + kLanes] - begin <= kWords) end += kLanes;
    if (end == i)
      for (const std::int64_t to = i + kLanes; i < to; i++) one(i);
    const std::int64_t entries = a.ptr[end] - begin;
    for (std::int64_t k = 0; k < entries; k++) word[k] = static_cast<std::int64_t>(known[a.col[begin + k]]);
    for (; i < end; i += kLanes) measure_lanes<Known>(a, b, facts, i, word + (a.ptr[i] - begin), out);
  }
  for (; i < last; i++) one(i);
}

CRow MeasureRow(const Pattern& a, const Pattern& b, const PatternFacts& facts, std::int64_t i) {
  return (facts.scattered ? measure_one<false, BRowLengths> : measure_one<false, BRowWords>)(a, b, facts, i);
}
void MeasureRows(const Pattern& a, const Pattern& b, const PatternFacts& facts, std::int64_t first, std::int64_t last,
                 const MeasuredRows& out) {
  (facts.scattered ? measure_all<BRowLengths> : measure_all<BRowWords>)(a, b, facts, first, last, out);
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan {

HWY_EXPORT(MeasureRow);
HWY_EXPORT(MeasureRows);

CRow measure_row(const Pattern& a, const Pattern& b, const PatternFacts& b_facts, std::int64_t i) {
  return HWY_DYNAMIC_DISPATCH(MeasureRow)(a, b, b_facts, i);
}

void measure_rows(const Pattern& a, const Pattern& b, const PatternFacts& b_facts, std::int64_t first,
                  std::int64_t last, const MeasuredRows& out) {
  HWY_DYNAMIC_DISPATCH(MeasureRows)(a, b, b_facts, first, last, out);
}

}  // namespace rowan
#endif
