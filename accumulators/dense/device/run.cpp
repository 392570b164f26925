#include "accumulators/dense/device/run.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "accumulators/common/device/shape.hpp"
#include "accumulators/dense/device/team.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {
namespace {

/// A team's row of C: where it begins in C and its pattern, which all its rows have.
struct RunBundle {
  std::int64_t row, to;
  int rows, entries;  // of each row
  int lo, words;      // of the span
};

__device__ RunBundle team_at(std::int64_t row, const std::uint8_t* team, const CRow* c_rows,
                             const std::int64_t* row_ptr) {
  const std::int64_t to = row_ptr[row];
  const int lo = c_rows[row].lo;
  return {row, to, team[row], static_cast<int>(row_ptr[row + 1] - to), lo, (c_rows[row].hi - lo) / kBits + 1};
}

/// Two rows' sums, or values of A, side by side: one access for both.
template <class T>
struct alignas(2 * sizeof(T)) ValuePair {
  T first, second;
};

/// A narrow span's words that are not zero: each word of the span has a slot.
struct SlotWords {
  SavedWord* words;
  std::uint16_t* slot;  // which of `words` a word of the span is, where it is one

  __device__ int place_of(int column) const {
    const SavedWord w = words[slot[column / kBits]];
    return w.before() + __popc(w.bits & (bit_of(column) - 1));
  }
};

/// A wide span's: a second look-up takes the place of slots, of which there would be too many.
struct FoundWords {
  RankedWord* words;
  SparseBitmap sparse;

  __device__ int place_of(int column) const { return words[sparse.word_of(column)].rank(column); }
};

/// Shared memory of a team. `Words`: SlotWords or FoundWords.
template <class T, class Words>
struct BundleShared {
  EqualRows* groups;
  ValuePair<T>* scale;  // A's values of a batch: entry by entry, its rows side by side
  ValuePair<T>* sums;  // two rows at a time, then an odd one; before, the bitmap of a narrow span, and then the columns
  Words found;
  int* count;  // of words, and of a batch's groups

