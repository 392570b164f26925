#include <cstring>

#include "accumulators/direct/candidate.hpp"
#include "lib/core/plus_times.hpp"

namespace rowan::direct {
namespace {

template <class T>
std::int64_t scaled_copies(const NumericTask<T>& t) {
  using Ring = PlusTimes<T>;
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    t.nnz[i] = 0;
    if (t.a.length(i) == 0) continue;
    const std::int64_t a = t.a.ptr[i], j = t.a.col[a], b = t.b.ptr[j], n = t.b.length(j);
    const T x = t.a.val[a];
    if (n != 0) std::memcpy(t.col + k, t.b.col + b, static_cast<std::size_t>(n) * sizeof(Column));
    // sums start at +0 in every accumulator, so that a lone product -0 is +0 in all of them
    for (std::int64_t e = 0; e < n; e++) t.val[k + e] = Ring::add(Ring::zero(), Ring::multiply(x, t.b.val[b + e]));
    k += t.nnz[i] = n;
  }
  return k;
}

}  // namespace

ScratchBytes scratch(const Extent& /*extent*/, std::size_t /*value_bytes*/) {
  return {};
}

void symbolic(const SymbolicTask& t) {
  for (std::int64_t i = t.first; i < t.last; i++) t.nnz[i] = t.rows[i].nprod;
}

ROWAN_DEFINE_NUMERIC(numeric, scaled_copies)

}  // namespace rowan::direct
