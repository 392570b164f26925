#pragma once
// From features to choices on a host.
#include <string_view>

#include "features/measure.hpp"
#include "lib/choose/record.hpp"

namespace rowan {

/// What candidates are asked about the rows that `t` sums up, of a multiplication that was measured.
[[nodiscard]] Extent extent_of(const Tally& t, const Measured& measured) noexcept;

/// Per matrix: bin or not, one phase or two.
[[nodiscard]] Record decide_matrix(const Measured& measured, const Policy& policy);

/// The bins that were measured, which go to the record, or one for all rows.
void bin(Measured& measured, Record& record);

/// Per bin and phase: the first candidate of the policy's ranking that is feasible, else the first one's fallback; bins
/// whose rows alternate are merged in the numeric phase where the policy asks for that (lib/choose/alternating.hpp).
/// `force` (empty: none) stands in the ranking's place, and merges nothing. `symbolic`: that phase, too; it is half of
/// deciding, and most multiplications have none.
void decide_bins(const Measured& measured, std::string_view force, Record& record, bool symbolic = true);

/// The symbolic phase of bins that were decided without.
void decide_symbolic(std::string_view force, Record& record);

/// The choices of a phase again, among candidates that work in no more memory than that; the one that works in least
/// where all work in more. Later choices keep the limit.
void limit_scratch(Record& record, Phase phase, std::string_view force, ScratchLimit limit);

/// The numeric choices again, once the symbolic phase has counted C's rows into its row pointers.
void decide_again(const Measured& measured, const Offset* row_ptr, std::string_view force, Record& record);

}  // namespace rowan
