#include <doctest/doctest.h>

#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>
#include <rowan/error.hpp>

namespace rowan::test {
namespace {

/// The textbook's C, column by column to where it belongs.
template <class T>
struct Expected {
  Product<T> inside, outside;

  Expected(const Product<T>& c, ColumnRange range) {
    inside.rows = outside.rows = c.rows;
    inside.cols = range.last - range.first, outside.cols = c.cols - inside.cols;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.rows); i++) {
      for (auto k = static_cast<std::size_t>(c.row_ptr[i]); k < static_cast<std::size_t>(c.row_ptr[i + 1]); k++) {
        const bool is_inside = c.col[k] >= range.first && c.col[k] < range.last;
        Product<T>& to = is_inside ? inside : outside;
        to.col.push_back(is_inside               ? c.col[k] - range.first
                         : c.col[k] < range.last ? c.col[k]
                                                 : c.col[k] - (range.last - range.first));
        to.val.push_back(c.val[k]);
      }
      inside.row_ptr.push_back(static_cast<std::int64_t>(inside.col.size()));
      outside.row_ptr.push_back(static_cast<std::int64_t>(outside.col.size()));
    }
  }
};

}  // namespace

TEST_CASE_TEMPLATE("C in two pieces has the bits of C in one, whatever the range", T, float, double) {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& s : *list) {
      CAPTURE(s.name);
      const Factors<T> f(s, Values::reals);
      const Product<T> c = textbook(f.a(), f.b());
      const auto cols = static_cast<Column>(c.cols);
      for (const ColumnRange range : {ColumnRange{0, cols}, ColumnRange{0, 0}, ColumnRange{cols / 3, cols / 2},
                                      ColumnRange{cols / 4, cols}, ColumnRange{0, cols / 2}}) {
        CAPTURE(range.first);
        CAPTURE(range.last);
        const Expected<T> expected(c, range);
        for (const int threads : {1, 2}) {
          Stats stats;
          const Context context({.backend = Backend::host, .threads = threads});
          const DividedCsr<T> d = context.multiply_divided(f.a(), f.b(), range, &stats);
          CHECK_EQ(difference(d.inside, expected.inside), "");
          CHECK_EQ(difference(d.outside, expected.outside), "");
          CHECK_EQ(stats.nnz, static_cast<std::int64_t>(c.col.size()));
        }
      }
    }
}

TEST_CASE("C in two pieces within a memory limit, and with C counted first") {
  const Shape& s = shape("large scattered");
  const Factors<double> f(s, Values::reals);
  const Product<double> c = textbook(f.a(), f.b());
  const ColumnRange range{static_cast<Column>(c.cols / 3), static_cast<Column>(c.cols / 2)};
  const Expected<double> expected(c, range);
  const auto bytes = static_cast<std::int64_t>(c.col.size() * 12);
  for (const std::int64_t limit : {std::int64_t{0}, 16 * bytes, 5 * bytes}) {
    CAPTURE(limit);
    const Context context({.backend = Backend::host, .threads = 2, .memory_limit = limit});
    const DividedCsr<double> d = context.multiply_divided(f.a(), f.b(), range);
    CHECK_EQ(difference(d.inside, expected.inside), "");
    CHECK_EQ(difference(d.outside, expected.outside), "");
  }
  CHECK_THROWS_AS(static_cast<void>(
                      Context({.backend = Backend::host, .memory_limit = bytes}).multiply_divided(f.a(), f.b(), range)),
                  Error);
}

TEST_CASE("a range that C does not have is refused") {
  const Factors<double> f(shape("large scattered"), Values::reals);
  const auto cols = static_cast<Column>(f.b().transposed ? f.b().rows : f.b().cols);
  const Context context({.threads = 1});
  for (const ColumnRange range : {ColumnRange{-1, 2}, ColumnRange{3, 2}, ColumnRange{0, cols + 1}})
    CHECK_THROWS_WITH_AS(static_cast<void>(context.multiply_divided(f.a(), f.b(), range)),
                         doctest::Contains("are no range of the"), Error);
}

}  // namespace rowan::test
