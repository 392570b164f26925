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

namespace {

template <class E>
E random_matrix(int rows, int cols) {
  E m(rows, cols);
  for (int k = 0; k < rows * 4; k++)
    m.coeffRef(k * 37 % rows, (k * k + 11 * k) % cols) = static_cast<typename E::Scalar>(k % 9 + 1);
  m.makeCompressed();
  return m;
}

template <class A, class B>
void check_product(const A& a, const B& b) {
  const auto c = multiply(a, b);
  const Eigen::SparseMatrix<double, Eigen::RowMajor> expected = (Eigen::SparseMatrix<double>(a) * b).eval();
  static_assert(std::is_same_v<typename A::StorageIndex, typename std::decay_t<decltype(c)>::StorageIndex>);
  CHECK(c.isCompressed());
  CHECK_EQ(int{c.IsRowMajor}, int{A::IsRowMajor});
  CHECK_EQ(c.nonZeros(), expected.nonZeros());
  CHECK_EQ((Eigen::MatrixXd(c) - Eigen::MatrixXd(expected)).norm(), 0);
}

}  // namespace

TEST_CASE("Eigen's matrices, maps and references of every order and index are multiplied") {
  using ByRows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
  using ByColumns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
  using WideRows = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int64_t>;
  using WideColumns = Eigen::SparseMatrix<double, Eigen::ColMajor, long long>;
  const auto a = random_matrix<ByRows>(70, 50);
  const auto b = random_matrix<ByRows>(50, 90);
  check_product(a, b);
  check_product(ByColumns(a), ByColumns(b));
  check_product(a, ByColumns(b));
  check_product(ByColumns(a), b);
  check_product(WideRows(a), WideRows(b));
  check_product(WideColumns(a), WideColumns(b));
  const Eigen::Map<const ByRows> mapped(a.rows(), a.cols(), a.nonZeros(), a.outerIndexPtr(), a.innerIndexPtr(),
                                        a.valuePtr());
  const Eigen::Ref<const ByRows> reference(b);
  CHECK_EQ(view(mapped).val.data(), a.valuePtr());
  CHECK_EQ((Eigen::MatrixXd(multiply(mapped, reference)) - Eigen::MatrixXd(ByRows(a * b))).norm(), 0);
  const ByRows none(0, 50), empty(50, 0);
  CHECK_EQ(multiply(none, b).cols(), 90);
  CHECK_EQ(multiply(a, empty).rows(), 70);
}

TEST_CASE("Eigen's matrices that do not fit together are refused") {
  using ByRows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
  const auto a = random_matrix<ByRows>(7, 5);
  CHECK_EQ(error_of([&] { static_cast<void>(multiply(a, a)); }), "invalid_argument: A has 5 columns, but B has 7 rows");
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
