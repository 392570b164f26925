// Hash, symbolic: every column of a row goes into its table once; how many were new is the row's size.
#include "accumulators/common/device/shape.hpp"
#include "accumulators/common/device/walk.hpp"
#include "accumulators/hash/device/hash.hpp"
#include "accumulators/hash/device/table.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {
namespace {

constexpr std::int64_t kTooMany = -1;  // in place of a row's entries: more than were tried

/// A lane's columns go into its row's table; it stops when its collisions are too many (DeltaSPARSE, section III.A).
template <bool kGivesUp>
struct Counting {
  static constexpr int kFirst = kShapes.hash.first_collisions;  // collisions that say nothing yet
  int* keys;
  int table, collisions;
  int found = 0, left = kFirst;

  __device__ void take(int column) {
    bool fresh;
    if constexpr (kGivesUp) {
      if (left < 0) return;
      left += collisions;
      insert(keys, table, column, fresh, [this] { left--; });
    } else {
      insert(keys, table, column, fresh);
    }
    found += fresh ? 1 : 0;
  }
  /// All lanes of a row together: its entries, or the row is handed on.
  template <class Scope>
  __device__ void end(const Scope& scope, std::int64_t row, std::int64_t* nnz, const AbandonedRows& abandoned) {
    found = scope.sum(found);
    if constexpr (kGivesUp) {
      if (scope.min(left) < 0) {
        if (scope.rank() == 0) abandoned.list[simt::atomic_add(abandoned.count, 1)] = static_cast<std::int32_t>(row);
        return;
      }
    }
    if (scope.rank() == 0) nnz[row] = found;
  }
};

/// `threads` lanes a row, the grid as many blocks as rows need. Shared memory: a table of `table` slots for each row.
template <bool kGivesUp>
__global__ void __launch_bounds__(kBlockOfGroups)
    symbolic_lanes(Pattern a, Pattern b, RowList rows, RunFacts runs, AbandonedRows abandoned, std::int64_t* nnz,
                   int threads, int table, int group) {
  if (rows.cancelled) return;
  const Lanes lanes(threads);
  const int groups = kBlockOfGroups / threads, mine = static_cast<int>(threadIdx.x) / threads;
  simt::DynamicShared shared;
  const int pitch = table + threads;  // neighbours' tables begin in different banks
  int* const keys = shared.take<int>(groups * pitch) + mine * pitch;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * groups + mine;
  if (i >= rows.count) return;
  const std::int64_t row = rows[i];
  for (int k = lanes.rank(); k < table; k += threads) keys[k] = kNoKey;
  lanes.sync();
  Counting<kGivesUp> own{keys, table, abandoned.collisions};
  walk<NoValue>(lanes, a, nullptr, {b.ptr, runs.b_relation}, row, group,
                [&](std::int64_t at, NoValue) { own.take(b.col[at]); });
  own.end(lanes, row, nnz, abandoned);
}

/// A block a row, with its table in shared memory; or, for rows of which nothing is known but that they have more
/// entries than were tried, in global memory, where a block takes row after row.
template <bool kShared, bool kGivesUp>
__global__ void __launch_bounds__(kMostThreads)
    symbolic_block(Pattern a, Pattern b, RowList rows, RunFacts runs, AbandonedRows abandoned, std::int64_t* nnz,
                   int table, int group, int* tables) {
  if (rows.cancelled) return;
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  int* keys;
  if constexpr (kShared) {
    simt::DynamicShared shared;
    keys = shared.take<int>(table);
  } else {
    keys = tables + static_cast<std::int64_t>(blockIdx.x) * table;
  }
  for (std::int64_t i = blockIdx.x; i < rows.count; i += gridDim.x) {
    const std::int64_t row = rows[i];
    if (!kShared && nnz[row] != kTooMany) continue;
    for (int k = block.rank(); k < table; k += block.size()) keys[k] = kNoKey;
    block.sync();
    Counting<kGivesUp> own{keys, table, abandoned.collisions};
    walk_in_block<NoValue>(a, nullptr, {b.ptr, runs.b_relation}, row, group,
                           [&](std::int64_t at, NoValue) { own.take(b.col[at]); });
    own.end(block, row, nnz, abandoned);
  }
}

/// Rows beyond all tables, whose bounds say little: a block tries each in a table of `table` slots in shared memory,
/// until that is too full (OpSparse, section 5.6.1).
__global__ void __launch_bounds__(kMostThreads)
    symbolic_tried(Pattern a, Pattern b, RowList rows, RunFacts runs, std::int64_t* nnz, int table, int group) {
  if (rows.cancelled) return;
  ROWAN_SHARED(int, taken, 1);
  simt::DynamicShared shared;
  int* const keys = shared.take<int>(table);
  const int most = most_tried(table);
  const std::int64_t row = rows[blockIdx.x];
  for (int k = static_cast<int>(threadIdx.x); k < table; k += static_cast<int>(blockDim.x)) keys[k] = kNoKey;
  if (threadIdx.x == 0) taken[0] = 0;
  __syncthreads();
  walk_in_block<NoValue>(a, nullptr, {b.ptr, runs.b_relation}, row, group, [&](std::int64_t at, NoValue) {
    if (simt::load_relaxed(taken) > most) return;
    bool fresh;
    insert_anywhere(keys, table, b.col[at], fresh);
    if (fresh) simt::atomic_add(taken, 1);
  });
  __syncthreads();
  if (threadIdx.x == 0) nnz[row] = taken[0] > most ? kTooMany : taken[0];
}

void beyond_tables(const SymbolicLaunch& l) {
  const int tried = tried_places(l.device.shared_limit);
  const std::size_t tried_bytes = static_cast<std::size_t>(tried) * sizeof(int);
  allow_shared(symbolic_tried, tried_bytes);
  launch(symbolic_tried, {.grid = l.rows.count, .block = kMostThreads, .shared = tried_bytes}, l.stream, l.a, l.b,
         l.rows, l.runs, l.nnz, tried, l.group);
  const std::size_t table_bytes = symbolic_table_bytes(l.extent.bound_max);
  const std::int64_t blocks =
      std::min<std::int64_t>(l.rows.count, static_cast<std::int64_t>(l.tables.bytes / table_bytes));
  launch(symbolic_block<false, false>, {.grid = blocks, .block = kMostThreads}, l.stream, l.a, l.b, l.rows, l.runs,
         l.abandoned, l.nnz, static_cast<int>(table_bytes / sizeof(int)), l.group,
         reinterpret_cast<int*>(l.tables.data));
}

}  // namespace

void symbolic(const SymbolicLaunch& l, int kernel) {
  if (kernel == static_cast<int>(kSymbolic.size())) return beyond_tables(l);
  const TableSize& s = kSymbolic[static_cast<std::size_t>(kernel)];
  const std::int64_t rows = rows_a_block(s);
  const Shape shape{.grid = (l.rows.count + rows - 1) / rows, .block = threads_a_block(s), .shared = symbolic_bytes(s)};
  const bool gives_up = l.abandoned.list != nullptr;
  if (s.threads <= kMostLanes) {
    const auto lanes = gives_up ? symbolic_lanes<true> : symbolic_lanes<false>;
    allow_shared(lanes, shape.shared);
    launch(lanes, shape, l.stream, l.a, l.b, l.rows, l.runs, l.abandoned, l.nnz, s.threads, s.table, l.group);
  } else {
    const auto block = gives_up ? symbolic_block<true, true> : symbolic_block<true, false>;
    allow_shared(block, shape.shared);
    launch(block, shape, l.stream, l.a, l.b, l.rows, l.runs, l.abandoned, l.nnz, s.table, l.group, nullptr);
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
