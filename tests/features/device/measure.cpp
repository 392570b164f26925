// What a device's feature pass finds of rows, emulated or real, against a walk over all of them.
#include "features/device/measure.hpp"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/device/arrays.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// What is to be found of A A.
struct Found {
  std::vector<std::uint8_t> relation, moved;
  std::vector<std::int64_t> nprod;
  std::vector<device::CRow> c_rows;
  bool unsorted = false;
};

/// Columns of a row.
std::vector<Column> row_of(const Sparsity& a, std::int64_t row) {
  const auto at = static_cast<std::size_t>(row);
  return {a.col.begin() + a.ptr[at], a.col.begin() + a.ptr[at + 1]};
}

std::uint8_t relation_of(const std::vector<Column>& row, const std::vector<Column>& before) {
  if (row.empty() || row.size() != before.size()) return 0;
  for (const Column by : {0, 1}) {
    std::vector<Column> other = before;
    for (Column& column : other) column += by;
    if (other == row) return by == 0 ? kSameAsPrevious : kShiftedFromPrevious;
  }
  return 0;
}

Found expected(const Sparsity& a) {
  Found f;
  for (std::int64_t i = 0; i < a.rows; i++)
    f.relation.push_back(i == 0 ? std::uint8_t{0} : relation_of(row_of(a, i), row_of(a, i - 1)));
  const auto relation = [&](std::int64_t i) { return i < a.rows ? f.relation[static_cast<std::size_t>(i)] : 0; };
  for (std::int64_t i = 0; i < a.rows; i++) {
    std::int64_t products = 0;
    Column lo = INT32_MAX, hi = -1, longest = 0;
    bool all_moved = true;
    for (const Column j : row_of(a, i)) {
      const std::vector<Column> met = row_of(a, j);
      products += static_cast<std::int64_t>(met.size());
      longest = std::max(longest, static_cast<Column>(met.size()));
      all_moved = all_moved && relation(j) == kShiftedFromPrevious;
      for (std::size_t k = 0; k < met.size(); k++) {
        lo = std::min(lo, met[k]), hi = std::max(hi, met[k]);
        f.unsorted = f.unsorted || (k > 0 && met[k] <= met[k - 1]);
      }
    }
    f.nprod.push_back(products);
    f.c_rows.push_back({products == 0 ? 0 : lo, hi, longest, static_cast<std::uint32_t>(products)});
    f.moved.push_back(all_moved && row_of(a, i).size() > 1 && relation(i) == kShiftedFromPrevious &&
                      relation(i - 1) != kSameAsPrevious && relation(i + 1) != kSameAsPrevious);
  }
  return f;
}

/// With `runs` or without looking for any.
void check_found(const Sparsity& a, bool runs) {
  Pool pool(0);
  const auto ptr = on_device(pool, a.ptr);
  const auto col = on_device(pool, a.col);
  const Pattern pattern{.rows = a.rows, .cols = a.cols, .ptr = ptr.data(), .col = col.data()};
  const Buffer<BRow> range(pool, a.rows, nullptr);
  const Buffer<std::uint8_t> relation(pool, a.rows, nullptr), again(pool, a.rows, nullptr),
      moved(pool, a.rows, nullptr);
  const Buffer<std::int64_t> nprod(pool, a.rows + 1, nullptr), counted(pool, a.rows, nullptr);
  const Buffer<device::CRow> c_rows(pool, a.rows, nullptr);
  const auto unsorted = on_device(pool, std::vector<std::int32_t>(1)),
             zeroed = on_device(pool, std::vector<std::int32_t>(2, 7));
  measure_ranges(pattern, a.nnz(), range.data(), runs ? relation.data() : nullptr,
                 {reinterpret_cast<std::uint64_t*>(zeroed.data()), 1}, nullptr);
  measure_rows(pattern, a.nnz(), range.data(), runs ? relation.data() : nullptr, nprod.data(), c_rows.data(),
               runs ? moved.data() : nullptr, unsorted.data(), nullptr);
  measure_runs(pattern, a.nnz(), again.data(), nullptr);
  count_products(pattern, a.nnz(), ptr.data(), counted.data(), nullptr);

  Found f = expected(a);
  CHECK(on_host(counted) == f.nprod);
  f.nprod.push_back(0);
  CHECK(on_host(nprod) == f.nprod);
  CHECK(on_host(again) == f.relation);
  if (runs) CHECK(on_host(relation) == f.relation);
  if (runs) CHECK(on_host(moved) == f.moved);
  CHECK_EQ(on_host(unsorted)[0] != 0, f.unsorted);
  CHECK(on_host(zeroed) == std::vector<std::int32_t>(2));
  std::size_t wrong = 0;
  const std::vector<device::CRow> got = on_host(c_rows);
  for (std::size_t i = 0; i < got.size(); i++) {
    const device::CRow &one = got[i], &other = f.c_rows[i];
    wrong += one.lo != other.lo || one.hi != other.hi || one.b_max != other.b_max || one.nprod != other.nprod ? 1U : 0U;
  }
  CHECK_EQ(wrong, 0);
}

}  // namespace

TEST_CASE("rows of all lengths are measured: by a lane, several lanes, a wave and a block") {
  std::vector<Sparsity> all{banded(300, 2), scattered(40, 500, 300, 500, 5), power_law(3000, 40, 3),
                            shuffled(scattered(200, 200, 0, 30, 4), 6),
                            coupled_nodes(60, 2, [](std::int64_t i) { return 1 + i % 3; })};
  for (const std::int64_t most : {3, 9, 20, 45, 90, 180}) all.push_back(scattered(400, 400, 0, most, 7));
  for (std::size_t k = 0; k < all.size(); k++) {
    CAPTURE(k);
    Sparsity& a = all[k];
    if (a.rows != a.cols)  // square, for A A
      for (Column& column : a.col) column = static_cast<Column>(column % a.rows);
    a.cols = a.rows;
    for (const bool runs : {true, false}) for_schedules(1, [&](int, int) { check_found(a, runs); });
  }
}

}  // namespace rowan::test
