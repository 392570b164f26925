#include "lib/device/pipeline/fastest.hpp"

#include "lib/core/values.hpp"
#include "lib/device/pipeline/one_launch.hpp"
#include "lib/device/pipeline/packed.hpp"
#include "lib/device/pipeline/stages.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// Seconds that two phases are likely to take, by sizes alone. Only whether a race begins depends on it.
/// (H200: 44 to 55 us below 400,000 products, 67 of 1.7 M, 78 of 2.2 M, 110 of 3.9 M.)
[[nodiscard]] double likely_seconds(double products) noexcept {
  constexpr double kLaunches = 45e-6, kProduct = 15e-12;
  return kLaunches + kProduct * products;
}

}  // namespace

template <class T>
Product<T> fastest_product(Engine& engine, const Resident<T>& a, const Resident<T>& b, std::int64_t memory_limit,
                           hipStream_t stream, Stats* stats) {
  if (memory_limit == 0)
    if (auto packed = packed_product(engine, a, b, stream, stats)) return *std::move(packed);
  const std::uint64_t sizes = sizes_of(OneLaunch::any, a, b);
  Races::Turn turn{Way::one_launch, false};
  if (engine.races_on()) turn = engine.races().next(sizes, likely_seconds(expected_products(a, b)));
  const bool takes_part = engine.races_on() && memory_limit == 0 && stats == nullptr;
  double seconds = 0;
  StageClock clock(takes_part && turn.timed, stream);
  std::optional<Product<T>> made;
  if (turn.way == Way::one_launch)
    made = one_launch(engine, a, b, memory_limit, stream, stats);
  else
    made = std::move(product(engine, a, b, memory_limit, stream, stats, false).c);
  if (!made) return multiply(engine, a, b, memory_limit, stream, stats);
  clock.mark(&seconds);
  clock.read();
  if (takes_part) engine.races().note(sizes, turn.way, seconds);
  return *std::move(made);
}

#define ROWAN_INSTANTIATE(T)                                                                                      \
  template Product<T> fastest_product(Engine&, const Resident<T>&, const Resident<T>&, std::int64_t, hipStream_t, \
                                      Stats*);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
