#include "lib/device/pipeline/symbolic.hpp"

#include <mutex>

#include "lib/core/values.hpp"
#include "lib/device/pipeline/in_parts.hpp"
#include "lib/device/pipeline/pair.hpp"
#include "lib/device/pipeline/pieces.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// Throws Error{memory_limit} where it took more than a limit that is not 0.
template <class T>
Symbolic counted_at_once(const std::shared_ptr<Engine>& engine, const Operand<T>& a, const Operand<T>& b, bool same,
                         std::int64_t limit) {
  const CurrentDevice chosen(engine->info().ordinal);
  check_sizes(bytes_of_c<T>(a.rows, a.nnz()) + (same ? 0 : bytes_of_c<T>(b.rows, b.nnz())), limit, 0);
  const Pair<T> pair(engine, a, b, same);
  const CountedProduct<T> counted = measure_and_count(*engine, pair.a(), pair.b(), pair.stream(), nullptr);
  const std::int64_t taken = counted.bytes_temporary + pair.bytes();
  check_sizes(taken, limit, counted.c.nnz);
  return {.row_ptr = fetched(counted.c.row_ptr.data(), counted.c.rows + 1, pair.stream()),
          .nprod = counted.record->nprod(),
          .nnz = counted.c.nnz,
          .bytes_c = bytes_of_c<T>(counted.c.rows, counted.c.nnz),
          .bytes_temporary = taken};
}

template <class T>
Symbolic counted_in_parts(const SharedEngines& engines, const Operand<T>& a, const Operand<T>& b,
                          const rowan::Options& options) {
  std::mutex lock;  // of what follows
  std::vector<RowsOfC<T>> pieces;
  Symbolic all;
  in_parts<T>(plain(engines), a, b, options, [&](const PartOfProduct<T>& part) {
    Symbolic its = counted_at_once(engines[part.device], part.a, part.b, false, part.limit);
    const std::lock_guard locked(lock);
    all.nprod += its.nprod, all.nnz += its.nnz;
    all.bytes_temporary = std::max(all.bytes_temporary, its.bytes_temporary);
    pieces.push_back({part.rows.first, std::move(its.row_ptr)});
  });
  all.bytes_temporary *= part_workers(engines.size());
  all.row_ptr = joined_row_pointers(pieces, a.rows);
  all.bytes_c = bytes_of_c<T>(a.rows, all.nnz);
  return all;
}

}  // namespace

template <class T>
Symbolic symbolic_on_host(const SharedEngines& engines, const Operand<T>& a, const Operand<T>& b, bool same,
                          const rowan::Options& options) {
  try {
    return counted_at_once(engines.front(), a, b, same, options.memory_limit);
  } catch (const Error& e) {
    if (!too_large(e)) throw;
  }
  rowan::Options quiet = options;
  quiet.progress = {};  // symbolic() reports none
  return counted_in_parts(engines, a, b, quiet);
}

#define ROWAN_INSTANTIATE(T)                                                                           \
  template Symbolic symbolic_on_host(const SharedEngines&, const Operand<T>&, const Operand<T>&, bool, \
                                     const rowan::Options&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
