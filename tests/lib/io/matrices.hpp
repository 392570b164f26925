#pragma once
// Matrices written out by hand, and their comparison bit by bit.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <rowan/csr.hpp>

namespace rowan::test {

/// A matrix in vectors. Equality is that of bits: -0 is not 0, and a nan equals itself.
struct Plain {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int64_t> row_ptr;
  std::vector<Column> col;
  std::vector<double> val;

  [[nodiscard]] CsrView<double> view() const {
    return {.rows = rows, .cols = cols, .row_ptr = std::span(row_ptr), .col = col, .val = val};
  }

  friend bool operator==(const Plain& a, const Plain& b) {
    const auto bits = [](double x, double y) {
      return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    };
    return a.rows == b.rows && a.cols == b.cols && a.row_ptr == b.row_ptr && a.col == b.col &&
           std::equal(a.val.begin(), a.val.end(), b.val.begin(), b.val.end(), bits);
  }

  friend std::ostream& operator<<(std::ostream& out, const Plain& m) {
    out << m.rows << " x " << m.cols;
    for (std::size_t row = 0; row + 1 < m.row_ptr.size(); ++row) {
      out << " |";
      for (auto k = static_cast<std::size_t>(m.row_ptr[row]); k < static_cast<std::size_t>(m.row_ptr[row + 1]); ++k)
        out << ' ' << m.col[k] << ':' << m.val[k];
    }
    return out;
  }
};

inline Plain plain(const Csr<double>& m) {
  return {m.rows(),
          m.cols(),
          {m.row_ptr().begin(), m.row_ptr().end()},
          {m.col().begin(), m.col().end()},
          {m.val().begin(), m.val().end()}};
}

/// [1.5 0 -2; 0 4 0]
inline const Plain kSmall{2, 3, {0, 2, 3}, {0, 2, 1}, {1.5, -2, 4}};

}  // namespace rowan::test