  __device__ BundleShared(const BundleCapacity& sizes, int teams, int mine) {
    simt::DynamicShared shared;
    const auto take = [&](auto one, int each) { return shared.take<decltype(one)>(teams * each) + mine * each; };
    groups = take(EqualRows{}, sizes.groups);
    scale = take(ValuePair<T>{}, sizes.scales);
    sums = take(ValuePair<T>{}, sizes.pairs);
    if constexpr (std::is_same_v<Words, FoundWords>) {
      found.words = take(RankedWord{}, sizes.kept);
      found.sparse.above = take(RankedWord{}, sizes.above);
      count = take(int{}, 1);
    } else {
      found.words = take(SavedWord{}, sizes.kept);
      count = take(int{}, 1);
      found.slot = take(std::uint16_t{}, sizes.slots);
    }
  }
  __device__ unsigned* bits() const { return reinterpret_cast<unsigned*>(sums); }
  __device__ std::int32_t* columns() const { return reinterpret_cast<std::int32_t*>(sums); }
};

/// Adds kSame rows of B, of one pattern and one after another, to the team's sums: from column `begin` on kAtOnce of a
/// lane's, all but the last of which all lanes have. Loads go together and nothing branches: waits are what it costs.
template <int kSame, int kAtOnce, class Scope, class T, class Words>
__device__ void add_columns(const Scope& scope, const Operand<T>& b, const EqualRows& group, int begin, int rows,
                            const RunBundle& team, const BundleShared<T, Words>& room) {
  const int first = begin + scope.rank(), end = group.n - 1;
  const bool last = first + (kAtOnce - 1) * scope.size() <= end;
  const Column* const col = b.col + group.from;
  const T* const val = b.val + group.from;
  Held<int, kAtOnce> at;
  Held<Held<T, kSame>, kAtOnce> y;
  ROWAN_UNROLL
  for (int u = 0; u < kAtOnce; u++) {
    const int k = u + 1 < kAtOnce || last ? first + u * scope.size() : end;
    at[u] = col[k] - team.lo;
    ROWAN_UNROLL
    for (int s = 0; s < kSame; s++) y[u][s] = val[s * group.n + k];
  }
  ROWAN_UNROLL
  for (int u = 0; u < kAtOnce; u++) at[u] = room.found.place_of(at[u]);
  const int pairs = (rows + 1) / 2;
  const ValuePair<T>* const scale = room.scale + group.entry * pairs;
  ROWAN_ROLLED
  for (int p = 0; p < rows / 2; p++) {
    ValuePair<T>* const sums = room.sums + p * team.entries;
    Held<ValuePair<T>, kAtOnce> sum;
    ROWAN_UNROLL
    for (int u = 0; u < kAtOnce; u++) sum[u] = u + 1 < kAtOnce || last ? sums[at[u]] : ValuePair<T>{T{0}, T{0}};
    ROWAN_UNROLL
    for (int s = 0; s < kSame; s++) {
      const ValuePair<T> x = scale[s * pairs + p];
      ROWAN_UNROLL
      for (int u = 0; u < kAtOnce; u++) sum[u].first += x.first * y[u][s], sum[u].second += x.second * y[u][s];
    }
    ROWAN_UNROLL
    for (int u = 0; u < kAtOnce; u++)
      if (u + 1 < kAtOnce || last) sums[at[u]] = sum[u];
  }
  if (rows % 2 == 0) return;
  T* const sums = &room.sums[rows / 2 * team.entries].first;
  Held<T, kAtOnce> sum;
  ROWAN_UNROLL
  for (int u = 0; u < kAtOnce; u++) sum[u] = u + 1 < kAtOnce || last ? sums[at[u]] : T{0};
  ROWAN_UNROLL
  for (int s = 0; s < kSame; s++) {
    const T x = scale[s * pairs + rows / 2].first;
    ROWAN_UNROLL
    for (int u = 0; u < kAtOnce; u++) sum[u] += x * y[u][s];
  }
  ROWAN_UNROLL
  for (int u = 0; u < kAtOnce; u++)
    if (u + 1 < kAtOnce || last) sums[at[u]] = sum[u];
}

template <int kSame, class Scope, class T, class Words>
__device__ void add_group(const Scope& scope, const Operand<T>& b, const EqualRows& group, int rows,
                          const RunBundle& team, const BundleShared<T, Words>& room) {
  for (int k = 0; k < group.n; k += kColumns * scope.size()) {
    if (const int left = group.n - k; left > 2 * scope.size())
      add_columns<kSame, kColumns>(scope, b, group, k, rows, team, room);
    else if (left > scope.size())
      add_columns<kSame, 2>(scope, b, group, k, rows, team, room);
    else
      add_columns<kSame, 1>(scope, b, group, k, rows, team, room);
  }
}

/// Sums of the team's rows `first` to `first + rows`, group by group of B's.
template <class Scope, class T, class Words>
__device__ void add_rows(const Scope& scope, const Operand<T>& a, const Operand<T>& b, const std::uint8_t* same,
                         const RunBundle& team, int first, int rows, const BundleShared<T, Words>& room) {
  const Lanes lanes(kTeamLanes);
  const std::int64_t begin = a.ptr[team.row];
  const int length = static_cast<int>(a.ptr[team.row + 1] - begin), stride = (rows + 1) / 2 * 2;
  T* const scale = &room.scale[0].first;
  for (int base = 0; base < length; base += kTeamLanes) {
    const int n = length - base < kTeamLanes ? length - base : kTeamLanes;
    if (scope.rank() < kTeamLanes) {
      const int groups = make_groups<kEqualRows>(lanes, a, b, same, begin + base, n, room.groups);
      if (scope.rank() == 0) *room.count = groups;
    }
    if (const int e = scope.rank() % kTeamLanes; e < n)
      for (int r = scope.rank() / kTeamLanes; r < rows; r += scope.size() / kTeamLanes)
        scale[e * stride + r] = a.val[begin + (first + r) * length + base + e];
    scope.sync();
    const int groups = *room.count;
    for (int g = 0; g < groups; g++) {
      const EqualRows group = room.groups[g];
      switch (group.rows) {
        case 1:
          add_group<1>(scope, b, group, rows, team, room);
          break;
        case 2:
          add_group<2>(scope, b, group, rows, team, room);
          break;
        case 3:
          add_group<3>(scope, b, group, rows, team, room);
          break;
        default:
          add_group<kEqualRows>(scope, b, group, rows, team, room);
      }
      scope.sync();
    }
  }
}

/// The words of the bundle that the symbolic phase kept; n is 0: none.
__device__ SavedRange words_of(const RunFacts& runs, const RunBundle& team) {
  const SavedRange kept = runs.saved.of_row == nullptr ? SavedRange{0, 0} : runs.saved.of_row[team.row];
  return kept.n > 0 ? kept : SavedRange{0, 0};
}

/// The words of the row's bitmap that are not zero, those that were kept or of a bitmap made now; and the row's
/// columns.
template <class Scope, class T>
__device__ void find_columns(const Scope& scope, const Operand<T>& a, const Operand<T>& b, const RunFacts& runs,
                             const RunBundle& team, const BundleShared<T, SlotWords>& room) {
  const auto put = [&](int k, const SavedWord& w) {
    room.found.words[k] = w, room.found.slot[w.at()] = static_cast<std::uint16_t>(k);
  };
  int n = 0;
  if (const SavedRange kept = words_of(runs, team); kept.n != 0) {
    n = kept.n;
    for (int k = scope.rank(); k < n; k += scope.size()) put(k, runs.saved.words[kept.from + k]);
    scope.sync();
  } else {
    for (int w = scope.rank(); w < team.words; w += scope.size()) room.bits()[w] = 0;
    scope.sync();
    const int mine = scope.rank() / kTeamLanes, all = scope.size() / kTeamLanes;
    for_columns(Lanes(kTeamLanes), a, b, runs.b_relation, team.row, mine, all, team.lo, room.groups + mine * kTeamLanes,
                [&](int column) { look_and_mark(room.bits() + column / kBits, bit_of(column)); });
    scope.sync();
    if (scope.rank() < kTeamLanes) {
      const int words = for_words(Lanes(kTeamLanes), room.bits(), team.words, put);
      if (scope.rank() == 0) *room.count = words;
    }
    scope.sync();
    n = *room.count;
  }
  for (int k = scope.rank(); k < n; k += scope.size()) {
    const SavedWord w = room.found.words[k];
    write_columns(w.bits, team.lo + w.at() * kBits, room.columns() + w.before());
  }
  scope.sync();
}

/// The same of a wide span.
template <class Scope, class T>
__device__ void find_columns(const Scope& scope, const Operand<T>& a, const Operand<T>& b, const RunFacts& runs,
                             const RunBundle& team, const BundleShared<T, FoundWords>& room) {
  const Lanes lanes(kTeamLanes);
  const int mine = scope.rank() / kTeamLanes, all = scope.size() / kTeamLanes;
  const SparseBitmap& sparse = room.found.sparse;
  RankedWord* const words = room.found.words;
  const auto above = static_cast<int>(SparseBitmap::size_above(team.words));
  const auto for_each_word = [&](const auto& f) {
    sparse.for_words(scope.rank(), scope.size(), above, f);
    scope.sync();
  };
  const auto put_columns = [&](int k, int w) {
    write_columns(words[k].bits, team.lo + w * kBits, room.columns() + words[k].before);
  };
  for (int k = scope.rank(); k < above; k += scope.size()) sparse.above[k] = {0, 0};
  scope.sync();
  if (const SavedRange kept = words_of(runs, team); kept.n != 0) {
    for (int k = scope.rank(); k < kept.n; k += scope.size()) {
      const SavedWord w = runs.saved.words[kept.from + k];
      words[k] = {w.bits, 0};
      sparse.mark_above(word_of_span(w, team.words));
    }
    scope.sync();
    if (mine == 0) rank_words(lanes, sparse.above, above);
    if (mine == all - 1) rank_words(lanes, words, kept.n);
    scope.sync();
    for (int k = scope.rank(); k < kept.n; k += scope.size())
      put_columns(k, word_of_span(runs.saved.words[kept.from + k], team.words));
    scope.sync();
    return;
  }
  const auto for_each_column = [&](const auto& f) {
    for_columns(lanes, a, b, runs.b_relation, team.row, mine, all, team.lo, room.groups + mine * kTeamLanes, f);
    scope.sync();
  };
  for_each_column([&](int column) { sparse.mark_above(column / kBits); });
  if (mine == 0) {
    const int n = rank_words(lanes, sparse.above, above);
    if (lanes.rank() == 0) *room.count = n;
  }
  scope.sync();
  for_each_word([&](int k, int) { words[k] = {0, 0}; });
  for_each_column([&](int column) { look_and_mark(&words[sparse.word_of(column)].bits, bit_of(column)); });
  if (mine == 0) rank_words(lanes, words, *room.count);
  scope.sync();
  for_each_word(put_columns);
}

template <class Scope, class T, class Words>
__device__ void multiply_team(const Scope& scope, const Operand<T>& a, const Operand<T>& b, const RunFacts& runs,
                              const RunBundle& team, const BundleShared<T, Words>& room, int most_rows, Column* col,
                              T* val) {
  // columns go by way of shared memory: C's rows are written one after another
  find_columns(scope, a, b, runs, team, room);
  for (int k = scope.rank(); k < team.entries; k += scope.size()) {
    const std::int32_t c = room.columns()[k];
    for (int r = 0; r < team.rows; r++) col[team.to + static_cast<std::int64_t>(r) * team.entries + k] = c;
  }
  for (int first = 0; first < team.rows; first += most_rows) {
    const int rows = team.rows - first < most_rows ? team.rows - first : most_rows;
    scope.sync();
    for (int k = scope.rank(); k < (rows * team.entries + 1) / 2; k += scope.size()) room.sums[k] = {T{0}, T{0}};
    scope.sync();
    add_rows(scope, a, b, runs.b_relation, team, first, rows, room);
    T* const to = val + team.to + static_cast<std::int64_t>(first) * team.entries;
    for (int p = 0; p < rows / 2; p++)
      for (int k = scope.rank(); k < team.entries; k += scope.size()) {
        const ValuePair<T> sum = room.sums[p * team.entries + k];
        to[2 * p * team.entries + k] = sum.first, to[(2 * p + 1) * team.entries + k] = sum.second;
      }
    if (rows % 2 != 0) {
      const T* const last = &room.sums[rows / 2 * team.entries].first;
      for (int k = scope.rank(); k < team.entries; k += scope.size()) to[(rows - 1) * team.entries + k] = last[k];
    }
  }
}

/// kTeamLanes lanes a bundle of rows, the grid as many blocks as bundles need. Shared memory: a BundleShared for each.
template <class T, class Words>
__global__ void __launch_bounds__(kTeamThreads)
    numeric_waves(Operand<T> a, Operand<T> b, RowList rows, RunFacts runs, const CRow* c_rows,
                  const std::int64_t* row_ptr, Column* col, T* val, BundleCapacity sizes) {
  if (rows.cancelled) return;
  const int teams = static_cast<int>(blockDim.x) / kTeamLanes, mine = static_cast<int>(threadIdx.x) / kTeamLanes;
  const BundleShared<T, Words> room(sizes, teams, mine);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * teams + mine;
  if (i >= rows.count) return;
  multiply_team(Lanes(kTeamLanes), a, b, runs, team_at(rows[i], runs.bundle_rows, c_rows, row_ptr), room, sizes.rows,
                col, val);
}

/// A block a bundle of rows, whose BundleShared is in shared memory. kOwnRows: each bundle adds up as many rows at a
/// time as its own entries allow. (In all launches so: 2 % slower.)
template <class T, class Words, bool kOwnRows>
__global__ void __launch_bounds__(kTeamThreads)
    numeric_blocks(Operand<T> a, Operand<T> b, RowList rows, RunFacts runs, const CRow* c_rows,
                   const std::int64_t* row_ptr, Column* col, T* val, BundleCapacity sizes) {
  if (rows.cancelled) return;
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const RunBundle team = team_at(rows[blockIdx.x], runs.bundle_rows, c_rows, row_ptr);
  if constexpr (kOwnRows) {
    const int saved = words_of(runs, team).n, most = team.words < team.entries ? team.words : team.entries;
    sizes = sizes.of_team(team.entries, saved != 0 ? saved : most, sizeof(T));
  }
  multiply_team(WholeBlock(scratch), a, b, runs, team, BundleShared<T, Words>(sizes, 1, 0), sizes.rows, col, val);
}

/// Where `most` bytes are too few for all rows of the longest bundle: what a bundle a little above the average needs
/// for all its rows, or for fewer at a time where that is too much, too; in any case what the longest needs for one
/// row. (All bundles adding up as few rows at a time as the longest: a mesh of quadratic elements 5.8 ms in place
/// of 3.9.)
template <class T>
BundleCapacity sizes_of_most(const NumericLaunch<T>& l, int rows, int groups, std::size_t most) {
  constexpr double kAbove = kShapes.run.above_average;
  const double average = static_cast<double>(l.nnz) / static_cast<double>(l.rows.count);
  const std::int64_t usual = std::min(l.extent.bound_max, static_cast<std::int64_t>(std::ceil(kAbove * average)));
  BundleCapacity sizes = bundle_capacity(l.extent.span_max, l.extent.bound_max, 1, sizeof(T), groups);
  sizes.scales = kTeamLanes * ((rows + 1) / 2);
  const std::size_t longest = bundle_bytes(sizes, sizeof(T));
  for (int n = rows; n > 0; n--) {
    const BundleCapacity wanted = bundle_capacity(l.extent.span_max, usual, n, sizeof(T), groups);
    const std::size_t bytes = bundle_bytes(wanted, sizeof(T));
    if (bytes > most) continue;
    if (bytes > longest) sizes.pairs += static_cast<int>((bytes - longest) / (2 * sizeof(T)));
    break;
  }
  sizes.rows = rows;
  return sizes;
}

template <class T, class Words>
void fill_bundles(const NumericLaunch<T>& l) {
  const int rows = std::min(kMaxBundleRows, static_cast<int>(std::ceil(l.bundle_rows_avg)));
  const auto sizes_of = [&](int n, int groups) {
    return bundle_capacity(l.extent.span_max, l.extent.bound_max, n, sizeof(T), groups);
  };
  BundleCapacity sizes = sizes_of(rows, kTeamLanes);
  if (const std::size_t each = bundle_bytes(sizes, sizeof(T)); each <= kTeamAlone) {
    const std::size_t shared = kWaveTeams * each;
    allow_shared(numeric_waves<T, Words>, shared);
    launch(numeric_waves<T, Words>,
           {.grid = (l.rows.count + kWaveTeams - 1) / kWaveTeams, .block = kWaveTeams * kTeamLanes, .shared = shared},
           l.stream, l.a, l.b, l.rows, l.runs, l.c_rows, l.row_ptr, l.col, l.val, sizes);
    return;
  }
  // as many threads as rows of B keep busy; whole waves
  constexpr double kShort = kShapes.run.short_rows_of_b;
  const int threads = l.b_row_avg < kShort ? kTeamThreads / 2 : kTeamThreads;
  sizes = sizes_of(rows, threads);
  const std::size_t most = std::min(kTeamBlockShared, l.device.shared_limit - kTeamOwnShared);
  const bool all_rows = bundle_bytes(sizes, sizeof(T)) <= most;
  if (!all_rows) sizes = sizes_of_most(l, rows, threads, most);
  const auto chosen = all_rows ? numeric_blocks<T, Words, false> : numeric_blocks<T, Words, true>;
  const std::size_t each = bundle_bytes(sizes, sizeof(T));
  allow_shared(chosen, each);
  launch(chosen, {.grid = l.rows.count, .block = threads, .shared = each}, l.stream, l.a, l.b, l.rows, l.runs, l.c_rows,
         l.row_ptr, l.col, l.val, sizes);
}

}  // namespace

template <class T>
void run_numeric(const NumericLaunch<T>& l) {
  l.extent.span_max > kWaveSpan ? fill_bundles<T, FoundWords>(l) : fill_bundles<T, SlotWords>(l);
}

#define ROWAN_INSTANTIATE(T) template void run_numeric(const NumericLaunch<T>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
