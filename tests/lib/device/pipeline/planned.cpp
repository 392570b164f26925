// DevicePlan (lib/device/pipeline/planned.cpp): values anew for patterns that are known, in device memory.
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "lib/device/pipeline/transfer.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/device.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

Options in_order() {
  Options options;
  options.backend = kBackend, options.deterministic = true;
  return options;
}

/// The same pattern, every value turned around.
template <class T>
Csr<T> negated(const CsrView<T>& m) {
  Csr<T> other = copy(m);
  for (T& v : other.val()) v = -v;
  return other;
}

}  // namespace

TEST_CASE_TEMPLATE("a plan of matrices in device memory gives the textbook's values for other values", T, float,
                   double) {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    const DeviceContext context(in_order());
    for (const char* name : {"no rows", "all empty", "wide", "up to 600 products", "runs of 1 to 6 equal rows"})
      for (const bool narrow : {false, true}) {
        CAPTURE(name);
        CAPTURE(narrow);
        const Factors<T> f(shape(name), Values::reals);
        const DeviceCall call{.row_ptr32 = narrow, .col64 = narrow};
        const auto a = context.to_device(f.a(), call), b = context.to_device(f.b());
        const DevicePlan<T> plan = context.plan(a, b, call);
        const Product<T> expected = textbook(f.a(), f.b());
        CHECK_EQ(plan.nnz(), static_cast<std::int64_t>(expected.col.size()));
        CHECK_EQ(plan.rows(), f.a().rows);
        CHECK_EQ(plan.cols(), f.b().cols);
        CHECK_EQ(plan.pattern().row_ptr32 != nullptr, narrow);
        CHECK_GT(plan.bytes(), 0);
        const auto first = plan.execute(a, b);
        CHECK_EQ(difference(context.to_host(first), expected), "");
        const Csr<T> other = negated(f.a());
        const auto sent = context.to_device(other.view());
        const auto second = plan.execute(sent, b);
        CHECK_EQ(difference(context.to_host(second), textbook(other.view(), f.b())), "");
        CHECK_EQ(difference(context.to_host(first), expected), "");  // has values of its own
        CHECK_EQ(first.view().col32, second.view().col32);           // and one pattern with all others
        CHECK_EQ(first.view().col64, second.view().col64);
      }
  });
}

TEST_CASE("values go to memory of the caller's, and results outlive plan and context") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(shape("up to 600 products"), Values::integers);
    const Product<double> expected = textbook(f.a(), f.b());
    DeviceMatrix<double> c;
    {
      const DeviceContext context(in_order());
      const auto a = context.to_device(f.a()), b = context.to_device(f.b());
      DevicePlan<double> plan = context.plan(a, b);
      c = plan.execute(a, b);
      const auto place = plan.execute(a, b);
      plan.execute(a, b, const_cast<double*>(place.view().val));  // the memory is this test's own
      context.wait();
      CHECK_EQ(difference(context.to_host(place), expected), "");
    }
    CHECK_EQ(difference(DeviceContext(in_order()).to_host(c), expected), "");
  });
}

TEST_CASE("threads execute one plan together, each in a stream of its own") {
  const Factors<double> f(shape("up to 600 products"), Values::integers);
  const Product<double> expected = textbook(f.a(), f.b());
  const DeviceContext context(in_order());
  const auto a = context.to_device(f.a()), b = context.to_device(f.b());
  const DevicePlan<double> plan = context.plan(a, b);
  std::vector<std::thread> threads;
  std::vector<std::string> wrong(4);
  for (std::string& mine : wrong)
    threads.emplace_back([&] {
      const device::OwnStream stream;
      const DeviceCall call{.stream = stream.get()};
      for (int again = 0; again < 3 && mine.empty(); again++) {
        const auto planned = plan.execute(a, b, call), multiplied = context.multiply(a, b, call);
        mine = difference(context.to_host(planned, call), expected) +
               difference(context.to_host(multiplied, call), expected);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& mine : wrong) CHECK_EQ(mine, "");
}

TEST_CASE("a plan refuses other patterns, empty plans and null values") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(shape("wide"), Values::integers);
    const DeviceContext context(in_order());
    const auto a = context.to_device(f.a()), b = context.to_device(f.b());
    const DevicePlan<double> plan = context.plan(a, b);
    const std::string refused = "invalid_argument: the patterns of A and B are not those that were planned";
    const auto fault = [&](const DeviceView<double>& left, const DeviceView<double>& right) {
      return error_of([&] { static_cast<void>(plan.execute(left, right)); });
    };
    DeviceView<double> fewer = a;
    fewer.nnz--;
    CHECK_EQ(fault(fewer, b), refused);
    // the same sizes, one column moved
    Csr<double> moved = copy(f.b());
    CsrArrays<double> arrays = moved.release();
    std::int64_t row = 0;
    while (arrays.row_ptr[row + 1] - arrays.row_ptr[row] != 1) row++;
    Column& col = arrays.col[arrays.row_ptr[row]];
    col = col == 0 ? 1 : col - 1;
    const Csr<double> other(arrays.rows, arrays.cols, std::move(arrays.row_ptr), std::move(arrays.col),
                            std::move(arrays.val));
    const auto sent = context.to_device(other.view());
    CHECK_EQ(fault(a, sent), refused);
    CHECK_EQ(fault(a, b), "no error");
    CHECK_EQ(error_of([&] { plan.execute(a, b, nullptr); }), "invalid_argument: val is null");
    CHECK_EQ(error_of([&] { static_cast<void>(DevicePlan<double>().execute(a, b)); }).substr(0, 36),
             "invalid_argument: the plan is empty:");
    CHECK_EQ(DevicePlan<double>().nnz(), 0);
  });
}

}  // namespace rowan::test
