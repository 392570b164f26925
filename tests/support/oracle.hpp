#pragma once
// The textbook's product, and comparisons with it. It shares nothing with the library but what a sum and a product are.
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "lib/core/plus_times.hpp"
#include <rowan/csr.hpp>

namespace rowan::test {

template <class T>
struct Product {
  std::int64_t rows = 0, cols = 0;
  std::vector<std::int64_t> row_ptr{0};
  std::vector<Column> col;
  std::vector<T> val;
};

/// A matrix as lists of entries, row by row; a transposed view is transposed, entries in the order of the rows they
/// came from.
template <class T>
struct Entry {
  Column col;
  T val;
};
template <class T>
[[nodiscard]] std::vector<std::vector<Entry<T>>> entries_of(const CsrView<T>& m) {
  std::vector<std::vector<Entry<T>>> rows(static_cast<std::size_t>(m.transposed ? m.cols : m.rows));
  for (std::int64_t i = 0; i < m.rows; i++) {
    if (!m.transposed)
      rows[static_cast<std::size_t>(i)].reserve(static_cast<std::size_t>(m.row_ptr[i + 1] - m.row_ptr[i]));
    for (auto k = static_cast<std::size_t>(m.row_ptr[i]); k < static_cast<std::size_t>(m.row_ptr[i + 1]); k++)
      if (m.transposed)
        rows[static_cast<std::size_t>(m.col[k])].push_back({static_cast<std::int32_t>(i), m.val[k]});
      else
        rows[static_cast<std::size_t>(i)].push_back({m.col[k], m.val[k]});
  }
  return rows;
}

/// |x||y| instead of xy.
template <class T>
struct Magnitudes : PlusTimes<T> {
  static T multiply(T x, T y) { return std::abs(x * y); }
};

/// Each entry a sum from zero in `Sum`, products rounded to it before they are added, in the order of A's entries and,
/// for each, of B's. `Ring` says what zero, sum and product are.
template <class T, class Sum = T, class Ring = PlusTimes<Sum>>
[[nodiscard]] Product<Sum> textbook(const CsrView<T>& a, const CsrView<T>& b) {
  const auto left = entries_of(a), right = entries_of(b);
  Product<Sum> c;
  c.rows = static_cast<std::int64_t>(left.size()), c.cols = b.transposed ? b.rows : b.cols;
  struct Term {
    std::int32_t col;
    Sum product;
  };
  std::vector<Term> terms;  // of a row of C
  for (const auto& row : left) {
    terms.clear();
    for (const Entry<T>& x : row)
      for (const Entry<T>& y : right[static_cast<std::size_t>(x.col)])
        terms.push_back({y.col, Ring::multiply(static_cast<Sum>(x.val), static_cast<Sum>(y.val))});
    std::stable_sort(terms.begin(), terms.end(), [](const Term& x, const Term& y) { return x.col < y.col; });
    for (std::size_t k = 0; k < terms.size(); k++) {
      if (k == 0 || terms[k].col != terms[k - 1].col) c.col.push_back(terms[k].col), c.val.push_back(Ring::zero());
      c.val.back() = Ring::add(c.val.back(), terms[k].product);
    }
    c.row_ptr.push_back(static_cast<std::int64_t>(c.col.size()));
  }
  return c;
}

/// Whether two numbers are the same, bit by bit; a NaN is a NaN.
template <class T>
[[nodiscard]] bool same_bits(T x, T y) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(x) == std::bit_cast<Bits>(y) || (std::isnan(x) && std::isnan(y));
}

/// Empty where they have the same pattern; else what differs first.
template <class T, class Sum>
[[nodiscard]] std::string pattern_difference(const Csr<T>& c, const Product<Sum>& e) {
  if (c.rows() != e.rows || c.cols() != e.cols)
    return "size " + std::to_string(c.rows()) + " x " + std::to_string(c.cols()) + ", not " + std::to_string(e.rows) +
           " x " + std::to_string(e.cols);
  if (c.row_ptr().size() != e.row_ptr.size()) return "number of row pointers";
  for (std::size_t i = 0; i < e.row_ptr.size(); i++)
    if (c.row_ptr()[i] != e.row_ptr[i])
      return "row pointer " + std::to_string(i) + ": " + std::to_string(c.row_ptr()[i]) + ", not " +
             std::to_string(e.row_ptr[i]);
  if (c.col().size() != e.col.size() || c.val().size() != e.val.size()) return "number of entries";
  for (std::size_t k = 0; k < e.col.size(); k++)
    if (c.col()[k] != e.col[k])
      return "column of entry " + std::to_string(k) + ": " + std::to_string(c.col()[k]) + ", not " +
             std::to_string(e.col[k]);
  return "";
}

/// Empty where they are the same, values bit by bit; else what differs first.
template <class T>
[[nodiscard]] std::string difference(const Csr<T>& c, const Product<T>& e) {
  std::string what = pattern_difference(c, e);
  for (std::size_t k = 0; what.empty() && k < e.val.size(); k++)
    if (!same_bits(c.val()[k], e.val[k]))
      what = "value of entry " + std::to_string(k) + ": " + std::to_string(c.val()[k]) + ", not " +
             std::to_string(e.val[k]);
  return what;
}

}  // namespace rowan::test
