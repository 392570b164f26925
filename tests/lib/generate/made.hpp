#pragma once
// Small matrices of every kind, and rows of one as tests like to look at them.
#include <span>
#include <string>
#include <vector>

#include <rowan/generate.hpp>

namespace rowan::test {

inline std::span<const std::int32_t> row_of(const Csr<double>& m, std::int64_t i) {
  const auto from = static_cast<std::size_t>(m.row_ptr()[static_cast<std::size_t>(i)]);
  const auto to = static_cast<std::size_t>(m.row_ptr()[static_cast<std::size_t>(i) + 1]);
  return m.col().subspan(from, to - from);
}

inline std::vector<std::int32_t> columns(const Csr<double>& m, std::int64_t i) {
  const auto row = row_of(m, i);
  return {row.begin(), row.end()};
}

inline std::int64_t longest_row(const Csr<double>& m) {
  std::size_t longest = 0;
  for (std::int64_t i = 0; i < m.rows(); i++) longest = std::max(longest, row_of(m, i).size());
  return static_cast<std::int64_t>(longest);
}

/// Calls f(i, j) for every entry.
template <class F>
void for_entries(const Csr<double>& m, const F& f) {
  for (std::int64_t i = 0; i < m.rows(); i++)
    for (const Column j : row_of(m, i)) f(i, j);
}

}  // namespace rowan::test
