#include "lib/core/stack.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/operations.hpp>

namespace rowan::test {

TEST_CASE_TEMPLATE("pieces one below another are one matrix, each row as it was", T, float, double) {
  const Matrix<T> a = filled<T>(shape("unsorted").a, Values::special, 1);
  const Csr<T> turned = transpose(a.view());
  const CsrView<T> none{
      .rows = 0, .cols = a.pattern.cols, .row_ptr = std::span<const std::int64_t>(&detail::kNoRows, 1)};
  const CsrView<T> pieces[] = {a.view(), none, a.narrow_view(), transposed(turned.view())};
  const Csr<T> all = stack(StackedView<T>{pieces});
  const auto rows = entries_of(all.view());
  std::size_t i = 0;
  for (const CsrView<T>& piece : pieces)
    for (const auto& row : entries_of(piece)) {
      REQUIRE_LT(i, rows.size());
      CHECK(std::ranges::equal(row, rows[i++], [](const Entry<T>& x, const Entry<T>& y) {
        return x.col == y.col && same_bits(x.val, y.val);
      }));
    }
  CHECK_EQ(i, rows.size());
  CHECK_EQ(all.cols(), a.pattern.cols);
  CHECK_EQ(stack_bytes(StackedView<T>{pieces}), all.rows() * 8 + 8 + all.nnz() * std::int64_t{4 + sizeof(T)});
}

TEST_CASE("pieces that are broken, of other columns or none are refused by name") {
  const Matrix<double> a = filled<double>(shape("banded").a, Values::integers, 1);
  CsrView<double> wider = a.view();
  wider.cols++;
  const CsrView<double> two[] = {a.view(), wider};
  CHECK_EQ(error_of([&] { static_cast<void>(stack(StackedView<double>{two}, "B")); }),
           "invalid_argument: B's piece 1 has 201 columns, but piece 0 has 200");
  CsrView<double> broken = a.view();
  broken.val = broken.val.first(broken.val.size() - 1);
  const CsrView<double> with_broken[] = {a.view(), a.view(), broken};
  CHECK_EQ(error_of([&] {
             static_cast<void>(stack(StackedView<double>{with_broken}, "B"));
           }).find("invalid_argument: B's piece 2: "),
           0U);
  CHECK_EQ(error_of([] { static_cast<void>(stack(StackedView<double>{}, "B")); }), "invalid_argument: B has no pieces");
}

}  // namespace rowan::test
