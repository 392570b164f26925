#pragma once
// A whole product in one launch: nothing is measured, counted or chosen before. For products so small that launches
// and waits of the host would take longer than the work.
#include "accumulators/common/device/task.hpp"
#include "lib/device/runtime/host_mailbox.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

/// Columns of B that it can have.
inline constexpr std::int64_t kSmallColumns = kShapes.small.most_columns;

/// Words that a launch over so many rows wants, all zero. `lanes`: that have a row.
[[nodiscard]] std::int64_t small_words(std::int64_t rows, int lanes);

/// What the host is told.
struct SmallTold {
  /// Of C, at most kMostSmallEntries; more: the launch gave up, because rows were too long to be small.
  std::int64_t entries;
};
inline constexpr std::int64_t kMostSmallEntries = (std::int64_t{1} << 40) - 1;

template <class T>
struct SmallLaunch {
  Operand<T> a, b;
  int lanes;              // that have a row, while it has few products: 8, 16 or 32
  bool in_order;          // sums are the textbook's, bit by bit
  std::int64_t* row_ptr;  // out: C's row pointers, rows + 1
  Column* col;            // out: C's entries, rows whose tile ends within `capacity`; columns rise
  T* val;
  std::int64_t capacity;
  unsigned long long* words;            // small_words(), all zero
  HostMailbox<SmallTold>::Sender told;  // out
  hipStream_t stream;
};

/// C = A B. Rows of A's and B's columns in any order, repeated ones too.
template <class T>
void small_product(const SmallLaunch<T>& launch);

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
