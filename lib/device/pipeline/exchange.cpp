#include "lib/device/pipeline/exchange.hpp"

#include "lib/core/values.hpp"
#include "lib/device/pipeline/elements.hpp"
#include "lib/device/pipeline/pair.hpp"
#include "lib/device/runtime/primitives.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kThreads = kElementThreads;

/// Blocks as kernels see them.
template <class T>
struct Owners {
  int count = 0;
  std::int64_t first[kMostDevices + 1] = {};
  Operand<T> block[kMostDevices] = {};

  [[nodiscard]] __device__ int of(std::int64_t row) const {
    int k = 0;
    while (k + 1 < count && row >= first[k + 1]) k++;
    return k;
  }
  [[nodiscard]] __device__ std::int64_t length(std::int64_t row) const {
    const int k = of(row);
    const std::int64_t* const ptr = block[k].ptr + (row - first[k]);
    return ptr[1] - ptr[0];
  }
};

// Kernels with a thread an element, the grid covers them.

/// needed[j] = 1 for the columns of A's entries outside [first, last).
__global__ void __launch_bounds__(kThreads)
    mark_columns(const Column* col, std::int64_t nnz, std::int64_t first, std::int64_t last, std::uint8_t* needed) {
  const std::int64_t e = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (e >= nnz) return;
  const Column j = col[e];
  if (j < first || j >= last) simt::store_relaxed(needed + j, std::uint8_t{1});
}

/// Lengths of the rows [first, last), which are the device's own, and of those that are needed; 0 for the others and
/// behind the last row.
template <class T>
__global__ void __launch_bounds__(kThreads)
    take_lengths(Owners<T> owners, const std::uint8_t* needed, std::int64_t rows, std::int64_t first, std::int64_t last,
                 std::int64_t* length) {
  const std::int64_t r = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (r > rows) return;
  const bool here = r < rows && ((r >= first && r < last) || needed[r] != 0);
  length[r] = here ? owners.length(r) : 0;
}

struct GatheredSizes {
  std::int64_t below, above, nnz;  // entries before the device's own rows, before those behind them, in all
};
__global__ void post_sizes(const std::int64_t* ptr, std::int64_t rows, std::int64_t first, std::int64_t last,
                           GatheredSizes* to) {
  *to = {ptr[first], ptr[last], ptr[rows]};
}

/// The row of an entry: the last one that begins at it or before, of rows [low, high).
__device__ std::int64_t row_of(const std::int64_t* ptr, std::int64_t low, std::int64_t high, std::int64_t entry) {
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (ptr[middle] <= entry ? low : high) = middle;
  }
  return low;
}

constexpr std::int64_t kCopied = 8 * kThreads;  // entries of a block, so that long rows are many blocks'

/// Columns and values of the entries [from, to), whose rows are among [low, high).
template <class T>
__global__ void __launch_bounds__(kThreads)
    copy_entries(Owners<T> owners, const std::int64_t* ptr, std::int64_t low, std::int64_t high, std::int64_t from,
                 std::int64_t to, Column* col, T* val) {
  const std::int64_t begin = from + static_cast<std::int64_t>(blockIdx.x) * kCopied,
                     end = begin + kCopied < to ? begin + kCopied : to;
  const std::int64_t first = row_of(ptr, low, high, begin), last = row_of(ptr, first, high, end - 1) + 1;
  for (std::int64_t e = begin + threadIdx.x; e < end; e += kThreads) {
    const std::int64_t r = row_of(ptr, first, last, e);
    const int k = owners.of(r);
    const Operand<T>& block = owners.block[k];
    const std::int64_t at = block.ptr[r - owners.first[k]] + (e - ptr[r]);
    col[e] = block.col[at], val[e] = block.val[at];
  }
}

__global__ void __launch_bounds__(kThreads) add(std::int64_t* ptr, std::int64_t n, std::int64_t more) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < n) ptr[i] += more;
}

}  // namespace

void add_to_row_pointers(std::int64_t* ptr, std::int64_t n, std::int64_t more, hipStream_t stream) {
  if (more != 0) launch(add, threads_for(n), stream, ptr, n, more);
}

template <class T>
std::int64_t RowBlocks<T>::rows() const noexcept {
  std::int64_t all = 0;
  for (const Resident<T>& block : blocks) all += block.m.rows;
  return all;
}

