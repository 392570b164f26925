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
Divided<T> divided(DividedCsr<T>&& c, Column low, std::span<const std::int64_t> names) {
  Divided<T> out{.own = std::move(c.inside)};
  const std::int64_t rows = out.own.rows();
  CsrArrays<T> others = c.outside.release();
  if (names.empty()) {
    out.others = Csr<T>(rows, 0, std::move(others.row_ptr), {}, {});
    return out;
  }
  out.low.resize(static_cast<std::size_t>(rows)), out.outside.resize(static_cast<std::size_t>(rows));
  const std::int64_t* const ptr = others.row_ptr.data();
  const std::span<Column> col = others.col.span();
  for (std::int64_t r = 0; r < rows; r++) {
    const Column *const begin = col.data() + ptr[r], *const end = col.data() + ptr[r + 1];
    out.low[static_cast<std::size_t>(r)] = static_cast<Column>(std::lower_bound(begin, end, low) - begin);
    out.outside[static_cast<std::size_t>(r)] = static_cast<Column>(end - begin);
  }
  std::vector<Column> number(names.size(), 0);  // first: does the column occur
  for (const Column k : col) number[static_cast<std::size_t>(k)] = 1;
  Column occur = 0;
  for (std::size_t k = 0; k < names.size(); k++)
    if (number[k] != 0) out.names.push_back(names[k]), number[k] = occur++;
  if (static_cast<std::size_t>(occur) < names.size())
    for (Column& k : col) k = number[static_cast<std::size_t>(k)];
  out.others = Csr<T>(rows, occur, std::move(others.row_ptr), std::move(others.col), std::move(others.val));
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

template Divided<float> divided(DividedCsr<float>&&, Column, std::span<const std::int64_t>);
template Divided<double> divided(DividedCsr<double>&&, Column, std::span<const std::int64_t>);
template void divide_values(std::span<const std::int64_t>, const float*, const Divided<float>&, float*, float*);
template void divide_values(std::span<const std::int64_t>, const double*, const Divided<double>&, double*, double*);

}  // namespace rowan::mpi
