#pragma once
// C in blocks of whole rows, in order, each given to a sink and forgotten: C as a whole may be larger than memory. A
// block goes through all stages as a matrix of its own, while the sink has the one before; B's part of the stages is
// done once.
#include "lib/host/settings.hpp"
#include "lib/host/sink_thread.hpp"
#include <rowan/context.hpp>

namespace rowan {

/// C = A B into the sink.
template <class T>
void multiply_in_blocks(const CsrView<T>& a, const CsrView<T>& b, const Settings& settings, SinkThread<T>& sink,
                        Stats& stats);

/// The same of C's rows from `first` on, where it is known how many entries all rows of C have: row_ptr is somebody
/// else's word for it.
template <class T>
void multiply_in_blocks(const CsrView<T>& a, const CsrView<T>& b, std::span<const std::int64_t> row_ptr,
                        std::int64_t first, const Settings& settings, SinkThread<T>& sink, Stats& stats);

/// The sizes alone, where the features of all rows do not fit the memory limit.
template <class T>
[[nodiscard]] Symbolic count_in_blocks(const CsrView<T>& a, const CsrView<T>& b, const Settings& settings);

/// Of C, at most where there is memory for it: such a block is long beside the start of its stages and of a write.
inline constexpr std::int64_t kBlockBytes = std::int64_t{64} << 20;

/// Throws Error{invalid_argument} unless these are row pointers of `rows` rows, and `first` is one of them or the end.
void check_sizes(std::span<const std::int64_t> row_ptr, std::int64_t rows, std::int64_t first);

/// The end of the block of rows from `first` on whose entries take `most` bytes at most, `row` each row and `entry`
/// each entry; one row at least.
[[nodiscard]] std::int64_t end_of_block(std::span<const std::int64_t> row_ptr, std::int64_t first, std::int64_t most,
                                        std::int64_t row, std::int64_t entry);

/// What a block adds to the statistics of all.
void add_block(Stats& all, const Stats& block);

}  // namespace rowan
