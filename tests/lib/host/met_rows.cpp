#include "lib/host/met_rows.hpp"

#include <doctest/doctest.h>

#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>
#include <rowan/error.hpp>
#include <rowan/generate.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

/// Some rows of a graph of 3,000, one of them twice.
Matrix<double> batch() {
  return filled<double>(from_rows({{7, 2900}, {}, {7}, {12, 11, 500}, {2999}}, 3000), Values::reals, 3);
}

std::string refusal(const CsrView<double>& a, const CsrView<double>& b) {
  try {
    static_cast<void>(multiply(a, b));
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("the rows of B that A meets are copied where they are few beside what would be prepared") {
  const Csr<double> graph = generate("rmat:scale=12,edge_factor=6");
  const Matrix<double> few =
      filled<double>(from_rows({{7, 2900}, {}, {7}, {12, 11, 500}, {2999}}, 4096), Values::reals, 3);
  const auto met = MetRows<double>::copied(few.view(), graph.view(), true, Team(1));
  REQUIRE(met);
  CHECK_EQ(met->b().rows, few.view().nnz());
  CHECK_EQ(difference(multiply(met->a(), met->b()), textbook(few.view(), graph.view())), "");
  CHECK_GT(met->bytes(), 0);
  // wide row pointers that nobody checks are used as they are
  CHECK_FALSE(MetRows<double>::copied(few.view(), graph.view(), false, Team(1)));
  CHECK_FALSE(MetRows<double>::copied(graph.view(), graph.view(), true, Team(1)));
  CsrView<double> turned = few.view();
  turned.transposed = true;
  CHECK_FALSE(MetRows<double>::copied(turned, graph.view(), true, Team(1)));
}

TEST_CASE("products of few rows have the textbook's bits, with row pointers of 32 and 64 bits") {
  const Matrix<double> a = batch();
  const Matrix<double> b = filled<double>(from_rows(Rows(3000, {5, 1, 2, 2999}), 3000), Values::special, 4);
  const Product<double> expected = textbook(a.view(), b.view());
  for (const CsrView<double>& left : {a.view(), a.narrow_view()})
    for (const CsrView<double>& right : {b.view(), b.narrow_view()})
      for (const bool check : {true, false}) {
        Stats stats;
        CHECK_EQ(difference(Context({.threads = 1, .validate = check}).multiply(left, right, &stats), expected), "");
        CHECK_EQ(stats.nprod, 28);
      }
}

TEST_CASE("a row of B that A meets is refused as ever, and one that A does not meet is not read") {
  const Matrix<double> a = batch();
  Matrix<double> b = filled<double>(from_rows(Rows(3000, {0, 1}), 5000), Values::reals, 4);
  b.pattern.col[2 * 500] = 5000;
  CHECK_EQ(refusal(a.view(), b.view()), "B: column 5000 in row 500 is outside [0, 5000)");
  b.pattern.col[2 * 500] = 0, b.pattern.col[2 * 501] = -1;
  CHECK_EQ(refusal(a.view(), b.view()), "");
  std::swap(b.pattern.ptr[12], b.pattern.ptr[13]);
  CHECK_EQ(refusal(a.view(), b.view()), "B: row pointers fall from 26 to 24 at row 12");
  Matrix<double> outside = a;
  outside.pattern.col[0] = 3000;
  CHECK_EQ(refusal(outside.view(), b.view()), "A: column 3000 in row 0 is outside [0, 3000)");
}

}  // namespace rowan::test
