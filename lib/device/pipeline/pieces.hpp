#pragma once
// Rows of C on the host, made where nobody knew how many entries are before them.
#include <algorithm>
#include <utility>
#include <vector>

#include "lib/core/parallel.hpp"
#include "lib/device/pipeline/row_queue.hpp"
#include <rowan/csr.hpp>

namespace rowan::device::inline ROWAN_BACKEND {

/// Some rows of C. Columns and values are empty where only the size is wanted.
template <class T>
struct RowsOfC {
  std::int64_t first = 0;
  Array<std::int64_t> row_ptr;  // counted from 0
  Array<Column> col = {};
  Array<T> val = {};
};

/// C's row pointers, of pieces that have all of its rows; sorts them.
template <class T>
[[nodiscard]] Array<std::int64_t> joined_row_pointers(std::vector<RowsOfC<T>>& pieces, std::int64_t rows) {
  std::ranges::sort(pieces, {}, &RowsOfC<T>::first);
  Array<std::int64_t> row_ptr(rows + 1);
  std::int64_t before = 0;
  row_ptr[0] = 0;
  for (const RowsOfC<T>& p : pieces) {
    const auto n = static_cast<std::int64_t>(p.row_ptr.size()) - 1;
    for (std::int64_t i = 1; i <= n; i++) row_ptr[p.first + i] = before + p.row_ptr[i];
    before += p.row_ptr[n];
  }
  return row_ptr;
}

/// C of such pieces, which are freed one after another: C and one piece more are there at a time.
template <class T>
[[nodiscard]] Csr<T> assemble(std::vector<RowsOfC<T>>& pieces, std::int64_t rows, std::int64_t cols, const Team& team) {
  if (pieces.size() == 1)
    return {rows, cols, std::move(pieces[0].row_ptr), std::move(pieces[0].col), std::move(pieces[0].val)};
  Array<std::int64_t> row_ptr = joined_row_pointers(pieces, rows);
  Array<Column> col(row_ptr[rows]);
  Array<T> val(row_ptr[rows]);
  constexpr std::int64_t kCopied = 1 << 18;  // entries
  for (RowsOfC<T>& p : pieces) {
    const std::int64_t at = row_ptr[p.first];
    team.for_blocks(static_cast<std::int64_t>(p.col.size()), kCopied, [&](std::int64_t begin, std::int64_t end) {
      std::copy(p.col.data() + begin, p.col.data() + end, col.data() + at + begin);
      std::copy(p.val.data() + begin, p.val.data() + end, val.data() + at + begin);
    });
    p = {};
  }
  return {rows, cols, std::move(row_ptr), std::move(col), std::move(val)};
}

}  // namespace rowan::device::inline ROWAN_BACKEND
