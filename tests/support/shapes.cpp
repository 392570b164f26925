// The two tables of shapes.
#include <algorithm>
#include <limits>

#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

constexpr auto kMostColumns = std::int64_t{std::numeric_limits<std::int32_t>::max()};

Sparsity empty(std::int64_t rows, std::int64_t cols) {
  return from_rows(Rows(static_cast<std::size_t>(rows)), cols);
}

Sparsity permutation(std::int64_t n, std::int64_t step) {
  Rows rows;
  for (std::int64_t i = 0; i < n; i++) rows.push_back({static_cast<std::int32_t>(i * step % n)});
  return from_rows(rows, n);
}

Sparsity arrow(std::int64_t n) {
  Rows rows(static_cast<std::size_t>(n));
  for (Column j = 0; j < n; j++) rows[0].push_back(j);
  for (std::int32_t i = 1; i < n; i++) rows[static_cast<std::size_t>(i)] = {0, i};
  return from_rows(rows, n);
}

Sparsity block(std::int64_t n, std::int64_t from, std::int64_t to) {
  Rows rows(static_cast<std::size_t>(n));
  for (std::int64_t i = from; i < to; i++)
    for (std::int64_t j = from; j < to; j++) rows[static_cast<std::size_t>(i)].push_back(static_cast<std::int32_t>(j));
  return from_rows(rows, n);
}

/// Rows of B with an entry in the first and the last of `span` columns from `first`, and `between` others.
Sparsity spread(std::int64_t rows, std::int64_t first, std::int64_t span, std::int64_t between, std::int64_t cols) {
  Random random(77);
  Rows list;
  for (std::int64_t i = 0; i < rows; i++) {
    auto row = some_columns(random, between, first + 1, first + span - 1);
    row.insert(row.begin(), static_cast<std::int32_t>(first));
    row.push_back(static_cast<std::int32_t>(first + span - 1));
    list.push_back(row);
  }
  return from_rows(list, cols);
}

/// `rows` rows of one pattern.
Sparsity equal_rows(std::int64_t rows, std::vector<std::int32_t> row, std::int64_t cols) {
  return from_rows(Rows(static_cast<std::size_t>(rows), std::move(row)), cols);
}

/// Entries anywhere, far fewer than rows.
Sparsity few_entries(std::int64_t rows, std::int64_t cols, std::int64_t entries, std::uint64_t seed) {
  Random random(seed);
  Rows list(static_cast<std::size_t>(rows));
  for (std::int64_t k = 0; k < entries; k++)
    list[static_cast<std::size_t>(random.between(0, rows - 1))].push_back(
        static_cast<std::int32_t>(random.between(0, cols - 1)));
  for (auto& row : list) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return from_rows(list, cols);
}

Sparsity unknowns(std::int64_t nodes) {
  return coupled_nodes(nodes, 2, [](std::int64_t node) { return 1 + node % 6; });
}

}  // namespace

