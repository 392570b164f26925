#pragma once
// A whole product in one launch: nothing is measured, counted or chosen before. For products so small that launches
// and waits of the host would take longer than the work.
#include <utility>

#include "accumulators/common/device/task.hpp"
#include "lib/device/runtime/host_mailbox.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

/// Columns of B that it can have.
inline constexpr std::int64_t kSmallColumns = kShapes.small.most_columns;

/// How rows are shared out: `lanes` have one, and hold `held` products each; a block has a tile of `rows` rows, at most
/// as many as it has lanes for.
struct SmallTiles {
  int lanes, held, rows;
};

/// Calls f(lanes, held) as constants, for those that there are.
template <class F>
void with_small_lanes(const SmallTiles& tiles, const F& f) {
  const auto of = [&]<int kLanes, int kHeld>() {
    if (tiles.lanes != kLanes || tiles.held != kHeld) return false;
    f(std::integer_sequence<int, kLanes, kHeld>{});
    return true;
  };
  constexpr int kHeld = kShapes.small.products_a_lane;
  (void)(of.template operator()<8, kHeld>() || of.template operator()<16, kHeld>() ||
         of.template operator()<32, kHeld>() || of.template operator()<16, 2 * kHeld>());
}

/// Words that a launch over so many rows wants.
[[nodiscard]] std::int64_t small_words(std::int64_t rows, const SmallTiles& tiles);

inline constexpr std::int64_t kMostSmallEntries = (std::int64_t{1} << 40) - 1;

/// What the host is told.
struct SmallTold {
  /// Of C, at most kMostSmallEntries; more: the launch gave up, because rows were too long to be small.
  std::int64_t entries;
  /// What tiles' late rows cost (small_late.hpp), in products that 32 lanes take in that time: of all, of the
  /// costliest.
  std::int64_t cost, costliest;
};

template <class T>
struct SmallLaunch {
  Operand<T> a, b;
  SmallTiles tiles;
  bool in_order;          // sums are the textbook's, bit by bit
  std::int64_t* row_ptr;  // out: C's row pointers, rows + 1
  Column* col;            // out: C's entries, rows whose tile ends within `capacity`; columns rise
  T* val;
  std::int64_t capacity;
  LaunchWords words;                    // small_words()
  HostMailbox<SmallTold>::Sender told;  // out
  hipStream_t stream;
};

/// C = A B. Rows of A's and B's columns in any order, repeated ones too.
template <class T>
void small_product(const SmallLaunch<T>& launch);

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
