#pragma once
// Hypersparse operands: of A and B only the rows with entries are multiplied, as of matrices that have no others. What
// looks at every row (features, bins, row pointers) then takes as long as there are entries, not rows.
#include <optional>

#include "lib/device/pipeline/multiply.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Whether so many rows have so few entries that most are empty (as hosts have it, lib/core/hypersparse.hpp), and
/// looking at all of them several times takes longer than packing the others. (H200: a row costs 65 ps, packing's four
/// launches 15 us.)
[[nodiscard]] constexpr bool is_worth_packing(std::int64_t rows, std::int64_t nnz) noexcept {
  constexpr std::int64_t kLeastRows = 1 << 19, kRowsAnEntry = 4;
  return rows >= kLeastRows && nnz * kRowsAnEntry <= rows;
}

/// C = A B where A or B is hypersparse, complete but for what `stream` still has to do; else nothing, nor where the
/// device has not the memory. C's bits are those of the product of all rows.
template <class T>
[[nodiscard]] std::optional<Product<T>> packed_product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                       hipStream_t stream, Stats* stats);

}  // namespace rowan::device::inline ROWAN_BACKEND
