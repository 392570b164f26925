#include "lib/host/inputs.hpp"

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {

TEST_CASE("one matrix given twice is one operand, with all its rows or those that have entries") {
  const Matrix<double> m = filled<double>(shape("banded").a, Values::reals, 1);
  const Inputs<double> in(m.view(), m.view(), true, Team(1));
  CHECK_EQ(&in.a(), &in.b());
  CHECK_LE(in.bytes(), 8);  // of no copy
  const Matrix<double> sparse = filled<double>(shape("few entries in many rows").a, Values::reals, 1);
  const Inputs<double> all(sparse.view(), sparse.view(), true, Team(1));
  CHECK_EQ(&all.a(), &all.b());
  CHECK_EQ(all.a().rows, all.rows());
  const Inputs<double> kept(sparse.view(), sparse.view(), true, Team(1), nullptr, EmptyRows::drop_many);
  CHECK_EQ(kept.rows(), 4200);
  CHECK_LT(kept.a().rows, 601);
  CHECK_EQ(kept.a().rows, kept.b().rows);
  CHECK_EQ(kept.a().cols, kept.b().rows);
  CHECK_EQ(kept.b().cols, 4200);
  CHECK_LT(kept.a().nnz(), kept.b().nnz());  // most entries of A meet an empty row
}

TEST_CASE("row pointers come back for all rows") {
  const Matrix<double> m = filled<double>(from_rows(Rows(5000), 3), Values::reals, 1);
  Sparsity s = from_rows(Rows(5000), 3);
  for (const std::int64_t i : {0, 1, 7, 4998}) {
    s.col.push_back(1);
    for (auto r = static_cast<std::size_t>(i) + 1; r < s.ptr.size(); r++) s.ptr[r]++;
  }
  const Matrix<double> few = filled<double>(s, Values::reals, 1);
  const Matrix<double> b = filled<double>(scattered(3, 3, 3, 3, 1), Values::reals, 1);
  const Inputs<double> in(few.view(), b.view(), true, Team(1), nullptr, EmptyRows::drop_many);
  REQUIRE_EQ(in.a().rows, 4);
  Array<Offset> of_kept(5);
  for (int i = 0; i < 5; i++) of_kept[i] = static_cast<Offset>(3 * i);
  const Array<std::int64_t> all = in.row_pointers(std::move(of_kept));
  REQUIRE_EQ(all.size(), 5001);
  for (std::int64_t i = 0; i <= 5000; i++) CHECK_EQ(all[i], i == 0 ? 0 : i == 1 ? 3 : i < 8 ? 6 : i < 4999 ? 9 : 12);
  const Inputs<double> none(m.view(), b.view(), true, Team(1), nullptr, EmptyRows::drop_many);
  CHECK_EQ(none.a().rows, 0);
  Array<Offset> zero(1);
  zero[0] = 0;
  for (const std::int64_t p : none.row_pointers(std::move(zero))) CHECK_EQ(p, 0);
}

TEST_CASE("copies are counted before they are made") {
  const Matrix<double> m = filled<double>(scattered(3000, 2000, 5, 5, 7), Values::reals, 1);
  const auto refusal = [&](const CsrView<double>& a, const CsrView<double>& b, std::int64_t limit) {
    Options options;
    options.memory_limit = limit;
    Budget budget(options);
    return error_of([&] { const Inputs<double> in(a, b, true, Team(1), &budget); });
  };
  CHECK_EQ(refusal(m.view(), transposed(m.view()), 20000),
           "memory_limit: C's row pointers take 24008 bytes; the limit is 20000");
  constexpr std::int64_t kTranspose = 15000 * 12 + (2001 + 2000) * 8;  // entries, pointers, counters
  const std::string message = refusal(m.view(), transposed(m.view()), 100000);
  CHECK(message.starts_with("memory_limit: columns, values and row pointers of the transpose of B take " +
                            std::to_string(kTranspose) + " bytes, which"));
  CHECK(message.ends_with("; the limit is 100000"));
  CHECK_EQ(refusal(m.view(), transposed(m.view()), 300000), "no error");
}

}  // namespace rowan::test
