#include "accumulators/dense/device/run.hpp"

#include "accumulators/dense/device/bits.hpp"
#include "accumulators/device/shape.hpp"
#include "accumulators/device/walk.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {
namespace {

/// A team's row of C: where it begins in C and its pattern, which all its rows have.
struct Team {
  std::int64_t row, to;
  int rows, entries;  // of each row
  int lo, words;
};

__device__ Team team_at(std::int64_t row, const std::uint8_t* team, const std::int32_t* facts,
                        const std::int64_t* row_ptr) {
  const std::int64_t to = row_ptr[row];
  const int lo = facts[4 * row];
  return {row, to, team[row], static_cast<int>(row_ptr[row + 1] - to), lo, (facts[4 * row + 1] - lo) / kBits + 1};
}

/// Shared memory of a team.
template <class T>
struct Room {
  TeamBatch<T>* batch;
  T* sums;  // row by row
  unsigned *bits, *before;

  /// That of team `mine` of `teams`.
  __device__ Room(int teams, int mine, int most_words, int most_entries) {
    simt::DynamicShared shared;
    const int sums_each = most_entries * kTeamRows;
    batch = shared.take<TeamBatch<T>>(teams) + mine;
    sums = shared.take<T>(teams * sums_each) + mine * sums_each;
    bits = shared.take<unsigned>(teams * most_words) + mine * most_words;
    before = shared.take<unsigned>(teams * most_words) + mine * most_words;
  }
};

/// Writes a batch of entries of A, from the row's entry `base`: which rows of B are walked together, and A's values.
/// By 32 lanes.
template <class T>
__device__ void fill_batch(const Operand<T>& a, const Pattern& b, const std::uint8_t* same, const Team& team, int base,
                           TeamBatch<T>& batch) {
  const Lanes lanes(TeamBatch<T>::kEntries);
  const Mask mask = simt::group_mask(lanes.size());
  const int l = lanes.rank(), mine = base + l;
  const std::int64_t begin = a.ptr[team.row], length = a.ptr[team.row + 1] - begin;
  const bool here = mine < length;
  const int j = here ? a.col[begin + mine] : -2;
  const int left = simt::shuffle_up(mask, j, 1, lanes.size());
  const bool alike = here && l > 0 && j == left + 1 && same[j] == kSameAsPrevious;
  const auto bits_of = [&](bool p) {
    return static_cast<unsigned>(simt::ballot(mask, p) >> (simt::lane() / lanes.size() * lanes.size()));
  };
  const unsigned chain = bits_of(alike);
  int behind = 0, ahead = 1;  // rows of B of one pattern before this one, and from it on
  while (behind < l && (chain >> (l - behind) & 1U) != 0) behind++;
  while (ahead < kTeamRows && l + ahead < lanes.size() && (chain >> (l + ahead) & 1U) != 0) ahead++;
  const bool first = here && behind % kTeamRows == 0;
  const unsigned firsts = bits_of(first);
  if (first) {
    const int g = __popc(firsts & static_cast<unsigned>(simt::below(l)));
    const std::int64_t from = b.ptr[j];
    batch.from[g] = from, batch.n[g] = static_cast<int>(b.ptr[j + 1] - from);
    batch.rows[g] = ahead, batch.entry[g] = l;
  }
  if (l == 0) batch.groups = __popc(firsts);
  if (here)
    for (int r = 0; r < team.rows; r++) batch.scale[l * team.rows + r] = a.val[begin + r * length + mine];
}

/// Adds kSame rows of B, of one pattern and one after another, to kRows rows of sums.
template <int kRows, int kSame, class Scope, class T>
__device__ void add_group(const Scope& scope, const Operand<T>& b, std::int64_t from, int n, const T* scale,
                          const Team& team, const Room<T>& room) {
  constexpr int kAtOnce = 2;  // columns of a lane whose loads wait together
  Held<Held<T, kRows>, kSame> x;
  ROWAN_UNROLL
  for (int s = 0; s < kSame; s++) {
    ROWAN_UNROLL
    for (int r = 0; r < kRows; r++) x[s][r] = scale[s * kRows + r];
  }
  for (int i = scope.rank(); i < n; i += kAtOnce * scope.size()) {
    int at[kAtOnce];
    Held<T, kSame> y[kAtOnce];
    ROWAN_UNROLL
    for (int u = 0; u < kAtOnce; u++) {
      const int k = i + u * scope.size();
      at[u] = k < n ? b.col[from + k] - team.lo : -1;
      ROWAN_UNROLL
      for (int s = 0; s < kSame; s++) y[u][s] = k < n ? b.val[from + s * n + k] : T{0};
    }
    ROWAN_UNROLL
    for (int u = 0; u < kAtOnce; u++)
      if (at[u] >= 0) at[u] = rank_of(room.bits, room.before, at[u]);
    ROWAN_UNROLL
    for (int r = 0; r < kRows; r++) {
      ROWAN_UNROLL
      for (int u = 0; u < kAtOnce; u++) {
        if (at[u] < 0) continue;
        T& place = room.sums[r * team.entries + at[u]];
        T sum = place;
        ROWAN_UNROLL
        for (int s = 0; s < kSame; s++) sum += x[s][r] * y[u][s];
        place = sum;
      }
    }
  }
}

/// Sums of a team's rows, group by group of B's.
template <int kRows, class Scope, class T>
__device__ void add_all(const Scope& scope, const Operand<T>& a, const Operand<T>& b, const std::uint8_t* same,
                        const Team& team, const Room<T>& room) {
  TeamBatch<T>& batch = *room.batch;
  const std::int64_t length = a.length(team.row);
  for (int base = 0; base < length; base += TeamBatch<T>::kEntries) {
    if (scope.rank() < TeamBatch<T>::kEntries) fill_batch(a, b, same, team, base, batch);
    scope.sync();
    const int groups = batch.groups;
    for (int g = 0; g < groups; g++) {
      const T* const scale = batch.scale + batch.entry[g] * kRows;
      const std::int64_t from = batch.from[g];
      switch (const int n = batch.n[g]; batch.rows[g]) {
        case 1:
          add_group<kRows, 1>(scope, b, from, n, scale, team, room);
          break;
        case 2:
          add_group<kRows, 2>(scope, b, from, n, scale, team, room);
          break;
        case 3:
          add_group<kRows, 3>(scope, b, from, n, scale, team, room);
          break;
        default:
          add_group<kRows, 4>(scope, b, from, n, scale, team, room);
      }
      scope.sync();
    }
  }
}

/// Everything of a team once its bits are marked.
template <class Scope, class T>
__device__ void multiply_team(const Scope& scope, const Operand<T>& a, const Operand<T>& b, const std::uint8_t* same,
                              const Team& team, const Room<T>& room, std::int32_t* col, T* val) {
  rank_words(scope, room.bits, room.before, team.words);
  scope.sync();
  // columns go by way of shared memory: C's rows are written one after another
  auto* const columns = reinterpret_cast<std::int32_t*>(room.sums);
  for (int w = scope.rank(); w < team.words; w += scope.size()) {
    unsigned k = room.before[w];
    for (unsigned left = room.bits[w]; left != 0; left &= left - 1)
      columns[k++] = team.lo + w * kBits + __ffs(left) - 1;
  }
  scope.sync();
  for (int r = 0; r < team.rows; r++) {
    std::int32_t* const to = col + team.to + static_cast<std::int64_t>(r) * team.entries;
    for (int k = scope.rank(); k < team.entries; k += scope.size()) to[k] = columns[k];
  }
  scope.sync();
  for (int k = scope.rank(); k < team.rows * team.entries; k += scope.size()) room.sums[k] = T{0};
  scope.sync();
  switch (team.rows) {
    case 1:
      add_all<1>(scope, a, b, same, team, room);
      break;
    case 2:
      add_all<2>(scope, a, b, same, team, room);
      break;
    case 3:
      add_all<3>(scope, a, b, same, team, room);
      break;
    default:
      add_all<4>(scope, a, b, same, team, room);
  }
  for (int k = scope.rank(); k < team.rows * team.entries; k += scope.size()) val[team.to + k] = room.sums[k];
}

template <class T>
__global__ void __launch_bounds__(kTeamThreads)
    numeric_waves(Operand<T> a, Operand<T> b, RowList rows, RunFacts runs, const std::int32_t* facts,
                  const std::int64_t* row_ptr, std::int32_t* col, T* val, int most_words, int most_entries, int group) {
  constexpr int kTeams = kTeamThreads / kTeamLanes;
  const Lanes lanes(kTeamLanes);
  const int mine = static_cast<int>(threadIdx.x) / kTeamLanes;
  const Room<T> room(kTeams, mine, most_words, most_entries);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kTeams + mine;
  if (i >= rows.count) return;
  const Team team = team_at(rows[i], runs.team, facts, row_ptr);
  for (int w = lanes.rank(); w < team.words; w += lanes.size()) room.bits[w] = 0;
  lanes.sync();
  walk<NoValue>(
      lanes, a, nullptr, {b.ptr, runs.b_relation}, team.row, group,
      [&](std::int64_t at, NoValue) { mark(room.bits, b.col[at] - team.lo); }, [] {});
  lanes.sync();
  multiply_team(lanes, a, b, runs.b_relation, team, room, col, val);
}

template <class T>
__global__ void __launch_bounds__(kTeamThreads)
    numeric_blocks(Operand<T> a, Operand<T> b, RowList rows, RunFacts runs, const std::int32_t* facts,
                   const std::int64_t* row_ptr, std::int32_t* col, T* val, int most_words, int most_entries,
                   int group) {
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  const Room<T> room(1, 0, most_words, most_entries);
  const Team team = team_at(rows[blockIdx.x], runs.team, facts, row_ptr);
  for (int w = block.rank(); w < team.words; w += block.size()) room.bits[w] = 0;
  block.sync();
  walk_in_block<NoValue>(a, nullptr, {b.ptr, runs.b_relation}, team.row, group,
                         [&](std::int64_t at, NoValue) { mark(room.bits, b.col[at] - team.lo); });
  block.sync();
  multiply_team(block, a, b, runs.b_relation, team, room, col, val);
}

}  // namespace

