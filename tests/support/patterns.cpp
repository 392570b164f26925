#include "tests/support/patterns.hpp"

#include <algorithm>
#include <set>

#include <rowan/generate.hpp>

namespace rowan::test {

std::vector<std::int32_t> some_columns(Random& random, std::int64_t n, std::int64_t from, std::int64_t to) {
  std::set<Column> columns;
  while (static_cast<std::int64_t>(columns.size()) < std::min(n, to - from))
    columns.insert(static_cast<std::int32_t>(from + random.below(to - from)));
  return {columns.begin(), columns.end()};
}

Sparsity scattered(std::int64_t rows, std::int64_t cols, std::int64_t least, std::int64_t most, std::uint64_t seed) {
  Random random(seed);
  Rows list;
  for (std::int64_t i = 0; i < rows; i++) list.push_back(some_columns(random, random.between(least, most), 0, cols));
  return from_rows(list, cols);
}

Sparsity generated(std::string_view spec) {
  const Csr<double> m = generate(spec);
  return {.rows = m.rows(),
          .cols = m.cols(),
          .ptr = {m.row_ptr().begin(), m.row_ptr().end()},
          .col = {m.col().begin(), m.col().end()}};
}

Sparsity banded(std::int64_t n, std::int64_t reach) {
  return generated("banded:n=" + std::to_string(n) + ",reach=" + std::to_string(reach) +
                   ",row_length=" + std::to_string(2 * reach + 1));
}

Sparsity power_law(std::int64_t n, std::int64_t longest, std::uint64_t seed) {
  Random random(seed);
  Rows rows(static_cast<std::size_t>(n));
  for (std::int64_t j = 0; j < n; j++) rows[0].push_back(static_cast<std::int32_t>(j));
  for (std::int64_t i = 1; i < n; i++) {
    auto& row = rows[static_cast<std::size_t>(i)];
    row = some_columns(random, longest / random.between(1, longest), 1, n);
    row.insert(row.begin(), 0);
  }
  return from_rows(rows, n);
}

Sparsity shuffled(Sparsity s, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t i = 0; i + 1 < s.ptr.size(); i++)
    for (std::int64_t k = s.ptr[i + 1] - 1; k > s.ptr[i]; k--)
      std::swap(s.col[static_cast<std::size_t>(k)], s.col[static_cast<std::size_t>(random.between(s.ptr[i], k))]);
  return s;
}

Sparsity repeated(const Sparsity& s, std::int64_t extra, std::uint64_t seed) {
  Random random(seed);
  Rows rows;
  for (std::size_t i = 0; i + 1 < s.ptr.size(); i++) {
    std::vector<std::int32_t> row(s.col.begin() + s.ptr[i], s.col.begin() + s.ptr[i + 1]);
    for (std::int64_t e = row.empty() ? 0 : random.between(0, extra); e > 0; e--) {
      const auto n = static_cast<std::int64_t>(row.size());
      const std::int32_t again = row[static_cast<std::size_t>(random.below(n))];
      row.insert(row.begin() + random.between(0, n), again);
    }
    rows.push_back(row);
  }
  return from_rows(rows, s.cols);
}

}  // namespace rowan::test
