// Numbers of columns: by a bit for each column, and by search where columns are far more than entries.
#include "mpi/numbering.hpp"

#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <vector>

#include <doctest/doctest.h>

namespace rowan::test {
namespace {

void check_numbers(std::int64_t first, std::int64_t last, std::int64_t all) {
  std::mt19937_64 random(static_cast<std::uint64_t>(all + first));
  std::uniform_int_distribution<std::int64_t> column(0, all - 1);
  std::vector<std::int64_t> received(500), named;
  for (std::int64_t& c : received) c = column(random);
  std::set<std::int64_t> others, of_rows;
  for (int k = 0; k < 50; k++) of_rows.insert(column(random));
  for (const std::int64_t c : of_rows)
    if (c < first || c >= last) named.push_back(c);
  others.insert(named.begin(), named.end());
  for (const std::int64_t c : received)
    if (c < first || c >= last) others.insert(c);
  const mpi::ColumnNames numbering(std::span<const std::int64_t>(received), named, first, last, all);
  CHECK_EQ(numbering.names(), std::vector<std::int64_t>(others.begin(), others.end()));
  std::int64_t low = 0, next = 0;
  for (const std::int64_t c : others) low += c < first ? 1 : 0;
  CHECK_EQ(numbering.low(), low);
  for (const std::int64_t c : others) {
    if (next == low) next += last - first;
    CHECK_EQ(numbering(c), next++);
  }
  for (std::int64_t c = first; c < last; c += 7) CHECK_EQ(numbering(c), low + c - first);
}

TEST_CASE("mpi: numbers of columns rise with their names") {
  for (const std::int64_t all : {std::int64_t{1000}, std::int64_t{64}, std::int64_t{1} << 40}) {
    check_numbers(0, all > 1000 ? 100 : all / 2, all);
    check_numbers(all / 4, all / 4 + 30, all);
    check_numbers(all - 10, all, all);
    check_numbers(all / 2, all / 2, all);  // a process without columns
  }
  check_numbers(0, 100, 100);  // with all of them
}

}  // namespace
}  // namespace rowan::test
