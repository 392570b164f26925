#include "lib/host/phases.hpp"

#include "lib/core/values.hpp"
#include "lib/host/sampled.hpp"

namespace rowan {
namespace {

constexpr std::int64_t kChunk = 131072;      // products: a chunk's rows of C stay in the second-level cache
constexpr std::int64_t kAlone = 2 * kChunk;  // up to here one worker is faster than waking another

}  // namespace

template <class T>
PhasePlan<T>::PhasePlan(const Operand<T>& a, const Operand<T>& b, const Decided& decided, Phase phase,
                        const Team& whole_team, std::int64_t spare)
    : runner(a, b, decided.measured, decided.record, phase), team(1) {
  const std::int64_t nprod = decided.measured.all.nprod;
  const bool sampled = decided.record.sampled;
  const std::int64_t worth = nprod <= (sampled ? kSampledAlone : kAlone) ? 1 : whole_team.size();
  chunks = sampled      ? decided.chunks
           : worth == 1 ? cut_for_one(decided.measured.rows.data(), a.rows, nprod, kChunk)
                        : cut(decided.measured.rows.data(), a.rows, kChunk, whole_team);
  const auto list = static_cast<std::int64_t>(chunks.size() * (sizeof(Chunk) + 2 * sizeof(Offset)));
  scratch = runner.scratch_bytes();
  const std::int64_t each = scratch + (phase == Phase::numeric ? kBuffers * ChunkBuffer<T>::bytes(largest(chunks)) : 0);
  const std::int64_t workers = std::clamp<std::int64_t>((spare - list) / each, 1, worth);
  if (workers > 1) team = workers == whole_team.size() ? whole_team : Team(static_cast<int>(workers));
  least = list + scratch;
  bytes = workers == 1 ? least : list + workers * each;
}

template <class T>
PhasePlan<T> phase_plan_that_fits(const Operand<T>& a, const Operand<T>& b, Decided& decided, Phase phase,
                                  const Team& team, const Budget& budget, std::string_view force) {
  const auto work = [&] { return PhasePlan<T>(a, b, decided, phase, team, budget.spare()); };
  PhasePlan<T> first = work();
  // rows that were not measured have no candidate but those they were decided for
  if (first.least <= budget.spare() || decided.record.sampled) return first;
  // candidates share their memory, one's zeroed beside another's plain: halves always fit together
  limit_scratch(decided.record, phase, force, {(budget.spare() - first.least + first.scratch) / 2, sizeof(T)});
  PhasePlan<T> second = work();
  if (second.least <= budget.spare()) return second;
  limit_scratch(decided.record, phase, force, {0, sizeof(T)});
  return work();
}

template <class T>
void count_rows(const PhasePlan<T>& work, Offset* row_ptr, Monitor& monitor) {
  std::atomic<std::size_t> next = 0;
  work.team.run([&](int) {
    Workspace workspace;
    for (std::size_t n; (n = next++) < work.chunks.size();) {
      const Chunk& chunk = work.chunks[n];
      monitor.check();
      work.runner.symbolic(workspace, chunk.first, chunk.last, row_ptr + 1);
      monitor.done(chunk.last - chunk.first);
    }
  });
  const std::int64_t rows = work.chunks.empty() ? 0 : work.chunks.back().last;
  for (std::int64_t i = 0; i < rows; i++) row_ptr[i + 1] = static_cast<Offset>(row_ptr[i + 1] + row_ptr[i]);
}

template <class T>
Offset fill_rows(const PhasePlan<T>& work, const CTarget<T>& c, Monitor& monitor) {
  return work.team.size() == 1 ? assemble_in_place(work.runner, work.chunks, c, monitor)
                               : assemble_by_look_back(work.runner, work.chunks, c, work.team, monitor);
}

#define ROWAN_INSTANTIATE(T)                                                                                     \
  template struct PhasePlan<T>;                                                                                  \
  template PhasePlan<T> phase_plan_that_fits(const Operand<T>&, const Operand<T>&, Decided&, Phase, const Team&, \
                                             const Budget&, std::string_view);                                   \
  template void count_rows(const PhasePlan<T>&, Offset*, Monitor&);                                              \
  template Offset fill_rows(const PhasePlan<T>&, const CTarget<T>&, Monitor&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
