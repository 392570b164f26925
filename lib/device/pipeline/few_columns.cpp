#include "lib/device/pipeline/few_columns.hpp"

#include "accumulators/device/candidates.hpp"
#include "lib/core/values.hpp"
#include "lib/device/pipeline/carver.hpp"
#include "lib/device/pipeline/one_launch.hpp"
#include "lib/device/pipeline/stages.hpp"
#include "lib/device/runtime/primitives.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

enum class Pays : std::uint8_t { never, always, with_long_rows };

/// Whether it pays, as far as sizes say. Lanes take as long for columns that a row of B has not, and rows of few
/// products are sorted in one phase as fast. Unless A has a long row: elsewhere its additions meet on few sums, or one
/// thread does them all in order. (docs/performance.md, few columns.)
template <class T>
[[nodiscard]] Pays pays(const Engine& engine, const Resident<T>& a, const Resident<T>& b) {
  constexpr std::int64_t kColumnsAnEntry = 9;     // of B, at most
  constexpr double kLeastProducts = 16;           // of a row of A
  constexpr std::int64_t kMostWithLongRows = 32;  // columns
  if (!engine.small_path() || a.m.rows == 0 || a.nnz == 0 || b.nnz == 0 || b.m.cols > dense::kMostFewColumns)
    return Pays::never;
  const bool filled = b.nnz * kColumnsAnEntry >= b.m.rows * b.m.cols;
  if (filled && expected_products(a, b) >= kLeastProducts * static_cast<double>(a.m.rows)) return Pays::always;
  return b.m.cols <= kMostWithLongRows ? Pays::with_long_rows : Pays::never;
}

/// Whether the longest row of A has so many products for each of B's columns that they wait for each other. On up to 32
/// columns it paid from 6 on, 1.1 to 29 times; below 3 it never did. Waits for the device.
template <class T>
[[nodiscard]] bool has_long_row(Pool& pool, const dense::FewColumnsTask& task, const Resident<T>& b,
                                hipStream_t stream) {
  constexpr double kProductsAColumn = 6;
  HostMailbox<dense::FewColumnsRows> mailbox(pool, stream);
  dense::tell_rows(task, mailbox.sender(), stream);
  const auto longest = static_cast<double>(mailbox.wait("waiting for A's longest row").longest);
  return longest * static_cast<double>(b.nnz) >=
         kProductsAColumn * static_cast<double>(b.m.cols) * static_cast<double>(b.m.rows);
}

template <class T>
[[nodiscard]] std::optional<Product<T>> try_few_columns(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                        std::int64_t memory_limit, hipStream_t stream, Stats* stats) {
  const Pays by_sizes = pays(engine, a, b);
  if (by_sizes == Pays::never) return {};
  const std::uint64_t sizes = sizes_of(OneLaunch::few_columns, a, b);
  const auto past = engine.past_launches().find(sizes);
  if (past && past->skips > 0) return {};
  PastLaunch given_up;
  given_up.skips = 1;
  const std::int64_t rows = a.m.rows;
  const std::size_t of_sums = exclusive_sum_bytes(rows + 1);
  std::byte* scratch = nullptr;
  const auto cut = [&](Carver carver) {
    dense::FewColumnsTask task{.words = dense::few_columns_words(b.m.cols), .most_long = dense::most_long_rows(a.nnz)};
    task.mask = carver.take<std::uint32_t>(b.m.rows * task.words);
    task.long_row = carver.take<dense::LongRow>(task.most_long);
    task.part = carver.take<dense::RowPart>(task.most_long);
    task.met = carver.take<std::uint32_t>(task.most_long * task.words);
    task.zeroed = carver.take<dense::FewColumnsZeroed>(1);
    scratch = carver.take<std::byte>(static_cast<std::int64_t>(of_sums));
    return std::pair(task, carver.used());
  };
  const std::int64_t temporary = cut(Carver()).second;
  const auto fits = [&](std::int64_t nnz, std::int64_t bytes_of_parts) {
    return memory_limit == 0 || temporary + bytes_of_parts + bytes_of_c<T>(rows, nnz) <= memory_limit;
  };
  if (!fits(0, 0)) return {};

  Stats unused;
  Stats& times = stats != nullptr ? *stats : unused;
  StageClock clock(stats != nullptr, stream);
  Pool& pool = engine.pool();
  const Buffer<std::byte> memory(pool, temporary, stream);
  const dense::FewColumnsTask task = cut(Carver(memory.data())).first;
  Product<T> c{.rows = rows,
               .cols = b.m.cols,
               .nnz = 0,
               .row_ptr = Buffer<std::int64_t>(pool, rows + 1, stream),
               .col = {},
               .val = {}};
  HostMailbox<dense::FewColumnsTold> mailbox(pool, stream);
  check(hipMemsetAsync(task.zeroed, 0, sizeof *task.zeroed, stream), "clearing");
  dense::prepare_few_columns(a.m, b.m, task, stream);
  if (by_sizes == Pays::with_long_rows && !past && !has_long_row(pool, task, b, stream)) {
    engine.past_launches().note(sizes, given_up);
    return {};
  }
  dense::count_few_columns(a.m, task, engine.info().multiprocessors, c.row_ptr.data(), stream);
  exclusive_sum(scratch, of_sums, c.row_ptr.data(), rows + 1, stream);
  dense::tell_few_columns(c.row_ptr.data() + rows, task, mailbox.sender(), stream);
  clock.mark(&times.symbolic);
  const dense::FewColumnsTold told = mailbox.wait("waiting for C's size");
  if (told.falls != 0) {
    engine.past_launches().note(sizes, given_up);
    return {};
  }
  c.nnz = told.entries;
  if (by_sizes == Pays::with_long_rows && !past) engine.past_launches().note(sizes, PastLaunch());  // not asked again
  const std::int64_t of_parts = engine.deterministic() ? 0 : dense::few_columns_sums(b.m.cols, told.rows.long_rows);
  const auto bytes_of_parts = of_parts * static_cast<std::int64_t>(sizeof(T));
  if (!fits(c.nnz, bytes_of_parts)) return {};
  c.col = Buffer<Column>(pool, c.nnz, stream), c.val = Buffer<T>(pool, c.nnz, stream);
  const Buffer<T> parts(pool, of_parts, stream);
  dense::fill_few_columns(a.m, b.m, task, told.rows.long_rows, parts.data(), c.row_ptr.data(), c.col.data(),
                          c.val.data(), stream);
  clock.mark(&times.numeric);
  clock.read();
  if (stats != nullptr) {
    report_one_launch(engine, a, b, c, temporary + bytes_of_parts, stream, *stats);
    stats->method = Method::two_phase, stats->method_reason = kFewColumnsReason;
  }
  return c;
}

}  // namespace

// 1. Masks of B's rows, and A's long rows; entries of C's rows; their sums: C's row pointers. The host waits for the
//    last one.
// 2. C is taken, and its columns and values are written.
template <class T>
std::optional<Product<T>> few_columns_product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                              std::int64_t memory_limit, hipStream_t stream, Stats* stats) {
  return unless_out_of_memory([&] { return try_few_columns(engine, a, b, memory_limit, stream, stats); });
}

#define ROWAN_INSTANTIATE(T)                                                                              \
  template std::optional<Product<T>> few_columns_product(Engine&, const Resident<T>&, const Resident<T>&, \
                                                         std::int64_t, hipStream_t, Stats*);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
