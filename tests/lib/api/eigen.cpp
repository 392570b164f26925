#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>
#include <rowan/eigen.hpp>

namespace rowan::test {
namespace {

template <class T, int Order>
Eigen::SparseMatrix<T, Order, std::int32_t> small() {
  Eigen::SparseMatrix<T, Order, std::int32_t> m(3, 4);
  m.insert(0, 1) = T{2}, m.insert(0, 3) = T{5}, m.insert(2, 0) = T{-1}, m.insert(2, 3) = T{7};
  m.makeCompressed();
  return m;
}

}  // namespace

TEST_CASE_TEMPLATE("Eigen's compressed matrices are seen without a copy", T, float, double) {
  const auto rows = small<T, Eigen::RowMajor>();
  const auto columns = small<T, Eigen::ColMajor>();
  CHECK_EQ(view(rows).val.data(), rows.valuePtr());
  CHECK_EQ(view(rows).col.data(), rows.innerIndexPtr());
  CHECK_EQ(view(rows).row_ptr.narrow(), rows.outerIndexPtr());
  CHECK(!view(rows).transposed);
  CHECK_EQ(view(columns).val.data(), columns.valuePtr());
  CHECK(view(columns).transposed);
}

TEST_CASE_TEMPLATE("products of row-major and column-major matrices equal Eigen's", T, float, double) {
  const auto rows = small<T, Eigen::RowMajor>();
  const auto columns = small<T, Eigen::ColMajor>();
  const Eigen::SparseMatrix<T, Eigen::RowMajor> expected = rows * rows.transpose();
  for (const auto& left : {view(rows), view(columns)})
    for (const auto& right : {transposed(view(rows)), transposed(view(columns))}) {
      const auto c = to_eigen(multiply(left, right));
      CHECK_EQ(c.rows(), 3);
      CHECK_EQ(c.cols(), 3);
      CHECK_EQ((Eigen::MatrixX<T>(c) - Eigen::MatrixX<T>(expected)).norm(), 0);
    }
}

TEST_CASE("a matrix goes to Eigen and comes back the same") {
  for (const Shape& shape : shapes()) {
    if (shape.a.cols > 1000000) continue;
    CAPTURE(shape.name);
    const Matrix<double> m = filled<double>(shape.a, Values::special, 1);
    const auto e = to_eigen(m.view());
    const CsrView<double> back = view(e);
    CHECK_EQ(back.rows, m.pattern.rows);
    CHECK_EQ(back.cols, m.pattern.cols);
    CHECK(std::equal(back.col.begin(), back.col.end(), m.pattern.col.begin(), m.pattern.col.end()));
    CHECK(std::equal(back.val.begin(), back.val.end(), m.val.begin(), m.val.end(), same_bits<double>));
    for (std::int64_t i = 0; i <= back.rows; i++) CHECK_EQ(back.row_ptr[i], m.view().row_ptr[i]);
  }
}

TEST_CASE("a matrix that is not compressed is refused") {
  Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t> m(3, 4);
  m.insert(1, 1) = 1;
  CHECK_EQ(error_of([&] { static_cast<void>(view(m)); }),
           "invalid_argument: the Eigen matrix is not compressed: call makeCompressed() first");
}

TEST_CASE("a transposed view goes to Eigen as the matrix it stands for") {
  const Matrix<double> m = filled<double>(shape("wide").a, Values::integers, 1);
  const auto plain = to_eigen(m.view());
  const auto turned = to_eigen(transposed(m.view()));
  CHECK_EQ(turned.rows(), plain.cols());
  CHECK_EQ(turned.cols(), plain.rows());
}

}  // namespace rowan::test
