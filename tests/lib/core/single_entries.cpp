#include "lib/core/single_entries.hpp"

#include <doctest/doctest.h>

#include "tests/support/matrices.hpp"

namespace rowan::test {
namespace {

SingleEntries entries_of(const Rows& rows, std::int64_t cols) {
  const Sparsity m = from_rows(rows, cols);
  const Pattern pattern{.rows = m.rows, .cols = cols, .ptr = m.ptr.data(), .col = m.col.data()};
  const SingleEntries entries = single_entries(pattern);
  CHECK_EQ(has_single_entries(pattern), entries != SingleEntries::no);
  return entries;
}

}  // namespace

TEST_CASE("a matrix has single entries where no row has two, and then their columns rise, repeat or fall") {
  CHECK_EQ(entries_of({{0}, {1}, {2}}, 3), SingleEntries::rise);
  CHECK_EQ(entries_of({{0}, {}, {2}}, 3), SingleEntries::rise);
  CHECK_EQ(entries_of({{}, {}}, 3), SingleEntries::no);
  CHECK_EQ(entries_of({{0}, {0}, {2}}, 3), SingleEntries::never_fall);
  CHECK_EQ(entries_of({{0}, {}, {0}}, 3), SingleEntries::never_fall);
  CHECK_EQ(entries_of({{1}, {0}, {2}}, 3), SingleEntries::in_any_order);
  CHECK_EQ(entries_of({{1}, {1}, {}, {0}}, 3), SingleEntries::in_any_order);
  CHECK_EQ(entries_of({{0, 1}, {}, {}}, 3), SingleEntries::no);
  CHECK_EQ(entries_of({{}, {0, 1}, {}}, 3), SingleEntries::no);
  CHECK_EQ(entries_of({{0, 1}}, 3), SingleEntries::no);
}

TEST_CASE("a row of two, or a column that falls, is found wherever it is") {
  constexpr std::int64_t n = 300;
  for (std::int64_t at = 0; at < n - 1; at++) {
    Rows rows(n);
    for (std::int64_t i = 0; i < n; i++) rows[static_cast<std::size_t>(i)] = {static_cast<Column>(i)};
    const auto here = static_cast<std::size_t>(at);
    std::swap(rows[here], rows[here + 1]);
    CHECK_EQ(entries_of(rows, n), SingleEntries::in_any_order);
    std::swap(rows[here], rows[here + 1]);
    rows[here + 1] = rows[here];
    CHECK_EQ(entries_of(rows, n), SingleEntries::never_fall);
    rows[here + 1].clear(), rows[here].push_back(static_cast<Column>(at + 1));
    CHECK_EQ(entries_of(rows, n), SingleEntries::no);
  }
}

}  // namespace rowan::test
