#include "accumulators/direct/kept_rows.hpp"

#include <memory>

#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"

namespace rowan::test {
namespace {

using direct::KeptRow;
using direct::KeptRows;

/// A product, and rows kept of it.
class Keeping {
 public:
  Keeping(const Rows& a, const Rows& b, std::int64_t cols)
      : p_({"", from_rows(a, static_cast<std::int64_t>(b.size())), from_rows(b, cols)}, Values::integers),
        memory_(KeptRows::bytes(), 0),
        position_(static_cast<std::size_t>(cols)) {}

  [[nodiscard]] KeptRows& rows() const { return *reinterpret_cast<KeptRows*>(memory_.data()); }
  [[nodiscard]] KeptRow* keep(std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const auto from = static_cast<std::size_t>(p_.expected.row_ptr[at]),
               to = static_cast<std::size_t>(p_.expected.row_ptr[at + 1]);
    const std::span<const Column> col(p_.expected.col.data() + from, to - from);
    begin_ += 100;
    return rows().keep(p_.a, p_.b, i, col, position_.data(), begin_, 0);
  }
  [[nodiscard]] KeptRow*& slot(std::int64_t i) const { return rows().slot(p_.a, p_.b, i); }

 private:
  Problem<double> p_;
  Memory memory_;
  std::vector<ColumnPositions::Position> position_;
  std::int64_t begin_ = 0;
};

}  // namespace

TEST_CASE("a kept row says where its products go, counted from its first column") {
  Keeping k({{0, 1, 2}}, {{3, 7}, {}, {5, 7, 9}}, 12);
  const KeptRow* const row = k.keep(0);
  REQUIRE(row != nullptr);
  CHECK_EQ(row->a_nnz, 3);
  CHECK_EQ(row->nnz, 4);
  const std::vector<Column> columns(row->col, row->col + 4);
  CHECK_EQ(columns, std::vector<Column>{0, 2, 4, 6});
  CHECK_EQ(row->met[0].positions, 0b0101U);
  CHECK_EQ(row->met[1].positions, 0U);
  CHECK_EQ(row->met[2].positions, 0b1110U);
  CHECK_EQ(row->met[2].length, 3);
  CHECK_EQ(row->met[2].first_lanes, 0b111U);
  const std::vector<int> position(row->position, row->position + 5);
  CHECK_EQ(position, std::vector<int>{0, 2, 1, 2, 3});
  const Column* const third = row->columns + 2 * direct::kKeptColumns;
  CHECK_EQ(std::vector<Column>(third, third + 4), std::vector<Column>{2, 4, 6, 0});
}

TEST_CASE("rows that are alike have one slot, rows behind one another in a grid have others") {
  Keeping k({{0, 1}, {2, 3}, {4, 5}, {1, 2}}, {{0, 1}, {3}, {5, 6}, {8}, {5, 6}, {9}}, 12);
  CHECK_EQ(&k.slot(0), &k.slot(1));
  CHECK_NE(&k.slot(0), &k.slot(2));  // another first column
  CHECK_NE(&k.slot(0), &k.slot(3));  // other lengths
}

TEST_CASE("rows are not kept if they are long, begin with an empty row of B, or meet one that does not rise") {
  std::vector<std::int32_t> all(65);
  for (std::int32_t c = 0; c < 65; c++) all[static_cast<std::size_t>(c)] = c;
  const std::vector<std::int32_t> most(all.begin(), all.end() - 1);
  Keeping k({{0}, {1}, {2, 3}, {3, 4}, {3, 5}}, {all, most, {}, {1}, {7, 6}, {7, 7}}, 70);
  CHECK(k.keep(0) == nullptr);
  CHECK(k.keep(1) != nullptr);
  CHECK(k.keep(2) == nullptr);
  CHECK(k.keep(3) == nullptr);
  CHECK(k.keep(4) == nullptr);
}

TEST_CASE("where there is no room for another row all are forgotten") {
  Keeping k({std::vector<std::int32_t>(500, 0), std::vector<std::int32_t>(1000, 0)}, {{1, 2}}, 4);
  CHECK(k.keep(1) == nullptr);  // more than a quarter of the room
  KeptRow* const first = k.keep(0);
  REQUIRE(first != nullptr);
  k.slot(0) = first, k.rows().last = first;
  for (int i = 0; i < 20 && k.slot(0) != nullptr; i++) CHECK(k.keep(0) != nullptr);
  CHECK(k.slot(0) == nullptr);
  CHECK(k.rows().last == nullptr);
}

TEST_CASE("where few rows are alike none is looked at for a while, ever longer") {
  const Memory memory(KeptRows::bytes(), 0);
  auto& rows = *reinterpret_cast<KeptRows*>(memory.data());
  const auto pause = [&] {
    std::int64_t n = 0;
    while (!rows.looks()) n++;
    return n;
  };
  rows.compared(1000, 250);
  CHECK_EQ(pause(), 0);
  std::vector<std::int64_t> pauses;
  for (int times = 0; times < 5; times++) {
    for (int i = 0; i < 64; i++) {
      CHECK(rows.looks());
      rows.compared(1, i % 5 == 0 ? 1 : 0);
    }
    pauses.push_back(pause() + 1);
  }
  CHECK_EQ(pauses, std::vector<std::int64_t>{1024, 4096, 16384, 65536, 65536});
}

}  // namespace rowan::test
