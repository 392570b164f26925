#pragma once
// A B of few columns: lanes have up to four each, and their sums in registers, while they walk a row of A together. A
// mask says which columns a row of B has, and so which of its values is whose: no atomics, nothing to look up, and sums
// in the textbook's order. A long row of A is cut into parts, a block each, whose sums are added in order of the parts;
// where sums must be the textbook's its columns are.
// (On a host: accumulators/dense/narrow.cpp.)
#include "lib/core/pattern.hpp"
#include "lib/device/runtime/host_mailbox.hpp"
#include "lib/device/runtime/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

/// Columns of B at most.
inline constexpr std::int64_t kMostFewColumns = 128;

/// Words of a mask: 1, 2 or 4.
[[nodiscard]] constexpr int few_columns_words(std::int64_t columns) noexcept {
  return columns <= 32 ? 1 : columns <= 64 ? 2 : 4;
}

/// A row of A of so many entries that several blocks share it.
struct LongRow {
  std::int64_t row;
  std::int64_t first_part;
};
/// Some of its entries, all for one block.
struct RowPart {
  std::int64_t long_row;  // its place in the list of these
  std::int64_t begin, end;
};
struct LongRowCounts {
  unsigned rows, parts;
};
/// What is known of A once it is prepared.
struct FewColumnsRows {
  LongRowCounts long_rows;
  std::uint64_t longest;  // entries
};

/// What is found; all of it zero before.
struct FewColumnsZeroed {
  std::uint64_t falls;  // not 0: columns of a row of B do not rise
  FewColumnsRows rows;
  std::uint32_t blocks_done;
};
/// What the host waits for.
struct FewColumnsTold {
  std::int64_t entries;  // of C
  std::uint64_t falls;
  FewColumnsRows rows;
};

/// The most long rows that an A of `nnz` entries may have, and the most parts of these.
[[nodiscard]] std::int64_t most_long_rows(std::int64_t nnz) noexcept;

/// Arrays in device memory.
struct FewColumnsTask {
  std::uint32_t* mask = nullptr;  // of each row of B, of `words`
  int words = 1;
  std::int64_t most_long = 0;  // most_long_rows(), of each of the next three
  LongRow* long_row = nullptr;
  RowPart* part = nullptr;
  std::uint32_t* met = nullptr;  // masks of the columns that long rows meet
  FewColumnsZeroed* zeroed = nullptr;
};

/// Masks of B's rows, and the list of A's long rows. O(nnz of B + rows of A).
void prepare_few_columns(const Pattern& a, const Pattern& b, const FewColumnsTask& task, hipStream_t stream);
/// nnz[i] becomes the entries of row i of C, and 0 behind the last row. O(nnz of A).
void count_few_columns(const Pattern& a, const FewColumnsTask& task, int multiprocessors, std::int64_t* nnz,
                       hipStream_t stream);
/// Tells the host how long rows of A are, once it is prepared.
void tell_rows(const FewColumnsTask& task, const HostMailbox<FewColumnsRows>::Sender& told, hipStream_t stream);
/// Tells the host, `nnz` being entries of C.
void tell_few_columns(const std::int64_t* nnz, const FewColumnsTask& task,
                      const HostMailbox<FewColumnsTold>::Sender& told, hipStream_t stream);

/// Sums that the parts of long rows take, all of them.
[[nodiscard]] std::int64_t few_columns_sums(std::int64_t columns, const LongRowCounts& long_rows) noexcept;
/// Columns and values of C. Sums are the textbook's, but those of long rows if there are `sums` for their parts:
/// few_columns_sums() of these, null where sums must be in order.
template <class T>
void fill_few_columns(const Operand<T>& a, const Operand<T>& b, const FewColumnsTask& task,
                      const LongRowCounts& long_rows, T* sums, const std::int64_t* row_ptr, Column* col, T* val,
                      hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
