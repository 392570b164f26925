#include "lib/host/phases.hpp"

#include <string>

#include "lib/core/values.hpp"
#include "lib/host/sampled.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

constexpr std::int64_t kChunk = 131072;          // products: a chunk's rows of C stay in the second-level cache
constexpr std::int64_t kMostChunk = 8 * kChunk;  // of long rows, so that there are some to be multiplied together
constexpr std::int64_t kAlone = 2 * kChunk;      // up to here one worker is faster than waking another

}  // namespace

template <class T>
PhasePlan<T>::PhasePlan(const Operand<T>& a, const Operand<T>& b, const Decided& decided, Phase phase,
                        const Team& whole_team, std::int64_t spare)
    : runner(a, b, decided.measured, decided.record, phase), team(1) {
  const std::int64_t nprod = decided.measured.all.nprod;
  const bool sampled = decided.record.sampled;
  const std::int64_t alone = sampled ? alone_up_to(decided.record.decisions.front().numeric.chosen) : kAlone;
  const std::int64_t worth = nprod <= alone ? 1 : whole_team.size();
  // rows of many products come in several eights, if there are pieces enough for all workers
  const std::int64_t eights = 4 * kRowsTogether * nprod / std::max<std::int64_t>(a.rows, 1);
  const std::int64_t chunk = std::max(kChunk, std::min({eights, kMostChunk, nprod / (16 * worth)}));
  chunks = sampled      ? decided.chunks
           : worth == 1 ? cut_for_one(decided.measured.rows.data(), a.rows, nprod, chunk)
                        : cut(decided.measured.rows.data(), a.rows, chunk, whole_team);
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

namespace {

/// Entries of C in the chunk's rows, at most: chunks that one worker takes do not tell.
std::int64_t bound_of(const Chunk& chunk, const Decided& decided) {
  if (decided.record.sampled) return chunk.bound;
  std::int64_t bound = 0;
  for (std::int64_t i = chunk.first; i < chunk.last; i++) bound += decided.measured.rows[i].bound();
  return bound;
}

/// Where the chunk's entries begin in C. Throws where its rows are not as long as row_ptr says.
template <class T>
std::int64_t begin_of(const Chunk& chunk, const Offset* nnz, const CountedTarget<T>& c) {
  const std::span<const std::int64_t> ptr = c.row_ptr;
  const std::int64_t begin = ptr[static_cast<std::size_t>(chunk.first)];
  std::int64_t k = begin;
  for (std::int64_t i = chunk.first; i < chunk.last; i++) {
    const std::int64_t said = ptr[static_cast<std::size_t>(i) + 1] - k;
    if (said != nnz[i - chunk.first] || k < 0 || k + said > ptr.back())
      throw Error(ErrorCode::invalid_argument, "row " + std::to_string(i) + " of C has " +
                                                   std::to_string(nnz[i - chunk.first]) +
                                                   " entries, but the sizes say " + std::to_string(said));
    k += said;
  }
  return begin;
}

}  // namespace

template <class T>
void fill_counted(const PhasePlan<T>& work, const Decided& decided, const CountedTarget<T>& c, Monitor& monitor) {
  std::int64_t most = 0, rows = 0;
  for (const Chunk& chunk : work.chunks) {
    most = std::max(most, bound_of(chunk, decided));
    rows = std::max(rows, chunk.last - chunk.first);
  }
  std::atomic<std::size_t> next = 0;
  work.team.run([&](int) {
    Workspace workspace;
    ChunkBuffer<T> buffer(most);
    Array<Offset> nnz(rows);
    for (std::size_t n; (n = next++) < work.chunks.size();) {
      const Chunk& chunk = work.chunks[n];
      monitor.check();
      const auto k = static_cast<std::size_t>(work.runner.numeric(
          workspace, chunk.first, chunk.last, nnz.data() - chunk.first, buffer.col.data(), buffer.val.data()));
      const std::int64_t begin = begin_of(chunk, nnz.data(), c);
      if (k != 0 && c.col != nullptr) std::memcpy(c.col + begin, buffer.col.data(), k * sizeof(Column));
      if (k != 0) std::memcpy(c.val + begin, buffer.val.data(), k * sizeof(T));
      monitor.done(chunk.last - chunk.first);
    }
  });
}

#define ROWAN_INSTANTIATE(T)                                                                                     \
  template struct PhasePlan<T>;                                                                                  \
  template PhasePlan<T> phase_plan_that_fits(const Operand<T>&, const Operand<T>&, Decided&, Phase, const Team&, \
                                             const Budget&, std::string_view);                                   \
  template void count_rows(const PhasePlan<T>&, Offset*, Monitor&);                                              \
  template Offset fill_rows(const PhasePlan<T>&, const CTarget<T>&, Monitor&);                                   \
  template void fill_counted(const PhasePlan<T>&, const Decided&, const CountedTarget<T>&, Monitor&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
