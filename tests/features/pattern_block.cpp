#include "features/pattern_block.hpp"

#include <algorithm>
#include <cstring>

#include <doctest/doctest.h>

#include "tests/support/instruction_sets.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/measured.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

/// By how many columns, 0 or 1, row i is the one before moved; -1 where it is not.
std::int32_t move_of(const Pattern& m, std::int64_t i) {
  const std::int64_t n = m.length(i);
  if (n == 0 || n != m.length(i - 1)) return -1;
  const Column *const col = m.col + m.ptr[i], *const before = m.col + m.ptr[i - 1];
  const std::int32_t move = col[0] - before[0];
  for (std::int64_t k = 0; k < n; k++)
    if (col[k] - before[k] != move) return -1;
  return move == 0 || move == 1 ? move : -1;
}

/// Rows [from, to) by the definition.
void check_block(const Pattern& m, std::int64_t from, std::int64_t to) {
  PatternFacts facts;
  facts.row = Array<BRow>(m.rows), facts.run = Array<RowRun>(m.rows);
  const BlockFacts block = classify_rows(m, from, to, facts);
  std::int64_t wrong = 0, linked = 0, longest = 0;
  bool rising = true;
  for (std::int64_t i = from; i < to; i++) {
    const Column *const col = m.col + m.ptr[i], *const end = m.col + m.ptr[i + 1];
    rising = rising && std::is_sorted(col, end, std::less_equal<>());
    longest = std::max(longest, m.length(i));
    const BRow expected = col == end ? BRow() : BRow(*col, end[-1], m.length(i));
    wrong += facts.row[i].word == expected.word ? 0 : 1;
    const std::int32_t move = i == from ? -1 : move_of(m, i);
    linked += move >= 0 ? 1 : 0;
    wrong += facts.run[i].same == (move == 0) && facts.run[i].shifted == (move == 1) ? 0 : 1;
    for (const std::int32_t way : {0, 1}) {
      std::int64_t rows = 1;
      while (rows < 255 && i + rows < to && move_of(m, i + rows) == way) rows++;
      wrong += (way == 0 ? facts.run[i].rows : facts.run[i].shifts) == rows ? 0 : 1;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK_EQ(block.linked, linked);
  CHECK_EQ(block.longest, longest);
  CHECK_EQ(block.rising, rising);
}

}  // namespace

TEST_CASE("a block's rows and runs are those of the definition, with every instruction set") {
  for (const std::int64_t target : instruction_sets()) {
    CAPTURE(target);
    const OnlyTarget only(target);
    for (const auto* list : {&shapes(), &large_shapes()})
      for (const Shape& shape : *list) {
        CAPTURE(shape.name);
        const Pattern m = pattern(shape.right());
        if (m.cols > BRow::kNoColumn) continue;
        for (std::int64_t from = 0; from < m.rows; from += kPatternBlock)
          check_block(m, from, std::min(m.rows, from + kPatternBlock));
        check_block(m, m.rows / 3, std::min(m.rows, m.rows / 3 + 77));
      }
  }
}

TEST_CASE("runs of any length, of either kind, one after another") {
  Rows rows;
  for (const std::int32_t n : {1, 2, 3, 7, 8, 9, 10, 15, 16, 17, 18, 24, 25, 26, 64, 254, 255, 256, 257}) {
    for (std::int32_t i = 0; i < n; i++) rows.push_back({n, n + 5, 600 + n});
    for (std::int32_t i = 0; i < n; i++) rows.push_back({i, i + 3, i + 5});
    rows.push_back({});
    for (std::int32_t i = 0; i < n; i++) rows.push_back({i});
    rows.push_back({n - 1, n}), rows.push_back({n - 1, n + 1}), rows.push_back({n, n + 1});
  }
  const Sparsity s = from_rows(rows, 1000);
  for (const std::int64_t target : instruction_sets()) {
    CAPTURE(target);
    const OnlyTarget only(target);
    for (std::int64_t from = 0; from < s.rows; from += 1999)
      check_block(pattern(s), from, std::min(s.rows, from + kPatternBlock));
  }
}

}  // namespace rowan::test
