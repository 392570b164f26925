// Plans whose values are computed on a device.
#include <thread>

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

Context context() {
  Options options;
  options.backend = kBackend;
  return Context(options);
}

}  // namespace

TEST_CASE("a plan on a device multiplies new values, of either type, into an empty C and into its own") {
  for_schedules(1, [](int, int) {
    for (const char* name : {"no rows", "rows of B picked", "up to 600 products", "runs of 1 to 6 equal rows"}) {
      CAPTURE(name);
      const Factors<double> planned(shape(name), Values::integers);
      const ::rowan::Plan plan = context().plan(planned.a(), planned.b());  // outlives its context
      const auto bytes = plan.bytes();
      // one pattern may come with two sets of values
      const Matrix<double> a = filled<double>(shape(name).a, Values::integers, 5);
      const Matrix<double> b = filled<double>(shape(name).right(), Values::integers, 6);
      Csr<double> c;
      plan.execute(a.view(), b.view(), c);
      CHECK_EQ(difference(c, textbook(a.view(), b.view())), "");
      const double* const at = c.val().data();
      plan.execute(planned.a(), planned.b(), c);
      CHECK_EQ(difference(c, textbook(planned.a(), planned.b())), "");
      CHECK_EQ(c.val().data(), at);
      CHECK_EQ(plan.nnz(), c.nnz());
      CHECK_GE(plan.nprod(), plan.nnz());
      CHECK_EQ(plan.bytes(), bytes);
      const Factors<float> narrow(shape(name), Values::integers);
      Csr<float> d;
      plan.execute(narrow.a(), narrow.b(), d);
      CHECK_EQ(difference(d, textbook(narrow.a(), narrow.b())), "");
      CHECK_GT(plan.bytes(), bytes);  // the other type has operands and a C of its own
    }
    const Factors<double> f(shape("banded"), Values::integers), other(shape("identity"), Values::integers);
    const auto plan = context().plan(f.a(), f.b());
    Csr<double> c;
    CHECK_EQ(error_of([&] { plan.execute(other.a(), other.b(), c); }),
             "invalid_argument: the patterns of A and B are not those that were planned");
  });
}

TEST_CASE("one plan on a device serves several threads at once") {
  for_schedules(1, [](int, int) {
    const Shape& s = shape("up to 40 products");
    const Factors<double> planned(s, Values::integers);
    const auto plan = context().plan(planned.a(), planned.b());
    std::vector<std::string> results(4, "not run");
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < results.size(); t++)
      threads.emplace_back([&, t] {
        const Matrix<double> a = filled<double>(s.a, Values::integers, t + 10);
        Csr<double> c;
        plan.execute(a.view(), planned.b(), c);
        results[t] = difference(c, textbook(a.view(), planned.b()));
      });
    for (auto& t : threads) t.join();
    for (const std::string& r : results) CHECK_EQ(r, "");
  });
}

}  // namespace rowan::test
