#include "lib/device/pipeline/small.hpp"

#include <algorithm>

#include "lib/core/values.hpp"
#include "lib/device/pipeline/carver.hpp"
#include "lib/device/pipeline/elements.hpp"
#include "lib/device/pipeline/stages.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr auto kSmall = kShapes.small;

/// A thread an entry of A, the grid covers them: adds the products.
__global__ void __launch_bounds__(kElementThreads)
    add_products(Pattern a, std::int64_t nnz, const std::int64_t* b_ptr, std::int64_t* nprod) {
  const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * kElementThreads + threadIdx.x;
  std::int64_t products = k < nnz ? b_ptr[a.col[k] + 1] - b_ptr[a.col[k]] : 0;
  products = simt::wave_sum(products);
  if (simt::lane() == 0 && products != 0) simt::atomic_add(nprod, products);
}

/// A thread an entry, the grid covers them.
template <class T>
__global__ void __launch_bounds__(kElementThreads)
    copy_entries(const Column* col, const T* val, std::int64_t n, Column* to_col, T* to_val) {
  const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * kElementThreads + threadIdx.x;
  if (k < n) to_col[k] = col[k], to_val[k] = val[k];
}

/// Products, if rows of B are met equally often.
template <class T>
[[nodiscard]] double expected_products(const Resident<T>& a, const Resident<T>& b) {
  return static_cast<double>(a.nnz) * static_cast<double>(b.nnz) /
         static_cast<double>(std::max<std::int64_t>(b.m.rows, 1));
}

/// Lanes that hold nearly all rows' products.
[[nodiscard]] int lanes_for(double products, std::int64_t rows) {
  int lanes = 8;
  while (lanes < 32 && lanes * kSmall.products_a_lane * static_cast<double>(rows) < kSmall.room_a_row * products)
    lanes *= 2;
  return lanes;
}

template <class T>
void tell(Engine& engine, const Resident<T>& a, const Resident<T>& b, const Product<T>& c, std::int64_t temporary,
          hipStream_t stream, Stats& stats) {
  const Buffer<std::int64_t> nprod(engine.pool(), 1, stream);
  check(hipMemsetAsync(nprod.data(), 0, nprod.bytes(), stream), "clearing");
  launch(add_products, threads_for(a.nnz), stream, a.m, a.nnz, b.m.ptr, nprod.data());
  HostMailbox<std::int64_t> told(engine.pool(), stream);
  told.send(nprod.data());
  stats.nprod += told.wait("waiting for the number of products");
  stats.policy = engine.policy().name, stats.device = engine.info().name;
  stats.method = Method::one_phase, stats.small_product = true, stats.nnz = c.nnz;
  stats.bytes_c = bytes_of(c);
  stats.bytes_temporary = std::max(stats.bytes_temporary, temporary);
}

/// What a launch makes before C's size is known, in one allocation.
template <class T>
struct Room {
  unsigned long long* words;
  T* val;
  Column* col;

  Room(Carver& carver, std::int64_t of_words, std::int64_t entries)
      : words(carver.take<unsigned long long>(of_words)),
        val(carver.take<T>(entries)),
        col(carver.take<Column>(entries)) {}
};