const std::vector<Shape>& shapes() {
  constexpr std::int64_t kSortSpan = std::int64_t{1} << 23;  // the widest row that sort's short keys always take
  static const std::vector<Shape> all{
      {"no rows", empty(0, 5), scattered(5, 3, 1, 2, 1)},
      {"nothing between", empty(4, 0), empty(0, 3)},
      {"no columns", scattered(4, 5, 1, 3, 2), empty(5, 0)},
      {"0 x 0", empty(0, 0), {}},
      {"1 x 1", from_rows({{0}}, 1), {}},
      {"all empty", empty(40, 40), {}},
      {"only A has entries", scattered(30, 40, 1, 5, 3), empty(40, 20)},
      {"empty rows and columns", thinned(scattered(90, 90, 5, 12, 4), [](auto i) { return i % 3 != 0; }), {}},
      {"identity", permutation(70, 1), {}},
      {"permutation", permutation(90, 7), {}},
      {"rows of B picked", scattered(150, 60, 0, 1, 5), scattered(60, 80, 0, 20, 6)},
      {"arrow", arrow(80), {}},
      {"one dense row", thinned(block(120, 0, 120), [](auto i) { return i == 60 || i % 2 == 0; }), permutation(120, 1)},
      {"a row by a matrix", scattered(1, 60, 60, 60, 7), scattered(60, 90, 3, 9, 8)},
      {"a matrix by a column", scattered(90, 60, 3, 9, 9), scattered(60, 1, 0, 1, 10)},
      {"column by row", scattered(50, 1, 0, 1, 11), scattered(1, 70, 50, 50, 12)},
      {"dense block", block(100, 30, 70), {}},
      {"wide", scattered(20, 300, 5, 40, 13), scattered(300, 500, 1, 10, 14)},
      {"tall", scattered(500, 30, 1, 6, 15), scattered(30, 20, 1, 10, 16)},
      {"banded", banded(200, 5), {}},
      {"up to 40 products", scattered(300, 250, 1, 6, 17), scattered(250, 400, 1, 6, 18)},
      {"up to 600 products", scattered(120, 300, 5, 24, 19), scattered(300, 500, 10, 24, 20)},
      {"up to 5000 products", scattered(25, 400, 30, 70, 21), scattered(400, 3000, 40, 70, 22)},
      {"512 products", scattered(40, 64, 16, 16, 23), scattered(64, 900, 32, 32, 24)},
      {"runs of 1 to 6 equal rows", unknowns(40), {}},
      {"unsorted runs with duplicates", repeated(unknowns(24), 0, 25), shuffled(repeated(unknowns(24), 3, 26), 27)},
      {"a run of 300 rows", equal_rows(300, {3, 4, 5, 9}, 40), banded(40, 3)},
      {"a run that repeats a column", equal_rows(9, {4, 5, 5, 6, 4, 5}, 20), equal_rows(20, {7, 3, 3, 9}, 15)},
      {"shift runs", generated("stencil2d:nx=18,ny=18"), {}},
      {"beyond a narrow span", scattered(60, 50, 1, 12, 28), scattered(50, 200000, 1, 12, 29)},
      {"beyond a narrow span, well filled", scattered(6, 50, 20, 40, 62), scattered(50, 100000, 90, 120, 63)},
      {"runs beyond a narrow span, well filled", equal_rows(5, {2, 3, 5, 30, 40, 41}, 50),
       scattered(50, 100000, 800, 900, 64)},
      {"few entries in many rows", few_entries(4200, 4200, 600, 65), {}},
      {"few entries in many rows of B", scattered(40, 4200, 20, 60, 66), few_entries(4200, 900, 600, 67)},
      {"few entries in many rows of A", few_entries(4200, 200, 500, 68), scattered(200, 300, 0, 9, 69)},
      {"widest that sort's short keys take", scattered(10, 16, 16, 16, 30),
       spread(16, 5, kSortSpan, 30, kSortSpan + 9)},
      {"wider than sort's short keys take", scattered(10, 16, 4, 16, 31),
       spread(16, 5, kSortSpan + 1, 30, kSortSpan + 9)},
      {"very wide", scattered(10, 40, 1, 9, 32), scattered(40, (std::int64_t{1} << 24) + 100, 1, 30, 33)},
      {"last columns there can be", scattered(60, 40, 1, 12, 34),
       spread(40, kMostColumns - 150, 150, 20, kMostColumns)},
      {"unsorted", shuffled(scattered(90, 80, 0, 15, 35), 36), shuffled(scattered(80, 90, 0, 15, 37), 38)},
      {"duplicates in A", repeated(scattered(80, 70, 0, 9, 39), 4, 40), scattered(70, 100, 0, 9, 41)},
      {"duplicates in B", scattered(80, 70, 0, 9, 42), repeated(scattered(70, 100, 0, 9, 43), 4, 44)},
      {"duplicates in both", repeated(scattered(60, 60, 0, 12, 45), 6, 46), {}},
      {"duplicates in rows picked", scattered(60, 70, 0, 1, 47), repeated(scattered(70, 100, 0, 9, 48), 4, 49)},
      {"power law with a hub", power_law(200, 100, 50), {}},
  };
  return all;
}

const std::vector<Shape>& large_shapes() {
  static const std::vector<Shape> all{
      {"large scattered", scattered(3000, 3000, 5, 15, 51), {}},
      {"large power law with a hub", power_law(1500, 1000, 52), {}},
      {"large runs", coupled_nodes(350, 3, [](std::int64_t node) { return 2 + node % 3; }), {}},
      {"large shift runs", generated("stencil2d:nx=120,ny=120"), {}},
      {"large with many empty rows",
       thinned(scattered(60000, 60000, 0, 20, 53), [](auto i) { return i / 5000 % 3 == 1; }),
       {}},
      {"one heavy row among light ones",
       [] {
         Sparsity s = scattered(400, 1000, 1, 2, 54);
         Random random(55);
         const auto row = some_columns(random, 900, 0, 1000);
         s.rows++, s.col.insert(s.col.end(), row.begin(), row.end()), s.ptr.push_back(s.ptr.back() + 900);
         return s;
       }(),
       scattered(1000, 30000, 300, 400, 56)},
      {"large unsorted with duplicates", shuffled(repeated(scattered(2500, 2500, 5, 15, 57), 3, 58), 59), {}},
      {"large and wide", scattered(3000, 2000, 0, 20, 60), scattered(2000, 3000000, 0, 20, 61)},
  };
  return all;
}

}  // namespace rowan::test
