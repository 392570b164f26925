#include "lib/device/pipeline/speculate.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "lib/core/mix.hpp"
#include "lib/core/values.hpp"
#include "lib/device/pipeline/heavy.hpp"
#include "lib/device/pipeline/multiply.hpp"
#include "lib/device/pipeline/one_launch.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

bool equal(const ToldSums& one, const ToldSums& other) noexcept {
  const auto n = static_cast<std::size_t>(one.count);
  return one.count == other.count && one.flag == other.flag && one.checksum == other.checksum &&
         std::memcmp(one.key, other.key, n * sizeof *one.key) == 0 &&
         std::memcmp(one.of, other.of, n * sizeof *one.of) == 0;
}

/// Of what there is: the rest is left as it is.
std::unique_ptr<const ToldSums> copy_of(const ToldSums& sums) {
  auto copy = std::make_unique_for_overwrite<ToldSums>();
  const auto n = static_cast<std::size_t>(sums.count);
  copy->count = sums.count, copy->flag = sums.flag, copy->checksum = sums.checksum;
  std::copy_n(sums.key, n, copy->key);
  std::copy_n(sums.of, n, copy->of);
  return copy;
}

/// `beside`: what is in the checksum beside rows.
AssumedRows assumed_rows(const ToldSums& sums, std::uint64_t beside) {
  AssumedRows assumed{.checksum = sums.checksum + mix(beside)};
  std::int32_t rows[kKeys] = {}, before = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(sums.count); k++)
    rows[sums.key[k]] = static_cast<std::int32_t>(sums.of[k].rows);
  for (int place = 0; place < kKeys; place++) {
    const int key = key_at(place);
    assumed.first_of_key[key] = before, before += rows[key];
    assumed.behind_key[key] = before;
  }
  return assumed;
}

/// Names what a product's decisions follow from, beside its sums.
template <class T>
std::uint64_t name_of(const Resident<T>& a, const Resident<T>& b, std::int64_t memory_limit) {
  const bool same = a.m.col == b.m.col && a.m.ptr == b.m.ptr;
  return PastLaunches::name(sizes_of(OneLaunch::none, a, b), memory_limit, same);
}

/// Whether all kernels can be cancelled. Not those that list rows once more by queue, nor those that add heavy rows in
/// order by a list of their products, which the host waits for in any case.
bool can_be_cancelled(const Engine& engine, const DeviceRecord& record) {
  for (const KernelQueues& queues : record.queues)
    if (queues.listed() && !queues.by_key) return false;
  return !engine.deterministic() || record.bins[kSymbolic][kHeavyBin].rows == 0;
}

}  // namespace

std::shared_ptr<const PastSums> PastProducts::repeated(std::uint64_t sizes) const {
  const std::scoped_lock lock(mutex_);
  const SumsOfSizes& at = places_[sizes % kPlaces];
  return at.sums != nullptr && at.sizes == sizes && at.sums->record != nullptr ? at.sums : nullptr;
}

void PastProducts::note(std::uint64_t sizes, const ToldSums& symbolic, const ToldSums& numeric,
                        const std::string& method_reason, std::int64_t heavy, const DeviceRecord& record) {
  const std::scoped_lock lock(mutex_);
  SumsOfSizes& at = places_[sizes % kPlaces];
  const bool repeated = at.sums != nullptr && at.sizes == sizes && equal(*at.sums->symbolic, symbolic) &&
                        equal(*at.sums->numeric, numeric) && at.sums->method_reason == method_reason;
  if (repeated && at.sums->record != nullptr) return;
  const AssumedRows first = assumed_rows(symbolic, static_cast<std::uint64_t>(symbolic.flag));
  at = {sizes,
        std::make_shared<const PastSums>(PastSums{.symbolic = copy_of(symbolic),
                                                  .numeric = copy_of(numeric),
                                                  .method_reason = method_reason,
                                                  .heavy = heavy,
                                                  .record = repeated ? std::make_shared<DeviceRecord>(record) : nullptr,
                                                  .rows = {first, assumed_rows(numeric, first.checksum)}})};
}

void PastProducts::forget(std::uint64_t sizes) {
  const std::scoped_lock lock(mutex_);
  SumsOfSizes& at = places_[sizes % kPlaces];
  if (at.sizes == sizes) at = {};
}

template <class T>
std::optional<CountedProduct<T>> speculative_product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                     std::int64_t memory_limit, hipStream_t stream, Stats* stats) {
  const std::uint64_t sizes = name_of(a, b, memory_limit);
  const std::shared_ptr<const PastSums> past = engine.past_products().repeated(sizes);
  if (past == nullptr) return {};
  return unless_out_of_memory([&]() -> std::optional<CountedProduct<T>> {
    Sums sums(engine.pool(), stream, past.get());
    Stats its = stats != nullptr ? *stats : Stats();
    Stats* const times = stats != nullptr ? &its : nullptr;
    MeasuredProduct measured = measure_product(engine, a, b, stream, times, heavy_room(memory_limit), &sums);
    CountedProduct<T> made = two_phases(engine, a, b, std::move(measured), memory_limit, stream, times, sums);
    const bool as_assumed =
        static_cast<Assumption>(sums.as_assumed.wait("waiting for what was found")) == Assumption::right;
    if (!as_assumed) {
      engine.past_products().forget(sizes);
      return {};
    }
    for (Cancelled& cancelled : made.at.cancelled) cancelled = {};
    made.heavy.cancelled = {};
    if (stats != nullptr) *stats = std::move(its);
    return made;
  });
}

template <class T>
void note_product(Engine& engine, const Resident<T>& a, const Resident<T>& b, std::int64_t memory_limit,
                  const CountedProduct<T>& product, std::int64_t heavy, Sums& sums) {
  if (!can_be_cancelled(engine, *product.record)) return;
  engine.past_products().note(name_of(a, b, memory_limit), sums.symbolic.wait("waiting for what was found"),
                              sums.numeric.wait("waiting for C's size"), product.method.reason, heavy, *product.record);
}

#define ROWAN_INSTANTIATE(T)                                                                                          \
  template std::optional<CountedProduct<T>> speculative_product(Engine&, const Resident<T>&, const Resident<T>&,      \
                                                                std::int64_t, hipStream_t, Stats*);                   \
  template void note_product(Engine&, const Resident<T>&, const Resident<T>&, std::int64_t, const CountedProduct<T>&, \
                             std::int64_t, Sums&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
