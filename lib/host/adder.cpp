#include "lib/host/adder.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>

#include "lib/core/plus_times.hpp"
#include "lib/core/rises.hpp"
#include "lib/core/values.hpp"

namespace rowan {
namespace {

constexpr std::size_t kSearches = 4;  // columns that are looked for at a time: each waits for its last step's load

/// Where a row of C has each of n columns, which rise, or ~ the place before which it would be; returns how many it has
/// not.
std::int64_t find(const Column* row, std::int64_t length, const Column* columns, std::int64_t n, std::int32_t* place) {
  std::int64_t missing = 0;
  if (length == 0) {
    std::fill_n(place, n, ~0);
    missing = n;
  } else if (n * 2 <= length) {
    for (std::int64_t from = 0; from < n; from += std::int64_t{kSearches}) {
      std::array<const Column*, kSearches> at;
      std::array<Column, kSearches> column;
      at.fill(row);
      for (std::size_t u = 0; u < kSearches; u++)
        column[u] = columns[std::min(from + static_cast<std::int64_t>(u), n - 1)];
      for (std::int64_t left = length; left > 1;) {
        const std::int64_t half = left / 2;
        left -= half;
        // g++ makes a branch of ?:
        for (std::size_t u = 0; u < kSearches; u++) at[u] += half & -std::int64_t{at[u][half - 1] < column[u]};
      }
      for (std::size_t u = 0; u < kSearches && from + static_cast<std::int64_t>(u) < n; u++) {
        const std::int64_t p = at[u] - row + std::int64_t{*at[u] < column[u]};
        const auto other = std::int64_t{*at[u] != column[u]};
        place[from + static_cast<std::int64_t>(u)] = static_cast<std::int32_t>(p ^ -other), missing += other;
      }
    }
  } else {
    for (std::int64_t p = 0, q = 0; q < n;) {  // without a branch on which comes first, which nobody can foresee
      const bool ended = p == length;
      const Column x = row[ended ? p - 1 : p], y = columns[q];
      const bool before = !ended && x < y;
      place[q] = static_cast<std::int32_t>(x == y ? p : ~p);
      missing += before || x == y ? 0 : 1, p += before ? 1 : 0, q += before ? 0 : 1;
    }
  }
  return missing;
}

}  // namespace

/// Where the product has E's pattern, as in C += A B again and again: sums, and nothing moves.
template <class T>
bool Adder<T>::add_to_equal(const Chunk& chunk, const Offset* counts, std::int64_t product, const Column* col,
                            T* val) const {
  const std::int64_t begin = e_.ptr[chunk.first];
  if (product != e_.ptr[chunk.last] - begin) return false;
  for (std::int64_t i = chunk.first; i < chunk.last; i++)
    if (counts[i] != e_.length(i)) return false;
  if (!std::equal(col, col + product, e_.col + begin)) return false;
  const T* const more = e_.val + begin;
  for (std::int64_t k = 0; k < product; k++) val[k] = PlusTimes<T>::add(val[k], PlusTimes<T>::multiply(beta_, more[k]));
  return true;
}

template <class T>
std::int64_t Adder<T>::take(const Chunk& chunk, Offset* counts, Column* col, T* val) const {
  using Ring = PlusTimes<T>;
  const std::int64_t product = std::accumulate(counts + chunk.first, counts + chunk.last, std::int64_t{0});
  const std::int64_t n = entries(chunk.first, chunk.last);
  if (n == 0 || add_to_equal(chunk, counts, product, col, val)) return product;
  const Array<std::int32_t> found_at(n);  // E's entries, in their rows of the product
  std::int32_t* const places = found_at.data();
  std::int64_t missing = 0;
  for (std::int64_t i = chunk.first, from = 0, k = e_.ptr[i]; i < chunk.last; i++) {
    const std::int64_t length = e_.length(i);
    missing += find(col + from, counts[i], e_.col + k, length, places + (k - e_.ptr[chunk.first]));
    from += counts[i], k += length;
  }
  const std::int64_t sums = product + missing;
  if (missing == 0) {
    for (std::int64_t i = chunk.first, from = 0, k = e_.ptr[i]; i < chunk.last; from += counts[i++])
      for (; k < e_.ptr[i + 1]; k++) {
        T& sum = val[from + places[k - e_.ptr[chunk.first]]];
        sum = Ring::add(sum, Ring::multiply(beta_, e_.val[k]));
      }
    return sums;
  }
  // from the last entry to the first: what is behind a missing one moves, once
  std::int64_t end = product, begin = product;  // of what has not moved; of the row
  for (std::int64_t i = chunk.last; i-- > chunk.first;) {
    begin -= counts[i];
    for (std::int64_t k = e_.ptr[i + 1]; k-- > e_.ptr[i];) {
      const std::int64_t found = places[k - e_.ptr[chunk.first]];
      const T more = Ring::multiply(beta_, e_.val[k]);
      if (found >= 0) {
        val[begin + found] = Ring::add(val[begin + found], more);
        continue;
      }
      const std::int64_t at = begin + ~found;
      std::copy_backward(col + at, col + end, col + end + missing);
      std::copy_backward(val + at, val + end, val + end + missing);
      end = at, missing--, counts[i]++;
      col[at + missing] = e_.col[k], val[at + missing] = Ring::add(Ring::zero(), more);
    }
  }
  return sums;
}

template <class T>
Csr<T> add(Csr<T>&& c, const Operand<T>& e, T beta) {
  const std::int64_t rows = c.rows(), cols = c.cols(), most = c.nnz() + e.nnz();
  CsrArrays<T> product = c.release();
  Array<Column> col(most);
  Array<T> val(most);
  std::copy_n(product.col.data(), product.col.size(), col.data());
  std::copy_n(product.val.data(), product.val.size(), val.data());
  std::int64_t* const ptr = product.row_ptr.data();
  Array<Offset> counts(rows);
  for (std::int64_t i = 0; i < rows; i++) counts[i] = static_cast<Offset>(ptr[i + 1] - ptr[i]);
  const std::int64_t sums = Adder<T>(e, beta).take({0, rows, 0}, counts.data(), col.data(), val.data());
  for (std::int64_t i = 0; i < rows; i++) ptr[i + 1] = ptr[i] + counts[i];
  col.shrink(sums), val.shrink(sums);
  return {rows, cols, std::move(product.row_ptr), std::move(col), std::move(val)};
}

template <class T>
bool rows_rise(const Operand<T>& m, const Team& team) {
  constexpr std::int64_t kRows = 1024;
  std::atomic<bool> rise = true;
  team.for_blocks(m.rows, kRows, [&](std::int64_t first, std::int64_t last) {
    bool falls = false;
    for (std::int64_t i = first; i < last; i++) falls |= !rises(m.col + m.ptr[i], m.col + m.ptr[i + 1]);
    if (falls) rise = false;
  });
  return rise;
}

#define ROWAN_INSTANTIATE(T)                           \
  template class Adder<T>;                             \
  template Csr<T> add(Csr<T>&&, const Operand<T>&, T); \
  template bool rows_rise(const Operand<T>&, const Team&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
