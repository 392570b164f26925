#pragma once
// A product written to a file of rowan's own form in blocks of rows: C may be larger than memory, and an interrupted
// program goes on where it was.
#include <cstdint>
#include <functional>
#include <string>

#include "tools/rowan/common.hpp"
#include "tools/rowan/measured.hpp"

namespace rowan::tool {

/// Products of an entry of A with one of B. O(nnz).
[[nodiscard]] std::int64_t products_of(const CsrView<double>& a, const CsrView<double>& b);

/// Whether C, as it may be with `nprod` products, and what is kept of the rows of A and B exceed the memory limit, or
/// the memory that is free where there is none.
[[nodiscard]] bool may_exceed_memory(const Operands& in, std::int64_t nprod, std::int64_t memory_limit);

/// Whether such a file can be written so; else `why_not` says why not.
[[nodiscard]] bool can_be_in_blocks(const MatrixOutput& output, std::string& why_not);

/// Throws Error{io} where an interrupted program left a part of the file.
void refuse_left_unfinished(const std::string& path);
/// Says so on standard error.
void note_left_unfinished(const std::string& path);

/// C into the file. `progress`: where the context reports to.
[[nodiscard]] WrittenBlocks multiply_in_blocks(const Context& context, const Common& common, const Operands& in,
                                               const std::string& path, bool resume,
                                               std::function<void(double)>& progress, Stats& stats);

}  // namespace rowan::tool
