// What a plan wrote down, followed by the kernels: short rows of B through a list that is emptied where it is full or a
// long row comes, long ones product by product, each up to B's last entry; runs to C and around the caches.
#include "lib/host/replay/kernels.hpp"

#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/random.hpp"

namespace rowan::test {
namespace {

/// Rows of B of `least` to `most` entries, some of `longest`; rows of A of up to 300 of them, and one of the last
/// alone.
Shape rows_met(std::int64_t least, std::int64_t most, std::int64_t longest) {
  Random random(static_cast<std::uint64_t>(longest));
  Rows a, b;
  for (std::int64_t j = 0; j < 400; j++)
    b.push_back(some_columns(random, j % 40 == 7 ? longest : random.between(least, most), 0, 900));
  for (const std::int64_t n : {1, 2, 30, 90, 200, 300}) a.push_back(some_columns(random, n, 0, 400));
  a.push_back({399});
  return {"", from_rows(a, 400), from_rows(b, 900)};
}

/// Rows of C of 0 to 70 entries, long and short ones in turn.
Shape short_rows() {
  Random random(9);
  Rows a, b;
  for (std::int64_t j = 0; j < 300; j++) b.push_back(some_columns(random, random.between(0, 9), j, j + 12));
  for (std::int64_t i = 0; i < 140; i++) {
    const std::int64_t first = random.between(0, 240);
    a.push_back(some_columns(random, random.between(0, i % 3 == 0 ? 40 : 5), first, first + (i % 2 == 0 ? 60 : 8)));
  }
  return {"rows of C of up to 70 entries", from_rows(a, 300), from_rows(b, 312)};
}

/// Nine equal rows of A, which meet runs of eleven, seven and five equal rows of B.
Shape long_runs() {
  Random random(10);
  Rows b;
  std::vector<std::int32_t> all;
  for (const std::size_t n : {11U, 7U, 5U}) b.insert(b.end(), n, some_columns(random, 14, 0, 40));
  for (std::size_t j = 0; j < b.size(); j++) all.push_back(static_cast<std::int32_t>(j));
  return {"runs of up to eleven equal rows", from_rows(Rows(9, all), 23), from_rows(b, 40)};
}

template <class T, class P>
void check(const Shape& shape, Values values, bool around, bool masks) {
  const Problem<T> p(shape, values);
  const replay::PlannedRows rows{p.a,
                                 p.b,
                                 p.measured.rows.data(),
                                 p.measured.b->run.data(),
                                 p.expected.row_ptr.data(),
                                 p.measured.b->sorted,
                                 0,
                                 p.a.rows,
                                 masks && p.measured.b->sorted};
  const replay::PositionCount count = replay::count_positions(rows);
  std::vector<std::uint32_t> slot(static_cast<std::size_t>(p.b.cols));
  const auto written = static_cast<std::size_t>(count.positions + count.mask_bytes / std::int64_t{sizeof(P)});
  std::vector<P> positions(written + replay::kMaskSlack / sizeof(P), P{0x5A5A});
  replay::write_positions(rows, p.expected.col.data(), slot.data(), positions.data());
  const auto of_run = static_cast<std::size_t>(count.run_longest * kSummedRows);
  std::vector<T> sums(of_run), run_values(static_cast<std::size_t>(count.run_a_longest * kSummedRows)),
      stream_buffer(of_run + replay::kStreamSlack), val(p.expected.val.size(), T{7});
  const void* const end =
      replay::run(replay::ReplayTask<T>{p.a, p.b, rows, positions.data(), sizeof(P) == 2, sums.data(),
                                        run_values.data(), around ? stream_buffer.data() : nullptr, val.data()});
  CHECK(end == positions.data() + written);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < val.size(); k++) wrong += same_bits(val[k], p.expected.val[k]) ? 0U : 1U;
  CHECK_EQ(wrong, 0U);
}

}  // namespace

TEST_CASE_TEMPLATE("values anew are the sums in the order of A's entries, whatever rows of B are met", T, float,
                   double) {
  for (const std::int64_t target : instruction_sets()) {
    const OnlyTarget only(target);
    for (const Values values : kAllValues)
      for (const Shape& s : {short_rows(), rows_met(0, 4, 4), rows_met(1, 9, 9), rows_met(0, 9, 64), rows_met(1, 7, 65),
                             rows_met(0, 5, 600), rows_met(5, 30, 40), shape("runs of 1 to 6 equal rows"), long_runs(),
                             shape("unsorted runs with duplicates"), shape("a run that repeats a column")}) {
        CAPTURE(s.name);
        for (const bool masks : {false, replay::has_masks()}) {
          check<T, std::uint16_t>(s, values, false, masks);
          check<T, std::uint32_t>(s, values, true, masks);
        }
      }
  }
}

}  // namespace rowan::test
