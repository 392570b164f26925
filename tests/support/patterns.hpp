#pragma once
// How patterns are made.
#include "tests/support/matrices.hpp"
#include "tests/support/random.hpp"

namespace rowan::test {

/// Where the entries of a made matrix are: <rowan/generate.hpp>.
[[nodiscard]] Sparsity generated(std::string_view spec);
/// n different columns of [from, to), rising.
[[nodiscard]] std::vector<std::int32_t> some_columns(Random& random, std::int64_t n, std::int64_t from,
                                                     std::int64_t to);
/// Rows of `least` to `most` random columns.
[[nodiscard]] Sparsity scattered(std::int64_t rows, std::int64_t cols, std::int64_t least, std::int64_t most,
                                 std::uint64_t seed);
/// Entries within `reach` of the diagonal.
[[nodiscard]] Sparsity banded(std::int64_t n, std::int64_t reach);
/// Nodes in a ring, each coupled to `reach` on either side, with unknowns(node) rows and columns of one pattern.
template <class F>
[[nodiscard]] Sparsity coupled_nodes(std::int64_t nodes, std::int64_t reach, const F& unknowns) {
  std::vector<std::int64_t> first{0};
  for (std::int64_t i = 0; i < nodes; i++) first.push_back(first.back() + unknowns(i));
  Rows rows;
  for (std::int64_t i = 0; i < nodes; i++) {
    std::vector<std::int32_t> row;
    for (std::int64_t j = 0; j < nodes; j++) {
      const std::int64_t d = i > j ? i - j : j - i;
      if (d > reach && nodes - d > reach) continue;
      const auto from = static_cast<std::size_t>(j);
      for (std::int64_t c = first[from]; c < first[from + 1]; c++) row.push_back(static_cast<std::int32_t>(c));
    }
    rows.insert(rows.end(), static_cast<std::size_t>(unknowns(i)), row);
  }
  return from_rows(rows, first.back());
}
/// Rows whose lengths follow a power law, and a hub: row and column 0 are full.
[[nodiscard]] Sparsity power_law(std::int64_t n, std::int64_t longest, std::uint64_t seed);
/// The same entries, each row's in another order.
[[nodiscard]] Sparsity shuffled(Sparsity s, std::uint64_t seed);
/// Each row with up to `extra` of its columns again, somewhere in it.
[[nodiscard]] Sparsity repeated(const Sparsity& s, std::int64_t extra, std::uint64_t seed);
/// Only the rows and columns whose index `keep` holds for; the size stays.
template <class F>
[[nodiscard]] Sparsity thinned(const Sparsity& s, const F& keep) {
  Rows rows(static_cast<std::size_t>(s.rows));
  for (std::int64_t i = 0; i < s.rows; i++)
    for (std::int64_t k = s.ptr[static_cast<std::size_t>(i)]; k < s.ptr[static_cast<std::size_t>(i) + 1]; k++)
      if (keep(i) && keep(std::int64_t{s.col[static_cast<std::size_t>(k)]}))
        rows[static_cast<std::size_t>(i)].push_back(s.col[static_cast<std::size_t>(k)]);
  return from_rows(rows, s.cols);
}

}  // namespace rowan::test
