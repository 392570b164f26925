// C's columns without values, by markers and by sorting, on every instruction set; nothing beyond what may be written
// over is touched.
#include <doctest/doctest.h>

#include "lib/host/replay/thin_kernels.hpp"
#include "tests/accumulators/kernels.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/random.hpp"

namespace rowan::test {
namespace {

/// Rows of A of so many entries, rows of B of up to `longest`.
Shape lengths(std::int64_t longest, std::int64_t most_of_a) {
  Random random(static_cast<std::uint64_t>(longest * 100 + most_of_a));
  Rows a, b;
  for (std::int64_t j = 0; j < 300; j++) b.push_back(some_columns(random, random.between(0, longest), 0, 700));
  for (std::int64_t i = 0; i < 400; i++) a.push_back(some_columns(random, random.between(0, most_of_a), 0, 300));
  a.push_back({299});
  return {"rows of B of up to " + std::to_string(longest), from_rows(a, 300), from_rows(b, 700)};
}

std::string fault(const Shape& shape, bool by_sorting) {
  const Problem<double> p(shape, Values::integers);
  const Memory positions(replay::thin_scratch_bytes(p.b.cols), 0);
  const std::size_t nnz = p.expected.col.size(), room = nnz + replay::kThinSlack;
  constexpr Column kUntouched = -77;
  std::vector<Column> col(room + 1, kUntouched);
  std::vector<Offset> counts(static_cast<std::size_t>(p.a.rows));
  const std::int64_t cuts[] = {0, p.a.rows / 3, p.a.rows};
  for (std::size_t c = 0; c < 2; c++) {
    const std::int64_t k = p.expected.row_ptr[static_cast<std::size_t>(cuts[c])];
    const std::int64_t n = replay::thin_pattern(
        {p.a, p.b, cuts[c], cuts[c + 1], positions.data(), counts.data(), col.data() + k, by_sorting});
    if (n != p.expected.row_ptr[static_cast<std::size_t>(cuts[c + 1])] - k) return "entries: " + std::to_string(n);
  }
  for (std::size_t i = 0; i < counts.size(); i++)
    if (counts[i] != p.expected.row_ptr[i + 1] - p.expected.row_ptr[i]) return "row " + std::to_string(i);
  for (std::size_t e = 0; e < nnz; e++)
    if (col[e] != p.expected.col[e]) return "column " + std::to_string(e);
  return col[room] == kUntouched ? "" : "more than the slack was written";
}

}  // namespace

TEST_CASE("columns of thin products are the textbook's, by markers and by sorting") {
  for (const std::int64_t target : instruction_sets()) {
    const OnlyTarget only(target);
    for (const bool by_sorting : {false, true}) {
      CAPTURE(by_sorting);
      for (const Shape& s : shapes()) {
        CAPTURE(s.name);
        if (s.right().cols <= 1 << 20) CHECK_EQ(fault(s, by_sorting), "");
      }
      for (const std::int64_t longest : {1, 4, 9, 33, 200})
        for (const std::int64_t of_a : {2, 8, 70}) {
          const Shape s = lengths(longest, of_a);
          CAPTURE(s.name);
          CAPTURE(of_a);
          CHECK_EQ(fault(s, by_sorting), "");
        }
    }
  }
}

}  // namespace rowan::test
