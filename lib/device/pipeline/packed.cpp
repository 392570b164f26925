#include "lib/device/pipeline/packed.hpp"

#include "lib/core/values.hpp"
#include "lib/device/pipeline/elements.hpp"
#include "lib/device/pipeline/fastest.hpp"
#include "lib/device/pipeline/stages.hpp"
#include "lib/device/runtime/launch_words.hpp"
#include "lib/device/simt/look_back.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kPackThreads = 256, kPackSteps = 8, kPackedChunk = kPackThreads * kPackSteps;  // rows of a block

[[nodiscard]] std::int64_t chunks_with(std::int64_t rows) noexcept {
  return (rows + kPackedChunk - 1) / kPackedChunk;
}

/// Of a matrix, the rows that have entries, and behind them empty ones: nnz + 1 rows, whatever there are, so that the
/// host need not know.
struct PackedRows {
  std::int32_t* row;     // of every row with entries, where it was
  std::int64_t* ptr;     // nnz + 2
  std::int64_t* before;  // rows with entries before each chunk of rows; a last one: all
};

/// The row that is empty whatever there are.
[[nodiscard]] __device__ std::int32_t empty_row(std::int64_t nnz) {
  return static_cast<std::int32_t>(nnz);
}

/// A thread an element, the grid covers them.
__global__ void __launch_bounds__(kElementThreads) fill_with(std::int64_t* at, std::int64_t n, std::int64_t value) {
  const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * kElementThreads + threadIdx.x;
  if (k < n) at[k] = value;
}

/// A block a chunk of rows, taken by number: those that one waits for have begun. `words`: that number, then a word for
/// each chunk.
__global__ void __launch_bounds__(kPackThreads)
    pack_rows(const std::int64_t* ptr, std::int64_t rows, PackedRows out, LaunchWords words) {
  constexpr int kMostWaves = kPackThreads / 32;
  ROWAN_SHARED(std::int64_t, shared_chunk, 1);
  ROWAN_SHARED(std::int64_t, shared_before, 1);
  ROWAN_SHARED(int, counts, kPackSteps* kMostWaves);  // rows with entries of each step of each wave, then before it
  words.clear_used();
  if (threadIdx.x == 0) shared_chunk[0] = static_cast<std::int64_t>(simt::atomic_add(words.zero, 1));
  __syncthreads();
  const int t = static_cast<int>(threadIdx.x), lane = simt::lane(), width = simt::wave_width(), w = t / width,
            waves = kPackThreads / width;
  const std::int64_t chunk = shared_chunk[0], first = chunk * kPackedChunk;
  Held<std::int64_t, kPackSteps> begin;
  Held<int, kPackSteps> in_wave;  // -1: the row is empty
  ROWAN_UNROLL
  for (int u = 0; u < kPackSteps; u++) {
    const std::int64_t i = first + u * kPackThreads + t;
    begin[u] = i < rows ? ptr[i] : 0;
    const bool filled = i < rows && ptr[i + 1] > begin[u];
    const Mask all = simt::ballot(simt::wave_mask(), filled);
    in_wave[u] = filled ? simt::popcount(all & simt::below(lane)) : -1;
    if (lane == 0) counts[u * waves + w] = simt::popcount(all);
  }
  __syncthreads();
  if (w == 0) {
    int of_chunk = 0;
    for (int from = 0; from < kPackSteps * waves; from += width) {
      const int at = from + lane, of_step = at < kPackSteps * waves ? counts[at] : 0,
                upto = simt::inclusive_sum(simt::wave_mask(), of_step, width);
      if (at < kPackSteps * waves) counts[at] = of_chunk + upto - of_step;
      of_chunk += simt::shuffle(simt::wave_mask(), upto, width - 1);
    }
    const std::int64_t before = entries_before(words.zero + 1, chunk, of_chunk);
    if (lane == 0) {
      shared_before[0] = out.before[chunk] = before;
      if (chunk + 1 == std::int64_t{gridDim.x}) out.before[chunk + 1] = before + of_chunk;
    }
  }
  __syncthreads();
  ROWAN_UNROLL
  for (int u = 0; u < kPackSteps; u++) {
    if (in_wave[u] < 0) continue;
    const std::int64_t k = shared_before[0] + counts[u * waves + w] + in_wave[u];
    out.row[k] = static_cast<std::int32_t>(first + u * kPackThreads + t), out.ptr[k] = begin[u];
  }
}

/// How many of `row`, which rise, are below `limit`.
template <class Row>
[[nodiscard]] __device__ std::int64_t rows_below(const Row* row, std::int64_t n, std::int64_t limit) {
  std::int64_t from = 0;
  while (from < n) {
    const std::int64_t middle = (from + n) / 2;
    if (row[middle] < limit)
      from = middle + 1;
    else
      n = middle;
  }
  return from;
}

/// A thread an entry of A, the grid covers them: its column as one of B's packed rows.
__global__ void __launch_bounds__(kElementThreads)
    pack_columns(const Column* col, std::int64_t nnz, PackedRows b, std::int64_t nnz_b, Column* packed) {
  const std::int64_t e = static_cast<std::int64_t>(blockIdx.x) * kElementThreads + threadIdx.x;
  if (e >= nnz) return;
  const std::int64_t chunk = col[e] / kPackedChunk, from = b.before[chunk], n = b.before[chunk + 1] - from,
                     k = rows_below(b.row + from, n, col[e]);
  packed[e] = k < n && b.row[from + k] == col[e] ? static_cast<Column>(from + k) : empty_row(nnz_b);
}

