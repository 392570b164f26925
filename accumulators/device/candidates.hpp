#pragma once
// The candidates that run on devices, by their types: what a launch, the queues of the list of rows and the tests are
// made of. Which candidate it is stands in kCandidates; here is only how its kernels are reached.
#include "accumulators/candidates.hpp"
#include "accumulators/dense/device/few_columns.hpp"
#include "accumulators/dense/device/heavy_narrow.hpp"
#include "accumulators/dense/device/rank.hpp"
#include "accumulators/dense/device/run.hpp"
#include "accumulators/dense/device/small.hpp"
#include "accumulators/direct/device/direct.hpp"
#include "accumulators/direct/device/shift.hpp"
#include "accumulators/hash/device/hash.hpp"
#include "accumulators/hash/device/registers.hpp"
#include "accumulators/sort/device/merge.hpp"
#include "accumulators/sort/device/one_phase.hpp"
#include "accumulators/sort/device/sort.hpp"
#include "lib/binning/device/lists.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

namespace direct {
using DeviceShift = ShiftCountedBy<dense::DeviceRank>;
}  // namespace direct

template <class... C>
struct CandidateList {};
using DeviceCandidates = CandidateList<direct::DeviceDirect, direct::DeviceShift, sort::DeviceSort, sort::DeviceMerge,
                                       hash::DeviceHash, hash::DeviceRegisters, dense::DeviceRun, dense::DeviceRank>;

namespace detail {

/// Which of kCandidates it is; a constant, because devices cannot look there.
template <class C>
inline constexpr CandidateId kIdOf = *candidate_named(C::kName);
template <class C>
constexpr int kernels_of(Phase phase) noexcept {
  return phase == Phase::symbolic ? C::kSymbolicKernels : C::kNumericKernels;
}

/// Calls f(type's value, its first queue) for each candidate of the list.
template <class... C, class F>
constexpr void for_candidates(CandidateList<C...>, Phase phase, const F& f) {
  int first = 0;
  ((f(C{}, first), first += kernels_of<C>(phase)), ...);
}

}  // namespace detail

/// Whether the candidate has kernels here.
[[nodiscard]] constexpr bool on_devices(CandidateId id) noexcept {
  bool found = false;
  detail::for_candidates(DeviceCandidates{}, Phase::numeric,
                         [&](auto c, int) { found |= detail::kIdOf<decltype(c)> == id; });
  return found;
}

/// Whether the candidate's kernels take rows of such sizes, limits of the candidate itself apart.
[[nodiscard]] constexpr bool kernels_take(Phase phase, CandidateId id, const SizeQuery& q) noexcept {
  bool takes = true;
  detail::for_candidates(DeviceCandidates{}, phase, [&](auto c, int) {
    using C = decltype(c);
    if constexpr (requires { C::takes(phase, q); })
      if (detail::kIdOf<C> == id) takes = C::takes(phase, q);
  });
  return takes;
}

/// KernelQueues of a phase: kernels of all candidates, one after another.
[[nodiscard]] constexpr int queues_of(Phase phase) noexcept {
  int n = 0;
  detail::for_candidates(DeviceCandidates{}, phase,
                         [&](auto c, int first) { n = first + detail::kernels_of<decltype(c)>(phase); });
  return n;
}
static_assert(queues_of(Phase::symbolic) <= kMaxQueues && queues_of(Phase::numeric) <= kMaxQueues);

struct QueueChoice {
  int queue = kNoQueue;
  int threads = 1;  // that have a row to themselves
};

/// The queue of rows of such sizes that get candidate `id`.
[[nodiscard]] constexpr QueueChoice queue_for(Phase phase, CandidateId id, const SizeQuery& q) noexcept {
  QueueChoice choice;
  detail::for_candidates(DeviceCandidates{}, phase, [&](auto c, int first) {
    using C = decltype(c);
    if (detail::kIdOf<C> != id || detail::kernels_of<C>(phase) == 0) return;
    const int kernel = phase == Phase::symbolic ? C::symbolic_kernel(q) : C::numeric_kernel(q);
    choice = {first + kernel, phase == Phase::symbolic ? C::symbolic_threads(kernel) : C::numeric_threads(kernel)};
  });
  return choice;
}

/// The queue of heavy rows (dense/device/heavy.hpp).
[[nodiscard]] constexpr int heavy_queue(Phase phase) noexcept {
  int queue = kNoQueue;
  detail::for_candidates(DeviceCandidates{}, phase, [&](auto c, int first) {
    using C = decltype(c);
    if constexpr (requires { C::kHeavy; }) queue = first + C::kHeavy;
  });
  return queue;
}

/// Calls f(candidate, its kernel's number) for a queue.
template <class F>
void with_queue(Phase phase, int queue, const F& f) {
  detail::for_candidates(DeviceCandidates{}, phase, [&](auto c, int first) {
    if (queue >= first && queue < first + detail::kernels_of<decltype(c)>(phase)) f(c, queue - first);
  });
}

}  // namespace rowan::device::inline ROWAN_BACKEND
