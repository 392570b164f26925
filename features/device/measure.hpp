#pragma once
// The feature pass on a device: the same facts as features/measure.hpp, row by
// row.
#include "features/pattern_facts.hpp"
#include "lib/binning/device/runs.hpp"
#include "lib/device/runtime/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// What is known of a row of C, apart from its products.
struct alignas(16) CRow {
  Column lo, hi;        // all columns lie in [lo, hi]; hi < lo: no products
  std::int32_t b_max;   // longest row of B it meets
  std::uint32_t nprod;  // products; 2^32 - 1 where there are more. Kernels that read it take rows of far fewer
  [[nodiscard]] constexpr std::int64_t span() const noexcept { return std::int64_t{hi} - lo + 1; }
};

/// What is asked of a row of B for each entry of A that meets it; read at once.
struct alignas(16) BRow {
  Column lo, hi;          // hi < lo: the row is empty
  std::int32_t n;         // entries
  std::int32_t relation;  // to the row before (lib/binning/device/runs.hpp)
};

/// Column range of every row of b; falls[0] becomes nonzero where a row does
/// not rise strictly. `relation` (null: not wanted): how every row's pattern relates to the row before it. O(nnz).
void measure_ranges(const Pattern& b, std::int64_t nnz, BRow* range, std::int32_t* falls, std::uint8_t* relation,
                    hipStream_t stream);

/// How every row's pattern relates to the row before it.
void measure_runs(const Pattern& a, std::int64_t nnz, std::uint8_t* relation, hipStream_t stream);

/// Products (out: nprod[i], and 0 behind the last: what C's row pointers have room for) and facts of every row of A B.
/// `relation`: of A's rows. `moved` (null: not wanted): 1 where a row's products are the row before's moved by one
/// column, more than one of A's entries, and neither row is of a run of equal rows; else 0. O(nnz of A).
void measure_rows(const Pattern& a, std::int64_t nnz, const BRow* range, const std::uint8_t* relation,
                  std::int64_t* nprod, CRow* facts, std::uint8_t* moved, hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
