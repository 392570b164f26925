#include "mpi/divide.hpp"

#include <algorithm>
#include <utility>

namespace rowan::mpi {

namespace {

/// Behind the rows from `r` on that have no entries of others: most rows, so they are handled in one piece.
std::int64_t end_of_stretch(const std::vector<Column>& outside, std::int64_t r) {
  return std::find_if(outside.begin() + r, outside.end(), [](Column n) { return n != 0; }) - outside.begin();
}

}  // namespace

template <class T>
Divided<T> divide(Csr<T>&& c, Column low, Column own, std::span<const std::int64_t> names) {
  Divided<T> out;
  const std::int64_t rows = c.rows();
  if (names.empty()) {
    out.own = std::move(c);
    out.others = Csr<T>(rows, 0, Array<std::int64_t>::zeroed(rows + 1), {}, {});
    return out;
  }
  CsrArrays<T> all = c.release();
  std::int64_t* const ptr = all.row_ptr.data();
  Column* const col = all.col.data();
  T* const val = all.val.data();
  const Column high = low + own;
  out.low.resize(static_cast<std::size_t>(rows)), out.outside.resize(static_cast<std::size_t>(rows));
  auto other_ptr = Array<std::int64_t>::zeroed(rows + 1);
  for (std::int64_t r = 0; r < rows; r++) {
    const Column *begin = col + ptr[r], *end = col + ptr[r + 1];
    const Column* const first = low == 0 ? begin : std::lower_bound(begin, end, low);
    const Column* const last = end == begin || end[-1] < high ? end : std::lower_bound(first, end, high);
    out.low[static_cast<std::size_t>(r)] = static_cast<Column>(first - begin);
    out.outside[static_cast<std::size_t>(r)] = static_cast<Column>((first - begin) + (end - last));
    other_ptr.data()[r + 1] = other_ptr.data()[r] + out.outside[static_cast<std::size_t>(r)];
  }
  const std::int64_t outside = other_ptr.data()[rows];
  Array<Column> other_col(outside);
  Array<T> other_val(outside);
  std::vector<Column> number(names.size(), 0);  // first: does the column occur
  std::int64_t to = 0, begin = 0;
  for (std::int64_t r = 0; r < rows; r++) {
    if (const std::int64_t next = end_of_stretch(out.outside, r); next > r) {
      const std::int64_t end = ptr[next];
      if (low > 0 || to < begin) std::transform(col + begin, col + end, col + to, [low](Column k) { return k - low; });
      if (to < begin) std::copy(val + begin, val + end, val + to);
      for (std::int64_t k = r + 1; k <= next; k++) ptr[k] -= begin - to;
      to += end - begin, begin = end, r = next - 1;
      continue;
    }
    const std::int64_t end = ptr[r + 1], first = begin + out.low[static_cast<std::size_t>(r)];
    std::int64_t x = other_ptr.data()[r];
    const std::int64_t last = end - (other_ptr.data()[r + 1] - x - (first - begin));
    const auto other = [&](std::int64_t k, Column name) {
      number[static_cast<std::size_t>(name)] = 1, other_col.data()[x] = name, other_val.data()[x++] = val[k];
    };
    for (std::int64_t k = begin; k < first; k++) other(k, col[k]);
    for (std::int64_t k = last; k < end; k++) other(k, col[k] - own);
    for (std::int64_t k = first; k < last; k++) col[to + k - first] = col[k] - low;
    if (to != first) std::copy(val + first, val + last, val + to);
    to += last - first, ptr[r + 1] = to, begin = end;
  }
  Column occur = 0;
  for (std::size_t k = 0; k < names.size(); k++)
    if (number[k] != 0) out.names.push_back(names[k]), number[k] = occur++;
  if (static_cast<std::size_t>(occur) < names.size())
    for (Column& k : other_col.span()) k = number[static_cast<std::size_t>(k)];
  all.col.shrink(to), all.val.shrink(to);
  out.own = Csr<T>(rows, own, std::move(all.row_ptr), std::move(all.col), std::move(all.val));
  out.others = Csr<T>(rows, occur, std::move(other_ptr), std::move(other_col), std::move(other_val));
  return out;
}

template <class T>
void divide_values(std::span<const std::int64_t> row_ptr, const T* val, const Divided<T>& as, T* own, T* others) {
  for (std::size_t r = 0; r < as.low.size(); r++) {
    if (const auto next = static_cast<std::size_t>(end_of_stretch(as.outside, static_cast<std::int64_t>(r)));
        next > r) {
      own = std::copy(val + row_ptr[r], val + row_ptr[next], own);
      r = next - 1;
      continue;
    }
    const T *const begin = val + row_ptr[r], *const first = begin + as.low[r];
    const std::int64_t high = as.outside[r] - as.low[r];
    const T* const last = val + row_ptr[r + 1] - high;
    others = std::copy(begin, first, others);
    own = std::copy(first, last, own);
    others = std::copy_n(last, high, others);
  }
}

template Divided<float> divide(Csr<float>&&, Column, Column, std::span<const std::int64_t>);
template Divided<double> divide(Csr<double>&&, Column, Column, std::span<const std::int64_t>);
template void divide_values(std::span<const std::int64_t>, const float*, const Divided<float>&, float*, float*);
template void divide_values(std::span<const std::int64_t>, const double*, const Divided<double>&, double*, double*);

}  // namespace rowan::mpi
