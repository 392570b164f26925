#pragma once
// A B of few columns: lanes have up to four each, and their sums in registers, while they walk a row of A together. A
// mask says which columns a row of B has, and so which of its values is whose: no atomics, nothing to look up, and sums
// in the textbook's order. (On a host: accumulators/dense/narrow.cpp.)
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

/// What the host waits for.
struct FewColumnsTold {
  std::int64_t entries;  // of C
  std::uint64_t falls;   // not 0: columns of a row of B do not rise
};

/// Arrays in device memory.
struct FewColumnsMasks {
  std::uint32_t* word = nullptr;   // few_columns_words() for each row of B
  std::uint64_t* falls = nullptr;  // one, 0 at first
  int words = 1;
};

/// Masks of B's rows. O(nnz of B).
void mask_rows(const Pattern& b, const FewColumnsMasks& masks, hipStream_t stream);
/// nnz[i] becomes the entries of row i of C, and 0 behind the last row. O(nnz of A).
void count_few_columns(const Pattern& a, const FewColumnsMasks& masks, std::int64_t* nnz, hipStream_t stream);
/// Tells the host, `nnz` being entries of C.
void tell_few_columns(const std::int64_t* nnz, const FewColumnsMasks& masks,
                      const HostMailbox<FewColumnsTold>::Sender& told, hipStream_t stream);
/// Columns and values of C. In order: sums are the textbook's; else parts of long rows of A are summed by themselves.
template <class T>
void fill_few_columns(const Operand<T>& a, const Operand<T>& b, const FewColumnsMasks& masks,
                      const std::int64_t* row_ptr, bool in_order, Column* col, T* val, hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