template <class T>
void run_numeric(const NumericLaunch<T>& l, int kernel) {
  const int words = static_cast<int>((l.extent.span_max + kBits - 1) / kBits + 1),
            entries = static_cast<int>(l.extent.bound_max);
  const std::size_t each = team_bytes(l.extent.span_max, l.extent.bound_max, sizeof(T));
  if (kernel == RunOnDevice::kWave) {
    constexpr int kTeams = kTeamThreads / kTeamLanes;
    allow_shared(numeric_waves<T>, kTeams * each);
    launch(numeric_waves<T>,
           {.grid = (l.rows.count + kTeams - 1) / kTeams, .block = kTeamThreads, .shared = kTeams * each}, l.stream,
           l.a, l.b, l.rows, l.runs, l.facts, l.row_ptr, l.col, l.val, words, entries, l.group);
    return;
  }
  // as many threads as rows of B keep busy; whole waves
  constexpr double kShort = 96;
  const int threads = l.b_row_avg < kShort ? kTeamThreads / 2 : kTeamThreads;
  allow_shared(numeric_blocks<T>, each);
  launch(numeric_blocks<T>, {.grid = l.rows.count, .block = threads, .shared = each}, l.stream, l.a, l.b, l.rows,
         l.runs, l.facts, l.row_ptr, l.col, l.val, words, entries, l.group);
}

template void run_numeric(const NumericLaunch<float>&, int);
template void run_numeric(const NumericLaunch<double>&, int);

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
