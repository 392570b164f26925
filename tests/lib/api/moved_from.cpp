// What was moved from is empty, and says so.
#include <string>
#include <type_traits>
#include <utility>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include <rowan/rowan.hpp>

// NOLINTBEGIN(bugprone-use-after-move): the point
namespace rowan::test {
namespace {

std::string refusal(const auto& f) {
  try {
    f();
  } catch (const Error& e) {
    return std::string(name(e.code())) + ": " + e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("moved from: a matrix has no rows, no columns and no entries, and is valid") {
  static_assert(std::is_nothrow_default_constructible_v<Csr<double>> &&
                std::is_nothrow_move_constructible_v<Csr<double>> && std::is_nothrow_move_assignable_v<Csr<double>>);
  Csr<double> a = generate("rmat:scale=6");
  const std::int64_t rows = a.rows(), nnz = a.nnz();
  Csr<double> b = std::move(a);
  CHECK_EQ(b.rows(), rows);
  CHECK_EQ(b.nnz(), nnz);
  const Csr<double> none;
  for (const Csr<double>* empty : {&std::as_const(a), &none}) {
    CHECK_EQ(empty->rows(), 0);
    CHECK_EQ(empty->cols(), 0);
    CHECK_EQ(empty->nnz(), 0);
    CHECK_EQ(empty->row_ptr().size(), 1);
    CHECK_EQ(empty->row_ptr()[0], 0);
    validate(empty->view());
    CHECK_EQ(multiply(*empty, *empty).rows(), 0);
    CHECK_EQ(copy(empty->view()).rows(), 0);
    CHECK_EQ(transpose(empty->view()).cols(), 0);
  }
  const Folder folder;
  write_matrix(folder.path("none.mtx"), a);
  CHECK_EQ(read_matrix(folder.path("none.mtx")).rows(), 0);
  CHECK_EQ(refusal([&] { static_cast<void>(multiply(b, a)); }).substr(0, 16), "invalid_argument");
  a = std::move(b);
  CHECK_EQ(a.rows(), rows);
  CHECK_EQ(b.rows(), 0);
  Csr<double>& itself = a;
  a = std::move(itself);
  CHECK_EQ(a.row_ptr().size(), static_cast<std::size_t>(a.rows()) + 1);
}

TEST_CASE("moved from: a matrix may be what a plan's values go to") {
  const Csr<double> a = generate("rmat:scale=6");
  const Plan plan = Context().plan(a, a);
  Csr<double> c;
  plan.execute(a, a, c);
  const Csr<double> first = std::move(c);
  plan.execute(a, a, c);
  CHECK_EQ(c.nnz(), first.nnz());
}

TEST_CASE("moved from: a context refuses, and takes another") {
  const Csr<double> a = generate("rmat:scale=6");
  Context context;
  const Context other = std::move(context);
  CHECK_EQ(other.multiply(a, a).rows(), a.rows());
  const std::string expected = "invalid_argument: the context was moved from: it is empty, assign another to it";
  CHECK_EQ(refusal([&] { static_cast<void>(context.multiply(a, a)); }), expected);
  CHECK_EQ(refusal([&] { static_cast<void>(context.symbolic(a, a)); }), expected);
  CHECK_EQ(refusal([&] { static_cast<void>(context.plan(a, a)); }), expected);
  CHECK_EQ(refusal([&] { static_cast<void>(context.inspect(a, a)); }), expected);
  context = other;
  CHECK_EQ(context.multiply(a, a).rows(), a.rows());
}

TEST_CASE("moved from: a plan is of nothing and refuses") {
  const Csr<double> a = generate("rmat:scale=6");
  Plan plan = Context().plan(a, a);
  const Plan other = std::move(plan);
  Csr<double> c;
  CHECK_EQ(refusal([&] { plan.execute(a, a, c); }),
           "invalid_argument: the plan was moved from: it is empty, make another");
  for (const std::int64_t size : {plan.rows(), plan.cols(), plan.nnz(), plan.nprod(), plan.bytes()}) CHECK_EQ(size, 0);
  plan = other;
  CHECK_EQ(plan.rows(), a.rows());
}

TEST_CASE("moved from: a plan of R A P is empty, and refuses") {
  const Csr<double> a = generate("rmat:scale=6");
  GalerkinPlan plan = Context().plan_galerkin(a, a);
  const GalerkinPlan other = std::move(plan);
  Csr<double> c;
  CHECK_EQ(refusal([&] { plan.execute(a, a, c); }),
           "invalid_argument: the plan was moved from: it is empty, make another");
  for (const std::int64_t size : {plan.rows(), plan.cols(), plan.nnz(), plan.bytes()}) CHECK_EQ(size, 0);
  CHECK(plan.row_ptr().empty());
  CHECK(plan.col().empty());
  plan = other;
  CHECK_EQ(plan.rows(), a.rows());
}

TEST_CASE("a plan whose execution was cancelled leaves an empty C empty") {
  const Csr<double> a = generate("rmat:scale=8");
  std::stop_source stop;
  const Plan plan = Context({.stop = stop.get_token()}).plan(a, a);
  stop.request_stop();
  Csr<double> c;
  CHECK_EQ(refusal([&] { plan.execute(a, a, c); }).substr(0, 9), "cancelled");
  CHECK_EQ(c.rows(), 0);
}

}  // namespace rowan::test
// NOLINTEND(bugprone-use-after-move)
