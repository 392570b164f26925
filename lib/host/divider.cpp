#include "lib/host/divider.hpp"

#include <algorithm>
#include <utility>

#include "lib/core/values.hpp"

namespace rowan {

template <class T>
std::int64_t Divider<T>::take(std::size_t n, const Chunk& chunk, Offset* counts, Column* col, T* val) {
  Piece& piece = pieces_[n];
  const auto [first, last] = inside_;
  std::int64_t to = 0, from = 0, at = 0;
  // entries [from, end) are all inside: most rows are, so they move together
  const auto keep = [&](std::int64_t end) {
    if (first != 0 || to != from)
      std::transform(col + from, col + end, col + to, [first = first](Column c) { return c - first; });
    if (to != from) std::copy(val + from, val + end, val + to);
    to += end - from;
  };
  for (std::int64_t i = chunk.first; i < chunk.last; i++) {
    const Column *const row = col + at, *const end = row + counts[i];
    const Column* const begin_inside = row == end || *row >= first ? row : std::lower_bound(row, end, first);
    const Column* const end_inside = row == end || end[-1] < last ? end : std::lower_bound(begin_inside, end, last);
    const std::int64_t low = begin_inside - row, high = end - end_inside;
    if (low + high > 0) {
      keep(at);
      piece.col.insert(piece.col.end(), row, begin_inside);
      for (const Column* c = end_inside; c < end; c++) piece.col.push_back(*c - (last - first));
      const T *const values = val + at, *const behind = values + counts[i];
      piece.val.insert(piece.val.end(), values, values + low);
      piece.val.insert(piece.val.end(), behind - high, behind);
      from = at + low;
      keep(at + counts[i] - high);
      from = at + counts[i];
      outside_ptr_.data()[i + 1] = static_cast<Offset>(low + high);
    }
    at += counts[i];
    counts[i] = static_cast<Offset>(counts[i] - (low + high));
  }
  keep(at);
  return to;
}

template <class T>
typename Divider<T>::Outside Divider<T>::outside() {
  Outside out{.row_ptr = std::move(outside_ptr_), .col = {}, .val = {}};
  const std::span<Offset> ptr = out.row_ptr.span();
  for (std::size_t i = 1; i < ptr.size(); i++) ptr[i] = static_cast<Offset>(ptr[i] + ptr[i - 1]);
  out.col = Array<Column>(ptr.back()), out.val = Array<T>(ptr.back());
  Column* col = out.col.data();
  T* val = out.val.data();
  for (Piece& piece : pieces_) {
    col = std::copy(piece.col.begin(), piece.col.end(), col), val = std::copy(piece.val.begin(), piece.val.end(), val);
    piece = {};
  }
  return out;
}

template <class T>
DividedCsr<T> divide(Csr<T>&& c, ColumnRange inside) {
  const std::int64_t rows = c.rows(), width = inside.last - inside.first, others = c.cols() - width;
  CsrArrays<T> all = c.release();
  std::int64_t* const ptr = all.row_ptr.data();
  Divider<T> divider(inside, rows, 1);
  Array<Offset> counts(rows);
  for (std::int64_t i = 0; i < rows; i++) counts.data()[i] = static_cast<Offset>(ptr[i + 1] - ptr[i]);
  const std::int64_t kept = divider.take(0, {0, rows, 0}, counts.data(), all.col.data(), all.val.data());
  for (std::int64_t i = 0; i < rows; i++) ptr[i + 1] = ptr[i] + counts.data()[i];
  all.col.shrink(kept), all.val.shrink(kept);
  typename Divider<T>::Outside outside = divider.outside();
  Array<std::int64_t> outside_ptr(rows + 1);
  std::copy_n(outside.row_ptr.data(), rows + 1, outside_ptr.data());
  return {Csr<T>(rows, width, std::move(all.row_ptr), std::move(all.col), std::move(all.val)),
          Csr<T>(rows, others, std::move(outside_ptr), std::move(outside.col), std::move(outside.val))};
}

#define ROWAN_INSTANTIATE(T) \
  template class Divider<T>; \
  template DividedCsr<T> divide(Csr<T>&&, ColumnRange);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
