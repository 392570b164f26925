// dense-window: rows that fill their span are not marked; what was met is told from sums that began as -0.
#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

/// Rows with many products for few columns, some of which nobody meets, beside rows of a few products.
Shape filled(std::int64_t span, std::int64_t rows_met) {
  Random random(static_cast<std::uint64_t>(span + rows_met));
  Rows a, b;
  for (std::int64_t j = 0; j < 24; j++) {
    auto row = some_columns(random, span / 3, 5, 5 + span - 1);
    for (auto& column : row) column -= column % 3 == 1 ? 1 : 0;  // every third column stays empty
    row.erase(std::unique(row.begin(), row.end()), row.end());
    row.push_back(static_cast<std::int32_t>(5 + span - 1));
    row.insert(row.begin(), 5);
    row.erase(std::unique(row.begin(), row.end()), row.end());
    b.push_back(row);
  }
  b.push_back({0, 4999});
  for (int i = 0; i < 40; i++) {
    a.push_back(some_columns(random, rows_met, 0, 24));
    if (random.below(3) == 0) a.push_back({24});
    if (random.below(4) == 0) a.push_back({static_cast<std::int32_t>(random.below(24))});
  }
  return {"", from_rows(a, 25), from_rows(b, 5000)};
}

/// Rows that meet one long row of B and `others` short ones, some of whose columns the long one has, too.
Shape hubs(std::int64_t length, std::int64_t others, bool sorted) {
  Random random(static_cast<std::uint64_t>(length + others));
  Rows a, b;
  const std::int64_t span = 3 * length;
  for (std::int64_t j = 0; j < 30; j++) b.push_back(some_columns(random, random.between(0, 4), 0, span + 40));
  b.push_back(some_columns(random, length, 20, span));  // the last rows, behind which B ends
  b.push_back(some_columns(random, length, 0, span + 40));
  if (!sorted) std::swap(b[30][3], b[30][4]);
  for (std::int32_t i = 0; i < 60; i++) {
    auto row = some_columns(random, others, 0, 30);
    const std::int32_t hub = 30 + i % 2;
    if (i % 5 == 0)  // the hub among them: sums begin before it and go on behind
      row.insert(row.begin() + static_cast<std::ptrdiff_t>(row.size() / 2), hub);
    else if (i % 5 == 1)
      row.insert(row.begin(), hub);
    else
      row.push_back(hub);
    if (i % 17 == 0) row.push_back(61 - hub);  // two of them
    a.push_back(row);
  }
  return {"", from_rows(a, 32), from_rows(b, span + 40)};
}

}  // namespace

TEST_CASE_TEMPLATE("rows that are nearly one row of B are its copy with the others between", T, float, double) {
  for (const std::int64_t length : {255, 256, 257, 300, 1000})
    for (const std::int64_t others : {0, 1, 5, 12})
      for (const bool sorted : {true, false})
        for (const Values values : kAllValues) {
          CAPTURE(length);
          CAPTURE(others);
          CAPTURE(sorted);
          const Problem<T> p(hubs(length, others, sorted), values);
          CHECK_EQ(kernel_fault(dense::window, p), "");
          CHECK_EQ(kernel_fault(dense::window, p, {0, 1, 20, 59, 60}), "");
        }
}

TEST_CASE_TEMPLATE("rows that fill their span give what others do, whatever their products are", T, float, double) {
  for (const std::int64_t span : {9, 63, 64, 65, 200, 1000})
    for (const std::int64_t rows_met : {2, 8, 20})
      for (const Values values : kAllValues) {
        CAPTURE(span);
        CAPTURE(rows_met);
        const Problem<T> p(filled(span, rows_met), values);
        const std::int64_t n = p.a.rows;
        CHECK_EQ(kernel_fault(dense::window, p), "");
        CHECK_EQ(kernel_fault(dense::window, p, {0, 1, n / 3, n / 2, n}), "");
      }
}

}  // namespace rowan::test
