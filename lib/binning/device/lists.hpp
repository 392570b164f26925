#pragma once
// Binning's second pass: lists of rows, by what their keys say. Rows that one kernel takes, a queue, stand together. A
// list by key is written while the host still decides which kernel takes which bins; a queue then has a few pieces of
// it. Where it would be many, rows are listed once more, by queue.
#include "lib/binning/device/bins.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

inline constexpr int kMaxQueues = 64;
inline constexpr std::uint8_t kNoQueue = 255;

/// Where in a list by queue they are, and whose rows they have; the kernel gets it by value.
struct ListLayout {
  std::int64_t begin[kMaxQueues + 1];  // queue q is list[begin[q], begin[q + 1])
  std::uint8_t of_key[kKeys];          // kNoQueue: rows that no kernel has to look at
};
/// Lists rows by queue; in a queue, rows that were neighbours stay near each other. `cursor`: kMaxQueues numbers that
/// were zero. O(rows).
void list_by_queue(std::int64_t rows, const std::uint8_t* key, const ListLayout& layout, std::int64_t* cursor,
                   std::int32_t* list, hipStream_t stream);

/// A list by key, in the order of key_at().
struct ListByKey {
  const std::uint8_t* key;  // of every row
  std::int32_t* next;       // by key: where its rows begin in the list (RowTallies), and afterwards where they end
  std::int32_t* list;       // out
};
/// Lists rows by key. `saved`: of every row, becomes zero; null: not wanted. O(rows).
void list_by_key(std::int64_t rows, const ListByKey& list, SavedRange* saved, hipStream_t stream);

/// The same, and row pointers: row_ptr[i], which is the entries of row i, becomes the entries before it, and there is
/// one number more. `before_chunk`: as tally_bins() makes it.
void list_and_point(std::int64_t rows, const ListByKey& list, std::int64_t* row_ptr, const std::int64_t* before_chunk,
                    hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
