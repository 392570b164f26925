#pragma once
// Rows of A in chunks, which devices take one after another: by products at first, then so that a chunk of C has the
// size that suits a link. Whoever is done sooner takes more, so nothing has to be predicted.
#include <optional>
#include <span>
#include <vector>

#include "lib/device/pipeline/multiply.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Rows [first, last) of A and C.
struct RowRange {
  std::int64_t first = 0, last = 0;
  [[nodiscard]] std::int64_t size() const noexcept { return last - first; }
};

/// Entries of A whose products are summed up together.
inline constexpr std::int64_t kSummedEntries = 4096;
/// Products of each kSummedEntries of A's `nnz` entries, in A's order; waits.
[[nodiscard]] Array<std::int64_t> sum_products(Pool& pool, const Pattern& a, std::int64_t nnz, const Pattern& b,
                                               hipStream_t stream);

/// Not locked.
class RowQueue {
 public:
  struct RowChunk {
    std::size_t number = 0;
    RowRange rows;
  };
  /// What chunks are cut by.
  struct Goals {
    std::int64_t first_products = 0;  // of a chunk while nothing is known of C
    std::int64_t entries = 0;         // of C in a chunk
    std::int64_t least_products = 0;  // of a chunk, where several devices share what is left
  };

  /// All rows in one chunk.
  explicit RowQueue(std::int64_t rows) : rows_(rows) {}
  /// `products`: what sum_products() says. `takers`: devices.
  RowQueue(std::span<const std::int64_t> row_ptr, const Array<std::int64_t>& products, const Goals& goals, int takers);

  /// The next chunk, of a row at least; nothing when all are taken.
  [[nodiscard]] std::optional<RowChunk> take();
  /// The next chunk for the host's cores, whose speed is `share` of the speed of all; nothing where it would be small.
  /// `measured`: they had one; the first is smaller, as their speed is only predicted.
  [[nodiscard]] std::optional<RowChunk> take_for_host(double share, bool measured);
  [[nodiscard]] bool all_taken() const noexcept { return taken_ != 0 && next_ == rows_; }
  /// Of some rows, about.
  [[nodiscard]] double products(const RowRange& rows) const;
  /// Entries of C in a chunk's rows.
  void count(const RowChunk& chunk, std::int64_t nnz);
  /// Entries of C before the chunk, once all chunks before it are counted.
  [[nodiscard]] std::optional<std::int64_t> place_of(std::size_t number) const;
  /// Products of A B, at most.
  [[nodiscard]] std::int64_t nprod() const noexcept { return before_.empty() ? 0 : before_.back(); }

 private:
  [[nodiscard]] std::int64_t products_before(std::int64_t row) const;
  [[nodiscard]] std::int64_t products_left() const { return nprod() - products_before(next_); }
  /// The next rows, with about `wanted` products; all that are left where that is hardly more.
  [[nodiscard]] RowChunk take_with(double wanted);

  std::int64_t rows_, next_ = 0;
  std::span<const std::int64_t> row_ptr_ = {};
  std::vector<std::int64_t> before_ = {};  // products of the entries before each kSummedEntries; empty: one chunk
  Goals goals_ = {};
  int takers_ = 1;
  std::size_t taken_ = 0;
  std::vector<std::int64_t> nnz_ = {};      // of chunks; -1: not counted
  std::vector<std::int64_t> places_ = {0};  // of chunks, as far as known
  double counted_products_ = 0, counted_entries_ = 0;
};

}  // namespace rowan::device::inline ROWAN_BACKEND