/// A block a chunk of rows: their row pointers of C, of which `packed` has those of A's packed rows.
__global__ void __launch_bounds__(kPackThreads)
    spread_row_pointers(std::int64_t rows, PackedRows a, const std::int64_t* packed, std::int64_t* row_ptr) {
  ROWAN_SHARED(std::int32_t, filled, kPackedChunk);  // rows of the chunk that have entries
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t chunk = blockIdx.x, first = chunk * kPackedChunk, from = a.before[chunk],
                     n = a.before[chunk + 1] - from;
  for (std::int64_t k = t; k < n; k += kPackThreads) filled[k] = static_cast<std::int32_t>(a.row[from + k] - first);
  __syncthreads();
  ROWAN_UNROLL
  for (int u = 0; u < kPackSteps; u++) {
    const int i = u * kPackThreads + t;
    if (first + i < rows) row_ptr[first + i] = packed[from + rows_below(filled, n, i)];
  }
  if (t == 0 && first + kPackedChunk >= rows) row_ptr[rows] = packed[from + n];
}

/// A matrix' packed rows, and the memory that they are in.
struct Packing {
  Buffer<std::int32_t> row;
  Buffer<std::int64_t> ptr, before;

  [[nodiscard]] std::int64_t bytes() const noexcept {
    return static_cast<std::int64_t>(row.bytes() + ptr.bytes() + before.bytes());
  }
  template <class T>
  Packing(Pool& pool, const Resident<T>& m, hipStream_t stream)
      : row(pool, m.nnz, stream), ptr(pool, m.nnz + 2, stream), before(pool, chunks_with(m.m.rows) + 1, stream) {
    launch(fill_with, threads_for(m.nnz + 2), stream, ptr.data(), m.nnz + 2, m.nnz);
    const std::int64_t chunks = chunks_with(m.m.rows);
    ZeroWords words(pool, chunks + 1, stream);
    launch(pack_rows, Shape{.grid = chunks, .block = kPackThreads}, stream, m.m.ptr, m.m.rows, rows(), words.words());
    words.launched();
  }
  [[nodiscard]] PackedRows rows() noexcept { return {row.data(), ptr.data(), before.data()}; }
};

template <class T>
[[nodiscard]] std::optional<Product<T>> try_packed(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                   hipStream_t stream, Stats* stats) {
  const bool pack_a = is_worth_packing(a.m.rows, a.nnz), pack_b = is_worth_packing(b.m.rows, b.nnz);
  if (!pack_a && !pack_b) return {};
  const bool same = pack_a && a.m.ptr == b.m.ptr && a.m.rows == b.m.rows && a.nnz == b.nnz;
  const std::int64_t rows = a.m.rows;
  Stats unused;
  StageClock clock(stats != nullptr, stream);
  Pool& pool = engine.pool();
  std::optional<Packing> of_a, own_of_b;
  Buffer<Column> col;
  Resident<T> left = a, right = b;
  if (pack_a) left.m.rows = a.nnz + 1, left.m.ptr = of_a.emplace(pool, a, stream).ptr.data();
  if (pack_b) {
    Packing& of_b = same ? *of_a : own_of_b.emplace(pool, b, stream);
    right.m.rows = left.m.cols = b.nnz + 1, right.m.ptr = of_b.ptr.data();
    col = Buffer<Column>(pool, a.nnz, stream);
    if (a.nnz != 0) launch(pack_columns, threads_for(a.nnz), stream, a.m.col, a.nnz, of_b.rows(), b.nnz, col.data());
    left.m.col = col.data();
  }
  clock.mark(&(stats != nullptr ? *stats : unused).prepare);
  clock.read();
  Product<T> c = fastest_product(engine, left, right, 0, stream, stats);
  std::int64_t temporary = static_cast<std::int64_t>(col.bytes()) + (own_of_b ? own_of_b->bytes() : 0);
  if (pack_a) {
    temporary += of_a->bytes() + static_cast<std::int64_t>(c.row_ptr.bytes());
    Buffer<std::int64_t> row_ptr(pool, rows + 1, stream);
    launch(spread_row_pointers, Shape{.grid = chunks_with(rows), .block = kPackThreads}, stream, rows, of_a->rows(),
           c.row_ptr.data(), row_ptr.data());
    c.rows = rows, c.row_ptr = std::move(row_ptr);
  }
  if (stats != nullptr) stats->bytes_c = bytes_of(c), stats->bytes_temporary += temporary;
  return c;
}

}  // namespace

template <class T>
std::optional<Product<T>> packed_product(Engine& engine, const Resident<T>& a, const Resident<T>& b, hipStream_t stream,
                                         Stats* stats) {
  return unless_out_of_memory([&] { return try_packed(engine, a, b, stream, stats); });
}

#define ROWAN_INSTANTIATE(T)                                                                                      \
  template std::optional<Product<T>> packed_product(Engine&, const Resident<T>&, const Resident<T>&, hipStream_t, \
                                                    Stats*);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