template <class T>
GatheredRows<T> gather_rows(Engine& engine, const Resident<T>& a, const RowBlocks<T>& b, int self, hipStream_t stream) {
  Pool& pool = engine.pool();
  Owners<T> owners;
  for (const Resident<T>& block : b.blocks) {
    owners.block[owners.count] = block.m;
    owners.first[owners.count + 1] = owners.first[owners.count] + block.m.rows;
    owners.count++;
  }
  const std::int64_t rows = owners.first[owners.count], first = owners.first[self], last = owners.first[self + 1];
  const Buffer<std::uint8_t> needed(pool, rows + 1, stream);
  check(hipMemsetAsync(needed.data(), 0, needed.bytes(), stream), "clearing");
  launch(mark_columns, threads_for(a.nnz), stream, a.m.col, a.nnz, first, last, needed.data());
  GatheredRows<T> out;
  out.ptr = Buffer<std::int64_t>(pool, rows + 1, stream);
  launch(take_lengths<T>, threads_for(rows + 1), stream, owners, needed.data(), rows, first, last, out.ptr.data());
  const std::size_t scan_bytes = exclusive_sum_bytes(rows + 1);
  const Buffer<std::byte> scan(pool, static_cast<std::int64_t>(scan_bytes), stream);
  exclusive_sum(scan.data(), scan_bytes, out.ptr.data(), rows + 1, stream);
  const Buffer<GatheredSizes> there(pool, 1, stream);
  launch(post_sizes, {.grid = 1, .block = 1}, stream, out.ptr.data(), rows, first, last, there.data());
  const GatheredSizes sizes = fetched(there.data(), 1, stream)[0];
  out.col = Buffer<Column>(pool, sizes.nnz, stream);
  out.val = Buffer<T>(pool, sizes.nnz, stream);
  const Resident<T>& own = b.blocks[static_cast<std::size_t>(self)];
  copy_there(out.col.data() + sizes.below, own.m.col, own.nnz, stream);
  copy_there(out.val.data() + sizes.below, own.m.val, own.nnz, stream);
  const auto copy = [&](std::int64_t low, std::int64_t high, std::int64_t from, std::int64_t to) {
    launch(copy_entries<T>, {.grid = (to - from + kCopied - 1) / kCopied, .block = kThreads}, stream, owners,
           out.ptr.data(), low, high, from, to, out.col.data(), out.val.data());
  };
  copy(0, first, 0, sizes.below), copy(last, rows, sizes.above, sizes.nnz);
  out.from_others = (sizes.nnz - own.nnz) * static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
  out.b = {{{.rows = rows, .cols = b.cols(), .ptr = out.ptr.data(), .col = out.col.data()}, out.val.data()}, sizes.nnz};
  return out;
}

template <class T>
Product<T> put_together(Engine& engine, const RowBlocks<T>& m, hipStream_t stream) {
  Pool& pool = engine.pool();
  Product<T> all;
  all.rows = m.rows(), all.cols = m.cols();
  for (const Resident<T>& block : m.blocks) all.nnz += block.nnz;
  all.row_ptr = Buffer<std::int64_t>(pool, all.rows + 1, stream);
  all.col = Buffer<Column>(pool, all.nnz, stream), all.val = Buffer<T>(pool, all.nnz, stream);
  std::int64_t row = 0, entry = 0;
  for (std::size_t k = 0; k < m.blocks.size(); k++) {
    const Resident<T>& block = m.blocks[k];
    const auto copy = [&](auto* to, const auto* from, std::int64_t n) {
      if (n == 0) return;
      check(
          hipMemcpyPeerAsync(to, pool.device(), from, m.devices[k], static_cast<std::size_t>(n) * sizeof(*to), stream),
          "copying from another device");
    };
    // the first row pointer of a block is where the block before it ends
    copy(all.row_ptr.data() + row, block.m.ptr, block.m.rows + 1);
    add_to_row_pointers(all.row_ptr.data() + row, block.m.rows + 1, entry, stream);
    copy(all.col.data() + entry, block.m.col, block.nnz);
    copy(all.val.data() + entry, block.m.val, block.nnz);
    row += block.m.rows, entry += block.nnz;
  }
  return all;
}

bool connect(const Engines& engines) {
  bool all = true;
  for (Engine* const from : engines)
    for (Engine* const to : engines)
      if (from != to) all = to->pool().open_to(from->info().ordinal) && all;
  return all;
}

#define ROWAN_INSTANTIATE(T)                                                                                \
  template struct RowBlocks<T>;                                                                             \
  template GatheredRows<T> gather_rows(Engine&, const Resident<T>&, const RowBlocks<T>&, int, hipStream_t); \
  template Product<T> put_together(Engine&, const RowBlocks<T>&, hipStream_t);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
