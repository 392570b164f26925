#include "lib/device/pipeline/repeated.hpp"

#include <algorithm>

#include "features/device/measure.hpp"
#include "lib/core/values.hpp"
#include "lib/device/pipeline/one_launch.hpp"
#include "lib/device/runtime/host_mailbox.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// Rows' columns begin anywhere, for all that is known: keys must have bits for all of B's.
[[nodiscard]] bool have_bits(std::int64_t columns, int most) noexcept {
  const auto limit = std::find_if(sort::kShortLimits.begin(), sort::kShortLimits.end(),
                                  [&](const sort::ShortLimit& l) { return most <= l.most; });
  return limit != sort::kShortLimits.end() && columns < limit->columns;
}

template <class T>
[[nodiscard]] std::optional<Product<T>> try_again(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                  std::int64_t memory_limit, hipStream_t stream, Stats* stats) {
  const std::uint64_t sizes = sizes_of(OneLaunch::repeated, a, b);
  const std::optional<PastLaunch> past = engine.past_launches().find(sizes);
  if (!past || past->most == 0) return {};
  const std::int64_t rows = a.m.rows, of_words = sort::one_phase_words(rows, past->most);
  const auto bytes_of_words = of_words * static_cast<std::int64_t>(sizeof(unsigned long long));
  if (memory_limit != 0 && bytes_of_c<T>(rows, past->entries) + bytes_of_words > memory_limit) return {};

  Stats unused;
  Stats& times = stats != nullptr ? *stats : unused;
  StageClock clock(stats != nullptr, stream);
  Pool& pool = engine.pool();
  Product<T> c{.rows = rows,
               .cols = b.m.cols,
               .nnz = 0,
               .row_ptr = Buffer<std::int64_t>(pool, rows + 1, stream),
               .col = Buffer<Column>(pool, past->entries, stream),
               .val = Buffer<T>(pool, past->entries, stream)};
  HostMailbox<std::int64_t> nnz(pool, stream);
  ZeroWords words(pool, of_words, stream);
  if (past->counted) count_products(a.m, a.nnz, b.m.ptr, c.row_ptr.data(), stream);
  sort::one_phase<T>({.a = a.m,
                      .b = b.m,
                      .c_rows = nullptr,
                      .counted = past->counted,
                      .most = past->most,
                      .short_products = expected_products(a, b),
                      .short_entries = static_cast<double>(past->entries),
                      .scattered = past->counted,
                      .placed = false,
                      .row_ptr = c.row_ptr.data(),
                      .col = c.col.data(),
                      .val = c.val.data(),
                      .capacity = past->entries,
                      .words = words.words(),
                      .told = nnz.sender(),
                      .wave = engine.info().wave,
                      .stream = stream});
  words.launched();
  c.nnz = nnz.wait("waiting for C's size");
  if (c.nnz > past->entries) {
    engine.past_launches().note(sizes, PastLaunch());
    return {};
  }
  clock.mark(&times.numeric);
  clock.read();
  const std::int64_t temporary = bytes_of_words + bytes_of_c<T>(rows, past->entries) - bytes_of(c);
  if (stats != nullptr) report_one_launch(engine, a, b, c, temporary, stream, *stats);
  return c;
}

}  // namespace

bool is_scattered(const Tally (&bins)[kBins], std::int64_t bytes_of_b) noexcept {
  std::int64_t all = 0, wide = 0;
  for (int bin = 0; bin < kBins; bin++) {
    all += bins[bin].nprod;
    if (BinKey(bin).wide()) wide += bins[bin].nprod;
  }
  return bytes_of_b > kShapes.one_phase.most_scattered_bytes && 2 * wide > all;
}

template <class T>
void note_one_phase(Engine& engine, const Resident<T>& a, const Resident<T>& b, const CountedProduct<T>& product) {
  std::int64_t longest = 0;
  for (const Tally& rows : product.record->bins[kSymbolic]) longest = std::max(longest, rows.nprod_max);
  const int most = product.method.most;
  if (longest > most || !have_bits(b.m.cols, most)) return;
  const PastLaunch went{.entries = product.c.nnz,
                        .tile_rows = 0,
                        .most = most,
                        .counted = is_scattered(product.record->bins[kSymbolic], bytes_of_c<T>(b.m.rows, b.nnz)),
                        .skips = 0};
  engine.past_launches().note(sizes_of(OneLaunch::repeated, a, b), went);
}

template <class T>
std::optional<Product<T>> repeated_product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                           std::int64_t memory_limit, hipStream_t stream, Stats* stats) {
  if (!engine.small_path()) return {};
  return unless_out_of_memory([&] { return try_again(engine, a, b, memory_limit, stream, stats); });
}

#define ROWAN_INSTANTIATE(T)                                                                                         \
  template void note_one_phase(Engine&, const Resident<T>&, const Resident<T>&, const CountedProduct<T>&);           \
  template std::optional<Product<T>> repeated_product(Engine&, const Resident<T>&, const Resident<T>&, std::int64_t, \
                                                      hipStream_t, Stats*);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
