#include <algorithm>
#include <limits>

#include <doctest/doctest.h>
#include <sys/mman.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

/// A view's columns in 64 bits, each `spread` times as far.
template <class T>
struct Widened {
  std::vector<std::int64_t> col;
  WideCsrView<T> view;
  explicit Widened(const CsrView<T>& m, std::int64_t spread = 1) : col(m.col.begin(), m.col.end()) {
    for (std::int64_t& c : col) c *= spread;
    view = {.rows = m.rows,
            .cols = m.cols * spread,
            .row_ptr = m.row_ptr,
            .col = col,
            .val = m.val,
            .transposed = m.transposed};
  }
};

/// C with its columns as close as they were.
template <class T>
Csr<T> narrowed(WideCsr<T> c, std::int64_t spread) {
  Array<Column> col(c.nnz());
  for (std::int64_t k = 0; k < c.nnz(); k++) {
    CHECK_EQ(c.col[k] % spread, 0);
    col[k] = static_cast<Column>(c.col[k] / spread);
  }
  return {c.rows, c.cols / spread, std::move(c.row_ptr), std::move(col), std::move(c.val)};
}

}  // namespace

TEST_CASE_TEMPLATE("matrices with 64-bit columns have the textbook's product", T, float, double) {
  for (const Shape& s : shapes()) {
    CAPTURE(s.name);
    const Factors<T> f(s, Values::reals);
    const Widened<T> a(f.a()), b(f.b());
    CHECK_EQ(difference(narrowed(Context().multiply(a.view, b.view), 1), textbook(f.a(), f.b())), "");
    if (s.a.cols > 1000000 || s.right().cols > 1000000) continue;
    const CsrView<T> at = transposed(f.b()), bt = transposed(f.a());
    const Widened<T> wide_at(at), wide_bt(bt);
    CHECK_EQ(difference(narrowed(Context().multiply(wide_at.view, wide_bt.view), 1), textbook(at, bt)), "");
  }
}

TEST_CASE_TEMPLATE("columns beyond 32 bits are numbered anew and come back", T, float, double) {
  constexpr std::int64_t kSpread = std::int64_t{1} << 40;
  for (const Shape& s : shapes()) {
    if (s.right().cols > 1000000 || s.right().cols == 0) continue;
    CAPTURE(s.name);
    const Factors<T> f(s, Values::reals);
    const Widened<T> a(f.a()), b(f.b(), kSpread);
    CHECK_EQ(difference(narrowed(Context({.threads = 2}).multiply(a.view, b.view), kSpread), textbook(f.a(), f.b())),
             "");
  }
}

TEST_CASE("an inner size beyond 32 bits: only the rows of B that A names are looked at") {
  // B's row pointers are zeros that take no memory, but for the last three
  constexpr std::int64_t kInner = kMost + std::int64_t{1000};
  constexpr std::size_t kBytes = (kInner + 1) * sizeof(std::int64_t);
  void* const range = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return;
  auto* const b_ptr = static_cast<std::int64_t*>(range);
  b_ptr[kInner - 1] = 2, b_ptr[kInner] = 3;
  const std::int64_t a_ptr[] = {0, 2, 3}, a_col[] = {kInner - 1, 0, kInner - 2}, b_col[] = {4, 1, 4};
  const double a_val[] = {2, 7, 3}, b_val[] = {10, 20, 30};
  const WideCsrView<double> a{.rows = 2, .cols = kInner, .row_ptr = a_ptr, .col = a_col, .val = a_val};
  const WideCsrView<double> b{.rows = kInner,
                              .cols = 5,
                              .row_ptr = std::span<const std::int64_t>(b_ptr, kInner + 1),
                              .col = b_col,
                              .val = b_val};
  const WideCsr<double> c = Context().multiply(a, b);
  CHECK_EQ(c.cols, 5);
  CHECK(std::ranges::equal(c.row_ptr.span(), std::vector<std::int64_t>{0, 1, 3}));
  CHECK(std::ranges::equal(c.col.span(), std::vector<std::int64_t>{4, 1, 4}));
  CHECK(std::ranges::equal(c.val.span(), std::vector<double>{60, 60, 30}));
  b_ptr[kInner - 1] = 9;
  CHECK_EQ(error_of([&] { static_cast<void>(Context().multiply(a, b)); }),
           "invalid_argument: B: row pointers 0 and 9 of row 2147484645 are not of its 3 entries");
  munmap(range, kBytes);
}

TEST_CASE("what does not fit is refused by name") {
  const std::int64_t ptr[] = {0, 1}, far[] = {5 * kMost}, near[] = {3};
  const double one[] = {1};
  const WideCsrView<double> row{.rows = 1, .cols = 10, .row_ptr = ptr, .col = near, .val = one};
  WideCsrView<double> bad = row;
  bad.col = far;
  const auto product = [](const WideCsrView<double>& a, const WideCsrView<double>& b) {
    return error_of([&] { static_cast<void>(Context().multiply(a, b)); });
  };
  CHECK_EQ(product(bad, row), "invalid_argument: A: column 10737418235 of entry 0 is outside [0, 10)");
  CHECK_EQ(product(row, row), "invalid_argument: A has 10 columns, but B has 1 rows");
  bad.cols = 6 * kMost;
  CHECK_EQ(product(row, transposed(bad)),
           "overflow: B is transposed and has 12884901882 columns, more than 2147483647");
  bad = row, bad.val = {};
  CHECK_EQ(product(bad, row), "invalid_argument: A has 1 columns, but 0 values");
  bad = row, bad.rows = 2;
  CHECK_EQ(product(bad, row), "invalid_argument: A has 2 row pointers and 2 rows");
  CHECK_EQ(error_of([&] {
             const Widened<double> a(filled<double>(shape("wide").a, Values::reals, 1).view());
             const Widened<double> b(filled<double>(shape("wide").right(), Values::reals, 2).view());
             static_cast<void>(Context({.memory_limit = 100}).multiply(a.view, b.view));
           }).substr(0, 13),
           "memory_limit:");
}

}  // namespace rowan::test
