#include "lib/device/pipeline/one_phase.hpp"

#include <algorithm>

#include "lib/core/values.hpp"
#include "lib/device/pipeline/heavy.hpp"
#include "lib/device/pipeline/repeated.hpp"
#include "lib/device/runtime/host_mailbox.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// Room for the entries of short rows: what is expected and some more, at most their bound.
std::int64_t room_for(const MethodChoice& method) {
  constexpr double kMore = 1.06;
  constexpr std::int64_t kMoreAtLeast = 1024;
  return std::min(static_cast<std::int64_t>(kMore * method.short_entries) + kMoreAtLeast, method.short_bound);
}

template <class T>
void take(Engine& engine, Product<T>& c, std::int64_t entries, hipStream_t stream) {
  c.col = {}, c.val = {};  // before anything is taken in their place
  c.col = Buffer<std::int32_t>(engine.pool(), entries, stream);
  c.val = Buffer<T>(engine.pool(), entries, stream);
}

/// The same, or false where the device has not the memory.
template <class T>
bool try_take(Engine& engine, Product<T>& c, std::int64_t entries, hipStream_t stream) {
  return unless_out_of_memory([&] {
    take(engine, c, entries, stream);
    return true;
  });
}

MethodChoice in_two_phases(std::int64_t entries) {
  return {.reason = "room for about " + std::to_string(entries) + " entries of C is beyond the memory there is"};
}

/// Rows that are not short are counted, and their numeric phase decided: how many entries they have.
template <class T>
std::int64_t count_others(Engine& engine, const Resident<T>& a, const Resident<T>& b, CountedProduct<T>& out,
                          const Rules& rules, hipStream_t stream) {
  StageClock off(false, stream);  // all of it is the symbolic phase's time
  Stats unused;
  const Metadata& m = out.at;
  const std::int64_t rows = a.m.rows;
  list_queues(out.record->queues[kSymbolic], Phase::symbolic, rows, m, stream);
  count_entries(engine, a, b, out, {}, stream);
  decide_numeric(engine, a, out, rules, {.row_pointers = false}, stream, off, unused);
  std::int64_t n = 0;
  for (int bin = 0; bin < kBins; bin++)
    if (!is_short(bin, rules.short_classes)) n += out.record->bins[kNumeric][bin].bound;
  return n;
}

}  // namespace

template <class T>
void fill_short_rows(Engine& engine, const Resident<T>& a, const Resident<T>& b, CountedProduct<T>& counted,
                     const LaunchWords& words, const HostMailbox<std::int64_t>::Sender& told, hipStream_t stream) {
  sort::one_phase<T>({.a = a.m,
                      .b = b.m,
                      .c_rows = counted.at.c_rows,
                      .most = counted.method.most,
                      .short_products = counted.method.short_products,
                      .short_entries = counted.method.short_entries,
                      .scattered = is_scattered(counted.record->bins[kSymbolic], bytes_of_c<T>(b.m.rows, b.nnz)),
                      .placed = words.zero == nullptr,
                      .row_ptr = counted.c.row_ptr.data(),
                      .col = counted.c.col.data(),
                      .val = counted.c.val.data(),
                      .capacity = counted.c.col.size(),
                      .words = words,
                      .told = told,
                      .wave = engine.info().wave,
                      .stream = stream});
}

// 1. Before: `measured` has everything, row_ptr the products of every row. Where the limit says that C cannot be taken,
//    it is left as it is.
// 2. Rows that are not short are counted: row_ptr has their entries. The host waits for their bins where there are any.
// 3. C is taken, for as many entries as short rows are expected to have. Where there is not the memory, all is given
//    back and measured again, because row_ptr was written over.
// 4. Short rows are multiplied, as far as they fit; row_ptr becomes C's. The host waits for its last number, nnz(C).
// 5. Where C did not fit, it is taken again, exactly, and all rows are multiplied; else those that are not short.
template <class T>
std::optional<CountedProduct<T>> one_phase(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                           MeasuredProduct& measured, std::int64_t memory_limit, hipStream_t stream,
                                           Stats* stats, const std::function<void()>& before_values) {
  if (measured.method.method != Method::one_phase) return {};
  const MethodChoice method = measured.method;
  const std::int64_t rows = a.m.rows, of_short = room_for(method);
  const auto fits = [&, bytes_of_metadata = measured.memory.size()](std::int64_t entries) {
    return memory_limit == 0 || bytes_of_c<T>(rows, entries) + bytes_of_metadata <= memory_limit;
  };
  Stats unused;
  Stats& times = stats != nullptr ? *stats : unused;
  StageClock clock(stats != nullptr, stream);
  if (!fits(of_short)) {
    measured.method = in_two_phases(of_short);
    return {};
  }

  auto out = take_over<T>(measured, b.m.cols);
  out.method = method;
  out.method.short_entries = static_cast<double>(of_short);
  Rules rules = measured.rules;
  rules.short_classes = method.classes;
  decide_kernels(engine, Phase::symbolic, rules, *out.record);
  const std::int64_t of_others = method.others == 0 ? 0 : count_others(engine, a, b, out, rules, stream);
  clock.mark(&times.symbolic);

  const std::int64_t capacity = of_short + of_others;
  if (!fits(capacity) || !try_take(engine, out.c, capacity, stream)) {
    out = {}, measured = {};
    measured = measure_product(engine, a, b, stream, nullptr, heavy_room(memory_limit));
    measured.method = in_two_phases(capacity);
    return {};
  }

  if (before_values) before_values();
  HostMailbox<std::int64_t> nnz(engine.pool(), stream);
  const std::int64_t of_words = sort::one_phase_words(rows, method.most);
  {
    ZeroWords words(engine.pool(), of_words, stream);
    fill_short_rows(engine, a, b, out, words.words(), nnz.sender(), stream);
    words.launched();
  }
  out.c.nnz = nnz.wait("waiting for C's size");
  out.bytes_temporary += of_words * static_cast<std::int64_t>(sizeof(unsigned long long));

  if (out.c.nnz > capacity) {
    check_sizes(bytes_of(out.c) + out.bytes_temporary, memory_limit, out.c.nnz);
    take(engine, out.c, out.c.nnz, stream);
    fill(engine, a, b, out, stream);
  } else {
    out.bytes_temporary += bytes_of_c<T>(rows, capacity) - bytes_of(out.c);
    fill_queues(engine, a, b, out, stream);
  }
  clock.mark(&times.numeric);
  clock.read();
  note_one_phase(engine, a, b, out);
  return out;
}

#define ROWAN_INSTANTIATE(T)                                                                                \
  template void fill_short_rows(Engine&, const Resident<T>&, const Resident<T>&, CountedProduct<T>&,        \
                                const LaunchWords&, const HostMailbox<std::int64_t>::Sender&, hipStream_t); \
  template std::optional<CountedProduct<T>> one_phase(Engine&, const Resident<T>&, const Resident<T>&,      \
                                                      MeasuredProduct&, std::int64_t, hipStream_t, Stats*,  \
                                                      const std::function<void()>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
