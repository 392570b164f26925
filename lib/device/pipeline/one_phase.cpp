#include "lib/device/pipeline/one_phase.hpp"

#include <algorithm>

#include "lib/core/values.hpp"
#include "lib/device/pipeline/stages.hpp"
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

/// Rows that are not short are counted, and their numeric phase decided: how many entries they have.
template <class T>
std::int64_t count_others(Engine& engine, const Resident<T>& a, const Resident<T>& b, CountedProduct<T>& c, Rules rules,
                          hipStream_t stream) {
  const Metadata& m = c.at;
  const std::int64_t rows = a.m.rows;
  std::int64_t* const entries = c.c.row_ptr.data();
  list_queues(c.record.queues[kSymbolic], Phase::symbolic, rows, m, stream);
  count_rows(engine, a, b, rows_to_count(c.record, m, entries), stream);
  if (m.relation != nullptr) make_bundles(rows, m.relation, m.shift_mark, entries, m.bundle_rows, nullptr, stream);
  tally_bins({a.m, entries, RowNumber::entries, m.c_rows, m.relation, m.bundle_rows, m.shift_mark},
             make_borders(Phase::numeric, rules), m.zeroed->summary[kNumeric].bins, m.key, stream,
             engine.info().multiprocessors);
  (void)decide(engine, Phase::numeric, rules, m, stream, {}, c.record);
  list_queues(c.record.queues[kNumeric], Phase::numeric, rows, m, stream);
  c.list = m.list;
  std::int64_t n = 0;
  for (int bin = 0; bin < kBins; bin++)
    if (!is_short(bin, rules.short_classes)) n += c.record.bins[kNumeric][bin].bound;
  return n;
}

}  // namespace

template <class T>
void fill_short_rows(Engine& engine, const Resident<T>& a, const Resident<T>& b, CountedProduct<T>& counted,
                     unsigned long long* words, hipStream_t stream) {
  sort::one_phase<T>({.a = a.m,
                      .b = b.m,
                      .c_rows = counted.at.c_rows,
                      .most = counted.method.most,
                      .short_products = counted.method.short_products,
                      .short_entries = counted.method.short_entries,
                      .placed = words == nullptr,
                      .row_ptr = counted.c.row_ptr.data(),
                      .col = counted.c.col.data(),
                      .val = counted.c.val.data(),
                      .capacity = counted.c.col.size(),
                      .words = words,
                      .wave = engine.info().wave,
                      .stream = stream});
}

template <class T>
std::optional<CountedProduct<T>> one_phase(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                           MeasuredProduct& measured, std::int64_t memory_limit, hipStream_t stream,
                                           Stats* stats, const std::function<void()>& before_values) {
  if (measured.method.method != Method::one_phase) return {};
  const MethodChoice method = measured.method;
  const std::int64_t rows = a.m.rows, of_short = room_for(method);
  Stats unused;
  Stats& times = stats != nullptr ? *stats : unused;
  StageClock clock(stats != nullptr, stream);
  CountedProduct<T> out;
  out.c.rows = rows, out.c.cols = b.m.cols, out.c.nnz = of_short;
  out.method = method;
  out.method.short_entries = static_cast<double>(of_short);
  const std::int64_t bytes_of_metadata = measured.memory.size();
  const auto too_large = [&](std::int64_t entries) {
    out.c.nnz = entries;
    return memory_limit != 0 && bytes_of(out.c) + bytes_of_metadata > memory_limit;
  };
  const auto no_room = [&](std::int64_t entries) {
    return "room for about " + std::to_string(entries) + " entries of C is beyond the memory there is";
  };
  const auto in_two = [&](std::int64_t entries) {
    out = {};
    measured.method = MethodChoice{.reason = no_room(entries)};
    return std::nullopt;
  };
  if (too_large(of_short)) return in_two(of_short);
  out.c.row_ptr = std::move(measured.row_ptr);
  out.memory = std::move(measured.memory);
  out.at = measured.at;
  out.record = measured.record;
  Rules rules = measured.rules;
  rules.short_classes = method.classes;
  out.record.queues[kSymbolic] =
      decide_queues(Phase::symbolic, rules, engine.policy().trees, out.record.bins[kSymbolic], out.record.sorted_b);
  const std::int64_t of_others = method.others == 0 ? 0 : count_others(engine, a, b, out, rules, stream);
  clock.mark(&times.symbolic);

  const std::int64_t capacity = of_short + of_others;
  bool room = !too_large(capacity);
  try {
    if (room) take(engine, out.c, capacity, stream);
  } catch (const Error& e) {
    if (e.code() != ErrorCode::out_of_memory) throw;
    room = false;
  }
  if (!room) {
    out = {}, measured = {};
    measured = measure_product(engine, a, b, stream, nullptr);
    return in_two(capacity);
  }
  if (before_values) before_values();
  const Buffer<unsigned long long> words(engine.pool(), sort::one_phase_words(rows, method.most), stream);
  check(hipMemsetAsync(words.data(), 0, words.bytes(), stream), "clearing");
  fill_short_rows(engine, a, b, out, words.data(), stream);
  HostMailbox<std::int64_t> nnz(engine.pool(), stream);
  nnz.send(out.c.row_ptr.data() + rows);
  out.c.nnz = nnz.wait("waiting for C's size");
  out.bytes_temporary = out.memory.size() + static_cast<std::int64_t>(words.bytes());
  if (out.c.nnz > capacity) {
    check_sizes(bytes_of(out.c) + out.bytes_temporary, memory_limit, out.c.nnz);
    take(engine, out.c, out.c.nnz, stream);
    fill(engine, a, b, out, stream);
  } else {
    out.bytes_temporary += (capacity - out.c.nnz) * static_cast<std::int64_t>(sizeof(std::int32_t) + sizeof(T));
    fill_queues(engine, a, b, out, stream);
  }
  clock.mark(&times.numeric);
  clock.read();
  return out;
}

#define ROWAN_INSTANTIATE(T)                                                                               \
  template void fill_short_rows(Engine&, const Resident<T>&, const Resident<T>&, CountedProduct<T>&,       \
                                unsigned long long*, hipStream_t);                                         \
  template std::optional<CountedProduct<T>> one_phase(Engine&, const Resident<T>&, const Resident<T>&,     \
                                                      MeasuredProduct&, std::int64_t, hipStream_t, Stats*, \
                                                      const std::function<void()>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