template <class T>
[[nodiscard]] std::optional<Product<T>> try_small(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                  std::int64_t memory_limit, hipStream_t stream, Stats* stats) {
  constexpr double kMoreRoom = 1.25, kAndEntries = 1 << 18;
  const double products = expected_products(a, b);
  const std::int64_t rows = a.m.rows;
  const std::uint64_t sizes = GivenUp::name(rows, b.m.rows, b.m.cols, a.nnz, b.nnz, sizeof(T));
  if (engine.given_up().skip(sizes)) return {};
  // where rows of B are not met equally often, there are more; where they are, less than products
  const std::int64_t entries = std::min(
      static_cast<std::int64_t>(std::min(2 * products, kMoreRoom * products + kAndEntries)) + rows, rows * b.m.cols);
  const int lanes = lanes_for(products, rows);
  const std::int64_t of_words = dense::small_words(rows, lanes);
  Carver size;
  (void)Room<T>(size, of_words, entries);
  const auto fits = [&](std::int64_t nnz) {
    return memory_limit == 0 || size.used() + bytes_of_c<T>(rows, nnz) <= memory_limit;
  };
  if (!fits(entries)) return {};

  Stats unused;
  Stats& times = stats != nullptr ? *stats : unused;
  StageClock clock(stats != nullptr, stream);
  Pool& pool = engine.pool();
  const Buffer<std::byte> memory(pool, size.used(), stream);
  Carver carver(memory.data());
  const Room<T> room(carver, of_words, entries);
  Product<T> c{.rows = rows,
               .cols = b.m.cols,
               .nnz = 0,
               .row_ptr = Buffer<std::int64_t>(pool, rows + 1, stream),
               .col = {},
               .val = {}};
  const auto multiply_into = [&](Column* col, T* val, std::int64_t capacity) {
    HostMailbox<dense::SmallTold> told(pool, stream);
    check(hipMemsetAsync(room.words, 0, static_cast<std::size_t>(of_words) * sizeof *room.words, stream), "clearing");
    dense::small_product<T>({.a = a.m,
                             .b = b.m,
                             .lanes = lanes,
                             .in_order = engine.deterministic(),
                             .row_ptr = c.row_ptr.data(),
                             .col = col,
                             .val = val,
                             .capacity = capacity,
                             .words = room.words,
                             .told = told.sender(),
                             .stream = stream});
    return told.wait("waiting for C's size").entries;
  };
  c.nnz = multiply_into(room.col, room.val, entries);
  if (c.nnz > dense::kMostSmallEntries) {
    engine.given_up().note(sizes);
    return {};
  }
  if (!fits(c.nnz)) return {};
  c.col = Buffer<Column>(pool, c.nnz, stream), c.val = Buffer<T>(pool, c.nnz, stream);
  if (c.nnz > entries)
    (void)multiply_into(c.col.data(), c.val.data(), c.nnz);
  else if (c.nnz != 0)
    launch(copy_entries<T>, threads_for(c.nnz), stream, room.col, room.val, c.nnz, c.col.data(), c.val.data());
  clock.mark(&times.numeric);
  clock.read();
  if (stats != nullptr) tell(engine, a, b, c, size.used(), stream, *stats);
  return c;
}

}  // namespace

template <class T>
bool may_be_small(const Engine& engine, const Resident<T>& a, const Resident<T>& b) {
  constexpr std::int64_t kMostEntries = 4 * kSmall.most_products;
  // of a row, on average: above, blocks have most rows (H200: 1,024 products a row 46 for 159 us, 1,754 and more lost)
  constexpr double kMostOfRow = 1200;
  return engine.small_path() && a.m.rows > 0 && a.nnz > 0 && a.m.rows <= kSmall.most_rows &&
         b.m.cols <= kSmall.most_columns && a.nnz <= kMostEntries && b.nnz <= kMostEntries &&
         expected_products(a, b) <=
             std::min(static_cast<double>(kSmall.most_products), kMostOfRow * static_cast<double>(a.m.rows));
}

// 0. Sizes that were given up lately are not tried.
// 1. Room for some more products than sizes let one expect, and the launch.
// 2. The host waits for nnz(C), which is known before the last entries are written.
// 3. C is taken exactly, and copied; where room was too little, the launch is repeated into it instead.
template <class T>
std::optional<Product<T>> small_product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                        std::int64_t memory_limit, hipStream_t stream, Stats* stats) {
  if (!may_be_small(engine, a, b)) return {};
  try {
    return try_small(engine, a, b, memory_limit, stream, stats);
  } catch (const Error& e) {
    if (e.code() != ErrorCode::out_of_memory) throw;
    return {};
  }
}

#define ROWAN_INSTANTIATE(T)                                                                                      \
  template bool may_be_small(const Engine&, const Resident<T>&, const Resident<T>&);                              \
  template std::optional<Product<T>> small_product(Engine&, const Resident<T>&, const Resident<T>&, std::int64_t, \
                                                   hipStream_t, Stats*);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
