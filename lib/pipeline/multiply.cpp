#include "lib/pipeline/multiply.hpp"

#include <unistd.h>

#include "lib/pipeline/assemble.hpp"
#include "lib/pipeline/room.hpp"
#include "lib/pipeline/timer.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

constexpr std::int64_t kChunk = 131072;      // products: a chunk's rows of C stay in the second-level cache
constexpr std::int64_t kAlone = 2 * kChunk;  // up to here one worker is faster than waking another

template <class T>
bool same_matrix(const CsrView<T>& a, const CsrView<T>& b) {
  return a.rows == b.rows && a.cols == b.cols && a.row_ptr.wide() == b.row_ptr.wide() &&
         a.row_ptr.narrow() == b.row_ptr.narrow() && a.col.data() == b.col.data() && a.val.data() == b.val.data() &&
         a.nnz() == b.nnz() && a.transposed == b.transposed;
}

std::int64_t limit_of(const Options& options) {
  if (options.memory_limit != 0) return options.memory_limit;
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

/// Workers worth having for the work at hand.
Team team_for(const Team& team, std::int64_t nprod) {
  return nprod <= kAlone ? Team(1) : Team(team);
}

std::int64_t feature_bytes(const Pattern& a, const Pattern& b) {
  const auto facts = static_cast<std::int64_t>(sizeof(ColumnRange) + sizeof(RowRun));
  return a.rows * static_cast<std::int64_t>(sizeof(RowWork) + 1) + (b.rows + (a == b ? 0 : a.rows)) * facts;
}

std::int64_t scratch_bytes(const std::vector<Workspace>& workspaces) {
  std::int64_t n = 0;
  for (const Workspace& w : workspaces) n += w.bytes();
  return n;
}

template <class T>
Csr<T> numeric(const Inputs<T>& in, const Decided& decided, Room<T> room, Array<std::int64_t> row_ptr,
               const Team& whole_team, Monitor& monitor, Stats& stats) {
  const Job<T> job(in.a(), in.b(), decided.measured, decided.record, Phase::numeric);
  const Team team = team_for(whole_team, decided.measured.all.nprod);
  const std::vector<Chunk> chunks = cut(decided.measured.rows.data(), in.a().rows, kChunk);
  std::vector<Workspace> workspaces(static_cast<std::size_t>(team.size()));
  const Target<T> target{row_ptr.data(), room.col.data(), room.val.data()};
  const std::int64_t nnz = team.size() == 1 ? assemble_in_place(job, chunks, workspaces[0], target, monitor)
                                            : assemble_by_look_back(job, chunks, workspaces, target, team, monitor);
  room.col.shrink(nnz), room.val.shrink(nnz);
  stats.threads = team.size();
  stats.bytes_temporary += scratch_bytes(workspaces);
  return {in.a().rows, in.b().cols, std::move(row_ptr), std::move(room.col), std::move(room.val)};
}

}  // namespace

template <class T>
Inputs<T>::Inputs(const CsrView<T>& a, const CsrView<T>& b, bool check, const Team& team) : a_(a, "A", check, team) {
  if (!same_matrix(a, b)) b_.emplace(b, "B", check, team);
  if (this->a().cols != this->b().rows)
    throw Error(ErrorCode::invalid_argument, "A has " + std::to_string(this->a().cols) + " columns, but B has " +
                                                 std::to_string(this->b().rows) + " rows");
}

Decided decide(const Pattern& a, const Pattern& b, const Environment& env, const Team& team, Stats& stats) {
  Decided d;
  {
    const Timer timer(stats.features);
    d.measured = measure(a, b, team);
    if (env.policy.asks_for(Feature::compression_ratio))
      d.measured.compression_ratio = sample_compression(a, b, d.measured);
  }
  {
    const Timer timer(stats.deciding);
    d.record = decide_matrix(d.measured, env.policy);
  }
  {
    const Timer timer(stats.binning);
    bin(a, d.measured, d.record, team);
  }
  {
    const Timer timer(stats.deciding);
    decide_bins(d.measured, env.options.force, d.record);
  }
  stats.policy = env.policy.name, stats.binned = d.record.binned, stats.method = d.record.asked_method;
  stats.nprod = d.measured.all.nprod, stats.bytes_temporary += feature_bytes(a, b);
  return d;
}

template <class T>
Array<std::int64_t> count_rows(const Inputs<T>& in, const Decided& decided, const Team& whole_team, Monitor& monitor,
                               Stats& stats) {
  const Timer timer(stats.symbolic);
  const Job<T> job(in.a(), in.b(), decided.measured, decided.record, Phase::symbolic);
  const Team team = team_for(whole_team, decided.measured.all.nprod);
  const std::int64_t rows = in.a().rows;
  const std::vector<Chunk> chunks = cut(decided.measured.rows.data(), rows, kChunk);
  std::vector<Workspace> workspaces(static_cast<std::size_t>(team.size()));
  Array<std::int64_t> row_ptr(rows + 1);
  std::atomic<std::size_t> next = 0;
  team.run([&](int worker) {
    for (std::size_t n; (n = next++) < chunks.size();) {
      monitor.check();
      job.symbolic(workspaces[static_cast<std::size_t>(worker)], chunks[n].first, chunks[n].last, row_ptr.data() + 1);
      monitor.done(chunks[n].last - chunks[n].first);
    }
  });
  row_ptr[0] = 0;
  for (std::int64_t i = 0; i < rows; i++) row_ptr[i + 1] += row_ptr[i];
  stats.bytes_temporary += scratch_bytes(workspaces);
  return row_ptr;
}

