// Columns counted by a table on a device: all different, all alike, all of which want the same place.
#include "accumulators/sort/device/table.hpp"

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

constexpr std::int32_t kManyColumns = 1 << 19;

/// The first n columns that a table of so many places has in its last one, from which the search goes on at the first.
std::vector<Column> columns_of_last_place(int n, std::uint64_t places) {
  std::vector<Column> found;
  for (std::uint32_t c = 0; static_cast<int>(found.size()) < n; c++)
    if (std::uint64_t{c * 2654435769U} * places >> 32 == places - 1) found.push_back(static_cast<Column>(c));
  REQUIRE_LT(found.back(), kManyColumns);
  return found;
}
std::vector<Column> first_columns(int n) {
  std::vector<Column> all;
  for (int c = 0; c < n; c++) all.push_back(c);
  return all;
}

/// A row of C for each: so many times the columns.
Shape rows_with(const std::vector<std::pair<int, std::vector<Column>>>& made) {
  Rows a, b;
  for (const auto& [times, columns] : made) {
    std::vector<Column> row;
    for (int k = 0; k < times; k++) {
      row.push_back(static_cast<Column>(b.size()));
      b.push_back(columns);
    }
    a.push_back(row);
  }
  const auto b_rows = static_cast<std::int64_t>(b.size());
  return {"columns of a table", from_rows(a, b_rows), from_rows(b, kManyColumns)};
}

}  // namespace

TEST_CASE("device sort counts rows whose columns want one place of the table") {
  for_schedules(3, [&](int, int) {
    for (const int lanes_keys : {8, 16}) {
      const int most = 32 * lanes_keys;
      const auto places = static_cast<std::uint64_t>(4 * device::sort::table_fours(32, lanes_keys));
      const Shape shape = rows_with({{1, columns_of_last_place(most, places)},
                                     {2, columns_of_last_place(most / 2, places)},
                                     {most / 3, columns_of_last_place(3, places)},
                                     {most - 1, first_columns(1)},
                                     {2, first_columns(most / 2)},
                                     {3, columns_of_last_place(most / 4, places)}});
      const Factors<double> f(shape, Values::integers);
      Options options;
      options.backend = kBackend, options.force = "sort";
      CHECK_EQ(difference(Context(options).multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
    }
  });
}

}  // namespace rowan::test
