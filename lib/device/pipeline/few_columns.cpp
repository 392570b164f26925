#include "lib/device/pipeline/few_columns.hpp"

#include "accumulators/device/candidates.hpp"
#include "lib/core/values.hpp"
#include "lib/device/pipeline/carver.hpp"
#include "lib/device/pipeline/one_launch.hpp"
#include "lib/device/pipeline/stages.hpp"
#include "lib/device/runtime/primitives.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// Whether sizes say that it pays: lanes take as long for columns that a row of B has not, and rows of few products are
/// sorted in one phase as fast. (H200: docs/performance.md, few columns.)
template <class T>
[[nodiscard]] bool may_have_few(const Engine& engine, const Resident<T>& a, const Resident<T>& b) {
  constexpr std::int64_t kColumnsAnEntry = 8;  // of B, at most
  constexpr double kLeastProducts = 16;        // of a row of A
  return engine.small_path() && a.m.rows > 0 && a.nnz > 0 && b.m.cols <= dense::kMostFewColumns &&
         b.nnz * kColumnsAnEntry >= b.m.rows * b.m.cols &&
         expected_products(a, b) >= kLeastProducts * static_cast<double>(a.m.rows);
}

template <class T>
[[nodiscard]] std::optional<Product<T>> try_few_columns(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                        std::int64_t memory_limit, hipStream_t stream, Stats* stats) {
  const std::uint64_t sizes = sizes_of(OneLaunch::few_columns, a, b);
  if (const auto past = engine.past_launches().find(sizes); past && past->skips > 0) return {};
  const std::int64_t rows = a.m.rows;
  const int words = dense::few_columns_words(b.m.cols);
  const std::size_t of_sums = exclusive_sum_bytes(rows + 1);
  std::byte* scratch = nullptr;
  const auto cut = [&](Carver carver) {
    dense::FewColumnsMasks masks{
        .word = carver.take<std::uint32_t>(b.m.rows * words), .falls = carver.take<std::uint64_t>(1), .words = words};
    scratch = carver.take<std::byte>(static_cast<std::int64_t>(of_sums));
    return std::pair(masks, carver.used());
  };
  const std::int64_t temporary = cut(Carver()).second;
  const auto fits = [&](std::int64_t nnz) {
    return memory_limit == 0 || temporary + bytes_of_c<T>(rows, nnz) <= memory_limit;
  };
  if (!fits(0)) return {};

  Stats unused;
  Stats& times = stats != nullptr ? *stats : unused;
  StageClock clock(stats != nullptr, stream);
  Pool& pool = engine.pool();
  const Buffer<std::byte> memory(pool, temporary, stream);
  const dense::FewColumnsMasks masks = cut(Carver(memory.data())).first;
  Product<T> c{.rows = rows,
               .cols = b.m.cols,
               .nnz = 0,
               .row_ptr = Buffer<std::int64_t>(pool, rows + 1, stream),
               .col = {},
               .val = {}};
  HostMailbox<dense::FewColumnsTold> mailbox(pool, stream);
  check(hipMemsetAsync(masks.falls, 0, sizeof *masks.falls, stream), "clearing");
  dense::mask_rows(b.m, masks, stream);
  dense::count_few_columns(a.m, masks, c.row_ptr.data(), stream);
  exclusive_sum(scratch, of_sums, c.row_ptr.data(), rows + 1, stream);
  dense::tell_few_columns(c.row_ptr.data() + rows, masks, mailbox.sender(), stream);
  clock.mark(&times.symbolic);
  const dense::FewColumnsTold told = mailbox.wait("waiting for C's size");
  if (told.falls != 0) {
    engine.past_launches().note(sizes, {.entries = 0, .tile_rows = 0, .most = 0, .skips = 1});
    return {};
  }
  c.nnz = told.entries;
  if (!fits(c.nnz)) return {};
  c.col = Buffer<Column>(pool, c.nnz, stream), c.val = Buffer<T>(pool, c.nnz, stream);
  dense::fill_few_columns(a.m, b.m, masks, c.row_ptr.data(), engine.deterministic(), c.col.data(), c.val.data(),
                          stream);
  clock.mark(&times.numeric);
  clock.read();
  if (stats != nullptr) {
    report_one_launch(engine, a, b, c, temporary, stream, *stats);
    stats->method = Method::two_phase, stats->method_reason = kFewColumnsReason;
  }
  return c;
}

}  // namespace

// 1. Masks of B's rows; entries of C's, from them and A; their sums: C's row pointers. The host waits for the last one.
// 2. C is taken, and its columns and values are written.
template <class T>
std::optional<Product<T>> few_columns_product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                              std::int64_t memory_limit, hipStream_t stream, Stats* stats) {
  if (!may_have_few(engine, a, b)) return {};
  return unless_out_of_memory([&] { return try_few_columns(engine, a, b, memory_limit, stream, stats); });
}

#define ROWAN_INSTANTIATE(T)                                                                              \
  template std::optional<Product<T>> few_columns_product(Engine&, const Resident<T>&, const Resident<T>&, \
                                                         std::int64_t, hipStream_t, Stats*);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