template <class T>
Csr<T> multiply_decided(const Inputs<T>& in, Decided& decided, const Environment& env, const Team& team, Stats& stats) {
  const std::int64_t rows = in.a().rows, bound = decided.measured.all.bound, limit = limit_of(env.options);
  const std::int64_t row_bytes = (rows + 1) * static_cast<std::int64_t>(sizeof(std::int64_t));
  const auto bytes = [&](std::int64_t entries) { return Room<T>::bytes(entries) + row_bytes + stats.bytes_temporary; };

  std::optional<Room<T>> room;
  if (stats.method == Method::one_phase) {
    if (bytes(bound) > limit)
      stats.method_reason = "C's upper bound of " + std::to_string(bound) + " entries does not fit the memory limit";
    else if (!(room = Room<T>::reserve(bound)))
      stats.method_reason = "C's upper bound of " + std::to_string(bound) + " entries could not be reserved";
    if (!room) stats.method = Method::two_phase;
  }
  Monitor monitor(env.options, room ? rows : 2 * rows);
  Array<std::int64_t> row_ptr;
  if (room) {
    row_ptr = Array<std::int64_t>(rows + 1);
  } else {
    row_ptr = count_rows(in, decided, team, monitor, stats);
    const Timer timer(stats.deciding);
    decide_again(decided.measured, row_ptr.data(), env.options.force, decided.record);
    const std::int64_t need = bytes(row_ptr[rows]);
    if (need > limit)
      throw Error(env.options.memory_limit != 0 ? ErrorCode::memory_limit : ErrorCode::out_of_memory,
                  "C has " + std::to_string(row_ptr[rows]) + " entries and needs " + std::to_string(need) +
                      " bytes with its temporaries; the limit is " + std::to_string(limit));
    room = Room<T>::reserve(row_ptr[rows]);
    if (!room) throw Error(ErrorCode::out_of_memory, "cannot allocate " + std::to_string(need) + " bytes for C");
  }
  const Timer timer(stats.numeric);
  Csr<T> c = numeric(in, decided, std::move(*room), std::move(row_ptr), team, monitor, stats);
  stats.nnz = c.nnz();
  stats.bytes_c = row_bytes + c.nnz() * static_cast<std::int64_t>(sizeof(std::int32_t) + sizeof(T));
  return c;
}

template <class T>
Csr<T> multiply(const CsrView<T>& a, const CsrView<T>& b, const Environment& env, Stats& stats) {
  const Timer total(stats.total);
  const Team team(env.options.threads);
  const Inputs<T> in = [&] {
    const Timer timer(stats.prepare);
    return Inputs<T>(a, b, env.options.validate, team);
  }();
  Decided decided = decide(in.a(), in.b(), env, team, stats);
  stats.bytes_temporary += in.bytes();
  return multiply_decided(in, decided, env, team, stats);
}

template <class T>
void multiply_again(const Inputs<T>& in, const Decided& decided, const std::int64_t* row_ptr, T* val,
                    const Environment& env, const Team& whole_team) {
  const Job<T> job(in.a(), in.b(), decided.measured, decided.record, Phase::numeric);
  const Team team = team_for(whole_team, decided.measured.all.nprod);
  const std::vector<Chunk> chunks = cut(decided.measured.rows.data(), in.a().rows, kChunk);
  std::int64_t room = 0, rows = 0;
  for (const Chunk& c : chunks) {
    room = std::max(room, row_ptr[c.last] - row_ptr[c.first]);
    rows = std::max(rows, c.last - c.first);
  }
  Monitor monitor(env.options, in.a().rows);
  std::atomic<std::size_t> next = 0;
  team.run([&](int) {
    Workspace workspace;
    Buffer<T> buffer(room);
    Array<std::int64_t> nnz(rows);
    for (std::size_t n; (n = next++) < chunks.size();) {
      const Chunk& c = chunks[n];
      const std::int64_t k =
          job.numeric(workspace, c.first, c.last, nnz.data() - c.first, buffer.col.data(), buffer.val.data());
      if (k != 0) std::memcpy(val + row_ptr[c.first], buffer.val.data(), static_cast<std::size_t>(k) * sizeof(T));
      monitor.done(c.last - c.first);
    }
  });
}

#define ROWAN_INSTANTIATE(T)                                                                                  \
  template class Inputs<T>;                                                                                   \
  template Array<std::int64_t> count_rows(const Inputs<T>&, const Decided&, const Team&, Monitor&, Stats&);   \
  template Csr<T> multiply_decided(const Inputs<T>&, Decided&, const Environment&, const Team&, Stats&);      \
  template Csr<T> multiply(const CsrView<T>&, const CsrView<T>&, const Environment&, Stats&);                 \
  template void multiply_again(const Inputs<T>&, const Decided&, const std::int64_t*, T*, const Environment&, \
                               const Team&);
ROWAN_INSTANTIATE(float)
ROWAN_INSTANTIATE(double)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
