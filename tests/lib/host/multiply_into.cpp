// multiply_into (lib/host/multiply.cpp, lib/host/phases.cpp): the sizes first, then C in the caller's memory.
#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

/// The caller's memory: guards on both sides show what is written outside.
template <class T>
struct CallersMemory {
  static constexpr std::size_t kGuard = 128;
  explicit CallersMemory(std::int64_t nnz)
      : n(static_cast<std::size_t>(nnz)), col(n + 2 * kGuard, -7), val(n + 2 * kGuard, T{-7}) {}

  std::size_t n;
  std::vector<Column> col;
  std::vector<T> val;

  std::span<Column> columns() { return std::span(col).subspan(kGuard, n); }
  std::span<T> values() { return std::span(val).subspan(kGuard, n); }
  [[nodiscard]] bool guards_hold() const {
    for (std::size_t k = 0; k < kGuard; k++)
      if (col[k] != -7 || val[k] != T{-7} || col[kGuard + n + k] != -7 || val[kGuard + n + k] != T{-7}) return false;
    return true;
  }
};

template <class T>
std::string difference_into(const Context& context, const CsrView<T>& a, const CsrView<T>& b) {
  const Product<T> expected = textbook(a, b);
  const Symbolic sizes = context.symbolic(a, b);
  CallersMemory<T> memory(sizes.nnz);
  Stats stats;
  context.multiply_into(a, b, sizes, memory.columns(), memory.values(), &stats);
  if (!memory.guards_hold()) return "something is written outside";
  if (stats.nnz != sizes.nnz) return "statistics";
  Array<std::int64_t> ptr(sizes.row_ptr.size());
  std::copy(sizes.row_ptr.begin(), sizes.row_ptr.end(), ptr.begin());
  Array<Column> col(memory.n);
  Array<T> val(memory.n);
  std::ranges::copy(memory.columns(), col.begin());
  std::ranges::copy(memory.values(), val.begin());
  return difference(Csr<T>(expected.rows, expected.cols, std::move(ptr), std::move(col), std::move(val)), expected);
}

}  // namespace

TEST_CASE_TEMPLATE("a product in the caller's memory has the textbook's bits and stays inside", T, float, double) {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& s : *list)
      for (const char* force : {"", "hash", "sort"})
        for (const int threads : {1, 3}) {
          CAPTURE(s.name);
          CAPTURE(force);
          CAPTURE(threads);
          Options options;
          options.threads = threads, options.force = force;
          const Factors<T> f(s, Values::reals);
          CHECK_EQ(difference_into(Context(options), f.a(), f.b()), "");
        }
}

TEST_CASE("sizes of another product are refused, whatever they say, and nothing is written outside") {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& s : *list) {
      const Factors<double> other(s, Values::reals);
      const Context context(Options{.threads = 2});
      Symbolic sizes = context.symbolic(other.a(), other.b());
      if (sizes.row_ptr.size() < 4 || sizes.nnz < 2) continue;
      CAPTURE(s.name);
      // one entry moves from a row to another, and then row pointers that fall
      for (const std::int64_t by : {1, -1, 1000000, -1000000}) {
        CAPTURE(by);
        const std::size_t at = sizes.row_ptr.size() / 2;
        const std::int64_t before = sizes.row_ptr[at];
        sizes.row_ptr[at] += by;
        CallersMemory<double> memory(sizes.nnz);
        const std::string error =
            error_of([&] { context.multiply_into(other.a(), other.b(), sizes, memory.columns(), memory.values()); });
        CHECK_EQ(error.substr(0, 17), "invalid_argument:");
        CHECK(memory.guards_hold());
        sizes.row_ptr[at] = before;
      }
    }
}

TEST_CASE("spans that do not fit the sizes are refused") {
  const Factors<double> f(shape("wide"), Values::reals);
  const Context context;
  Symbolic sizes = context.symbolic(f.a(), f.b());
  std::vector<Column> col(static_cast<std::size_t>(sizes.nnz));
  std::vector<double> val(static_cast<std::size_t>(sizes.nnz));
  const auto into = [&](std::size_t cols, std::size_t vals) {
    return error_of(
        [&] { context.multiply_into(f.a(), f.b(), sizes, std::span(col).first(cols), std::span(val).first(vals)); });
  };
  const std::string n = std::to_string(sizes.nnz), less = std::to_string(sizes.nnz - 1);
  CHECK_EQ(into(col.size() - 1, val.size()),
           "invalid_argument: col has " + less + " elements, but C has " + n + " entries");
  CHECK_EQ(into(col.size(), val.size() - 1),
           "invalid_argument: val has " + less + " elements, but C has " + n + " entries");
  sizes.row_ptr.shrink(1);
  CHECK_EQ(into(col.size(), val.size()),
           "invalid_argument: the sizes are of no product: their row pointers do not end at " + n);
}

TEST_CASE("a product in the caller's memory keeps the memory limit and can be cancelled") {
  const Factors<double> f(large_shapes().front(), Values::reals);
  const Symbolic sizes = Context().symbolic(f.a(), f.b());
  std::vector<Column> col(static_cast<std::size_t>(sizes.nnz));
  std::vector<double> val(static_cast<std::size_t>(sizes.nnz));
  CHECK_EQ(error_of([&] {
             Context({.memory_limit = sizes.nnz}).multiply_into(f.a(), f.b(), sizes, col, val);
           }).substr(0, 13),
           "memory_limit:");
  std::stop_source stop;
  stop.request_stop();
  CHECK_EQ(error_of([&] { Context({.stop = stop.get_token()}).multiply_into(f.a(), f.b(), sizes, col, val); }),
           "cancelled: the multiplication was cancelled");
}

}  // namespace rowan::test
