#pragma once
// Short rows in one phase: gathered, sorted, summed and counted once, staged in shared memory, and written where C
// wants them as soon as all rows before are counted (ESC, Bell 2012; decoupled look-back, Merrill and Garland 2016).
// Rows with more products were counted before; theirs are left out.
#include "accumulators/sort/device/sort.hpp"
#include "lib/device/runtime/host_mailbox.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {

/// What rows one phase is for: with some products, at most `most`, and more than one entry of A (which direct takes).
struct ShortLimit {
  int most;              // products
  int classes;           // of kBorders, those of such rows
  std::int64_t columns;  // a row's lie this close together: keys have bits for no more
  double least_share;    // of all rows' products: with fewer, their wait and their kernels cost more than this saves
};
/// Some rows to a wave, or a wave a row.
inline constexpr int kMostShort = kShapes.one_phase.most_short, kMostWide = kShapes.one_phase.most_wide;
inline constexpr std::array<ShortLimit, 2> kShortLimits{
    {{kMostShort, 3, std::int64_t{1} << 26, kShapes.one_phase.least_share_of_short},
     {kMostWide, 6, std::int64_t{1} << 23, kShapes.one_phase.least_share_of_wide}}};
static_assert(kBorders[2] == kMostShort && kBorders[5] == kMostWide);

/// What short rows were found to be like: those of the first limit, and the others of the second.
struct ShortSample {
  struct Part {
    unsigned long long products, entries;
  } part[kShortLimits.size()];
};
/// Counts some of the short rows and adds to `sample`: a few thousand rows from all over the matrix, or all of a small
/// one's; of the others of the second limit at most one in four. Then tells the host. `c_rows`: of every row of C.
/// `blocks_done` was zero.
void sample_short_rows(const Pattern& a, const Pattern& b, const CRow* c_rows, ShortSample* sample,
                       std::uint32_t* blocks_done, const HostMailbox<ShortSample>::Sender& told, hipStream_t stream);

/// Words that a launch over so many rows wants. `most`: products of a short row.
[[nodiscard]] std::int64_t one_phase_words(std::int64_t rows, int most);

/// Of a row that was taken for short and is not: entries that C does not have.
inline constexpr std::int64_t kTooLong = std::int64_t{1} << 36;

/// What is known of the rows of a launch before it, and what it makes.
template <class T>
struct OnePhaseLaunch {
  Operand<T> a, b;
  const CRow* c_rows;      // null: all rows are taken for short, B has few enough columns (ShortLimit) and row_ptr's
                           // last number is kTooLong or more where one is not
  bool counted = false;    // then: row_ptr has the products of every row
  int most;                // products of a short row: any up to kMostWide
  double short_products;   // of all short rows together
  double short_entries;    // of C, about
  bool scattered = false;  // rows of B are met all over it, and it is large
  bool placed;             // row_ptr is known: only short rows' entries are wanted
  std::int64_t* row_ptr;   // in: entries of row i where it is not short; out: C's row pointers, rows + 1
  Column* col;             // out: short rows' entries, those of them whose place is below `capacity`
  T* val;
  std::int64_t capacity;
  LaunchWords words;                       // one_phase_words(); none where `placed`
  HostMailbox<std::int64_t>::Sender told;  // out, unless `placed`: row_ptr's last number
  int wave;                                // of the device
  hipStream_t stream;
};

/// Every short row's entries, and the place of every row. Columns rise; an entry is the textbook's sum, bit by bit.
template <class T>
void one_phase(const OnePhaseLaunch<T>& launch);

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
