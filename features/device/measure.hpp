#pragma once
// The feature pass on a device: what features/measure.hpp finds out on the host, row by row.
#include "lib/binning/device/rows.hpp"
#include "lib/binning/device/runs.hpp"
#include "lib/core/pattern.hpp"
#include "lib/device/runtime/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Memory that becomes zero.
struct WordsToZero {
  std::uint64_t* at;
  std::int64_t words;
};

/// A BRow of every row of b. `relation` (null: not wanted): how every row's pattern relates to the row before it. What
/// follows in the stream finds `zeroed` zero. O(nnz).
void measure_ranges(const Pattern& b, std::int64_t nnz, BRow* range, std::uint8_t* relation, WordsToZero zeroed,
                    hipStream_t stream);

/// How every row's pattern relates to the row before it.
void measure_runs(const Pattern& a, std::int64_t nnz, std::uint8_t* relation, hipStream_t stream);

/// Products (out: nprod[i], and 0 behind the last: what C's row pointers have room for) and a CRow of every row of A B.
/// `relation`: of A's rows. `moved` (null: not wanted): 1 where a row's products are the row before's moved by one
/// column, more than one of A's entries, and neither row is of a run of equal rows; else 0. unsorted_rows[0] (was zero)
/// becomes nonzero where the columns of a row of B that an entry of A meets do not rise strictly. O(nnz of A).
void measure_rows(const Pattern& a, std::int64_t nnz, const BRow* range, const std::uint8_t* relation,
                  std::int64_t* nprod, CRow* c_rows, std::uint8_t* moved, std::int32_t* unsorted_rows,
                  hipStream_t stream);

/// nprod[i], the products of row i of A B, and nothing else of them. `b_ptr`: row pointers of B. O(nnz of A).
void count_products(const Pattern& a, std::int64_t nnz, const std::int64_t* b_ptr, std::int64_t* nprod,
                    hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
