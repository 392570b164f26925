#include <algorithm>
#include <memory>
#include <thread>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

template <class F>
void for_all_shapes(const F& f) {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list) {
      CAPTURE(shape.name);
      f(shape);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("a plan multiplies new values of its patterns into an empty C and into its own", T, float, double) {
  for_all_shapes([](const Shape& shape) {
    for (const int threads : {1, 4}) {
      Options options;
      options.threads = threads;
      const Factors<T> first(shape, Values::integers), second(shape, Values::reals), third(shape, Values::special);
      const ::rowan::Plan plan = Context(options).plan(first.a(), first.b());  // outlives its context
      Csr<T> c;
      plan.execute(second.a(), second.b(), c);
      CHECK_EQ(difference(c, textbook(second.a(), second.b())), "");
      const T* const at = c.val().data();
      plan.execute(third.a(), third.b(), c);
      CHECK_EQ(difference(c, textbook(third.a(), third.b())), "");
      CHECK_EQ(c.val().data(), at);
      CHECK_EQ(plan.rows(), c.rows());
      CHECK_EQ(plan.cols(), c.cols());
      CHECK_EQ(plan.nnz(), c.nnz());
      CHECK_GE(plan.nprod(), plan.nnz());
    }
  });
}

TEST_CASE_TEMPLATE("a plan from patterns alone multiplies, execution after execution, into C and the caller's memory",
                   T, float, double) {
  for_all_shapes([](const Shape& shape) {
    const Factors<T> f(shape, Values::reals), special(shape, Values::special);
    const Product<T> expected = textbook(f.a(), f.b()), other = textbook(special.a(), special.b());
    for (const int threads : {1, 3}) {
      const ::rowan::Plan plan = Context({.threads = threads}).plan(pattern_view(f.a()), pattern_view(f.b()));
      CHECK(std::ranges::equal(plan.row_ptr(), expected.row_ptr));
      CHECK(std::ranges::equal(plan.col(), expected.col));
      Csr<T> c;
      std::vector<T> val(expected.val.size(), T{7});
      for (int execution = 0; execution < 3; execution++) {
        plan.execute(f.a(), f.b(), c);
        CHECK_EQ(difference(c, expected), "");
        plan.execute(special.a(), special.b(), std::span(val));
        CHECK(std::ranges::equal(val, other.val, same_bits<T>));
      }
    }
  });
}

TEST_CASE_TEMPLATE("a plan and its first product are made at once", T, float, double) {
  for_all_shapes([](const Shape& shape) {
    const Factors<T> first(shape, Values::reals), second(shape, Values::special);
    for (const int threads : {1, 3}) {
      Csr<T> c;
      const ::rowan::Plan plan = Context({.threads = threads}).plan(first.a(), first.b(), c);
      CHECK_EQ(difference(c, textbook(first.a(), first.b())), "");
      const T* const at = c.val().data();
      for (int execution = 0; execution < 3; execution++) {
        plan.execute(second.a(), second.b(), c);
        CHECK_EQ(difference(c, textbook(second.a(), second.b())), "");
      }
      if (c.nnz() != 0) CHECK_EQ(c.val().data(), at);
    }
  });
}

TEST_CASE("memory of another size than C's values is refused and left alone") {
  const Factors<double> f(shape("banded"), Values::reals);
  const auto plan = Context().plan(f.a(), f.b());
  std::vector<double> val(static_cast<std::size_t>(plan.nnz()) + 1, 7);
  CHECK_EQ(error_of([&] { plan.execute(f.a(), f.b(), std::span(val)); }),
           "invalid_argument: val has " + std::to_string(val.size()) + " values, but C has " +
               std::to_string(plan.nnz()) + " entries");
  CHECK(std::ranges::all_of(val, [](double v) { return v == 7; }));
}

TEST_CASE("a plan of one value type serves the other") {
  const Factors<float> narrow(shape("runs of 1 to 6 equal rows"), Values::reals);
  const Factors<double> wide(shape("runs of 1 to 6 equal rows"), Values::reals);
  const auto plan = Context().plan(narrow.a(), narrow.b());
  Csr<double> c;
  plan.execute(wide.a(), wide.b(), c);
  CHECK_EQ(difference(c, textbook(wide.a(), wide.b())), "");
}

TEST_CASE("a plan serves transposed views and either width of row pointers") {
  const Matrix<double> a = filled<double>(shape("wide").a, Values::reals, 1);
  const auto plan = Context().plan(transposed(a.view()), a.view());
  Csr<double> c;
  plan.execute(transposed(a.narrow_view()), a.narrow_view(), c);
  CHECK_EQ(difference(c, textbook(transposed(a.view()), a.view())), "");
}

TEST_CASE("other patterns are refused") {
  const std::string refused = "invalid_argument: the patterns of A and B are not those that were planned";
  const Factors<double> f(shape("unsorted"), Values::reals);
  const auto plan = Context().plan(f.a(), f.b());
  Csr<double> c;
  const Factors<double> other(shape("identity"), Values::reals);
  CHECK_EQ(error_of([&] { plan.execute(other.a(), other.b(), c); }), refused);
  Sparsity moved = shape("unsorted").a;
  std::swap(moved.col[moved.col.size() - 1], moved.col[moved.col.size() - 2]);
  const Matrix<double> a = filled<double>(moved, Values::reals, 1);
  CHECK_EQ(error_of([&] { plan.execute(a.view(), f.b(), c); }), refused);
  CHECK_EQ(c.nnz(), 0);
}

TEST_CASE("a pattern that was made to look like the planned one is refused") {
  // Equal shapes, row pointers and, by a hash without a key that plans once used, equal fingerprints: columns 598620,
  // 100014, 781563 and 937318 stand where 0, 1, 8 and 9 were planned.
  constexpr std::int64_t kCols = 1 << 20;
  const Sparsity planned = from_rows({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}, kCols);
  const Sparsity made = from_rows({{598620, 100014, 2, 3, 4, 5, 6, 7, 781563, 937318, 10, 11, 12, 13, 14, 15}}, kCols);
  Rows rows(kCols);
  for (const Column j : made.col) rows[static_cast<std::size_t>(j)] = {0, 1, 2, 3, 4};
  for (const Column j : planned.col) rows[static_cast<std::size_t>(j)] = {0};
  const Matrix<double> a = filled<double>(planned, Values::integers, 1), other = filled<double>(made, Values::reals, 1);
  const Matrix<double> b = filled<double>(from_rows(rows, 6), Values::integers, 2);
  for (const bool validate : {true, false}) {
    Options options;
    options.validate = validate;
    const auto plan = Context(options).plan(a.view(), b.view());
    Csr<double> c;
    CHECK_EQ(error_of([&] { plan.execute(other.view(), b.view(), c); }),
             "invalid_argument: the patterns of A and B are not those that were planned");
    plan.execute(a.view(), b.view(), c);
    CHECK_EQ(difference(c, textbook(a.view(), b.view())), "");
  }
}

TEST_CASE("arrays that are shorter than planned are refused unread, and so is what turns broken") {
  const std::string refused = "invalid_argument: the patterns of A and B are not those that were planned";
  const Factors<double> f(shape("banded"), Values::reals);
  const auto plan = Context().plan(f.a(), f.b());
  Csr<double> c;
  CsrView<double> a = f.a();
  a.val = a.val.first(a.val.size() - 1);
  CHECK_EQ(error_of([&] { plan.execute(a, f.b(), c); }), refused);
  a = f.a(), a.col = a.col.first(a.col.size() - 1), a.val = a.val.first(a.col.size());
  CHECK_EQ(error_of([&] { plan.execute(a, f.b(), c); }), refused);
  a = f.a(), a.rows++;
  CHECK_EQ(error_of([&] { plan.execute(a, f.b(), c); }), refused);
  std::vector<std::int64_t> broken(f.a().row_ptr.size(), 1000000);
  a = f.a(), a.row_ptr = std::span<const std::int64_t>(broken);
  CHECK_EQ(error_of([&] { plan.execute(a, f.b(), c); }), refused);
  a.transposed = true;
  CHECK_EQ(error_of([&] { plan.execute(a, f.b(), c); }).find("invalid_argument: A"), 0U);
}

TEST_CASE("a plan without room for places multiplies as the first time") {
  const Factors<double> f(shape("large runs"), Values::reals);
  const auto free = Context().plan(f.a(), f.b());
  Options options;
  options.threads = 1;
  // the least limit that a plan is made in: places do not fit any more
  for (options.memory_limit = 1 << 16;; options.memory_limit += options.memory_limit / 8) {
    Csr<double> c;
    try {
      const auto plan = Context(options).plan(f.a(), f.b());
      CHECK_LT(plan.bytes(), free.bytes());
      plan.execute(f.a(), f.b(), c);
    } catch (const Error& e) {
      REQUIRE_EQ(e.code(), ErrorCode::memory_limit);
      continue;
    }
    CHECK_EQ(difference(c, textbook(f.a(), f.b())), "");
    break;
  }
}

TEST_CASE("a C of another pattern is refused and left alone") {
  const Factors<double> f(shape("banded"), Values::reals);
  const auto plan = Context().plan(f.a(), f.b());
  const Matrix<double> m = filled<double>(shape("identity").a, Values::integers, 1);
  Csr<double> c = copy(m.view());
  CHECK_EQ(error_of([&] { plan.execute(f.a(), f.b(), c); }),
           "invalid_argument: C has 70 x 70 with 70 entries in other places than planned; give an empty C");
  CHECK(std::equal(c.val().begin(), c.val().end(), m.val.begin(), m.val.end()));
}

TEST_CASE("a C of other columns in the planned rows is refused and left alone") {
  const Factors<double> f(shape("banded"), Values::reals);
  const auto plan = Context().plan(f.a(), f.b());
  Csr<double> made;
  plan.execute(f.a(), f.b(), made);
  const auto with = [&](bool moved) {
    Array<std::int64_t> row_ptr(made.row_ptr().size());
    std::copy(made.row_ptr().begin(), made.row_ptr().end(), row_ptr.begin());
    Array<std::int32_t> col(made.nnz());
    std::copy(made.col().begin(), made.col().end(), col.begin());
    if (moved) col[made.nnz() - 1]--;
    return Csr<double>(made.rows(), made.cols(), std::move(row_ptr), std::move(col), Array<double>::zeroed(made.nnz()));
  };
  const std::string refused = "invalid_argument: C has " + std::to_string(made.rows()) + " x " +
                              std::to_string(made.cols()) + " with " + std::to_string(made.nnz()) +
                              " entries in other places than planned; give an empty C";
  Csr<double> c = with(true);
  CHECK_EQ(error_of([&] { plan.execute(f.a(), f.b(), c); }), refused);
  CHECK(std::all_of(c.val().begin(), c.val().end(), [](double v) { return v == 0; }));
  SUBCASE("one of the planned columns is taken") {
    c = with(false);
    plan.execute(f.a(), f.b(), c);
    CHECK_EQ(difference(c, textbook(f.a(), f.b())), "");
  }
  SUBCASE("a matrix that takes the place of a C that was taken is looked at anew") {
    plan.execute(f.a(), f.b(), made);
    made = std::move(c);
    CHECK_EQ(error_of([&] { plan.execute(f.a(), f.b(), made); }), refused);
  }
  SUBCASE("a C of one plan is looked at by another") {
    const Factors<double> other(shape("identity"), Values::integers);
    const auto of_other = Context().plan(other.a(), other.b());
    c = {};
    of_other.execute(other.a(), other.b(), c);
    CHECK_NE(error_of([&] { plan.execute(f.a(), f.b(), c); }), "");
  }
}

TEST_CASE("a C whose matrix was moved away becomes the product") {
  const Factors<double> f(shape("banded"), Values::reals);
  const auto plan = Context().plan(f.a(), f.b());
  Csr<double> c;
  plan.execute(f.a(), f.b(), c);
  const Csr<double> taken = std::move(c);
  c = {};
  plan.execute(f.a(), f.b(), c);
  CHECK_EQ(difference(c, textbook(f.a(), f.b())), "");
  CHECK_EQ(difference(taken, textbook(f.a(), f.b())), "");
}

TEST_CASE("a product without rows has its columns") {
  const Factors<double> f(shape("no rows"), Values::reals);
  Csr<double> c;
  Context().plan(f.a(), f.b()).execute(f.a(), f.b(), c);
  CHECK_EQ(difference(c, textbook(f.a(), f.b())), "");
}

TEST_CASE("one plan serves several threads at once") {
  const Shape& s = shape("large runs");
  const Factors<double> planned(s, Values::integers), reals(s, Values::reals), special(s, Values::special);
  auto context = std::make_unique<Context>();
  const auto plan = context->plan(planned.a(), planned.b());
  context.reset();
  const Product<double> expected[] = {textbook(reals.a(), reals.b()), textbook(special.a(), special.b())};
  std::vector<std::string> results(6, "not run");
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < results.size(); t++)
    threads.emplace_back([&, t] {
      const Factors<double>& f = t % 2 == 0 ? reals : special;
      Csr<double> c;
      results[t] = "";
      for (int repeat = 0; repeat < 3; repeat++) {
        plan.execute(f.a(), f.b(), c);
        results[t] += difference(c, expected[t % 2]);
      }
    });
  for (auto& t : threads) t.join();
  for (const std::string& r : results) CHECK_EQ(r, "");
}

}  // namespace rowan::test
