#include "lib/host/small.hpp"

#include <doctest/doctest.h>

#include "models/embedded.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

template <class T>
std::optional<Csr<T>> attempt(const CsrView<T>& a, const CsrView<T>& b, Stats& stats, const Options& options = {}) {
  return multiply_small(a, b, {.options = options, .policy = embedded_policies().front()}, stats);
}

/// A diagonal: as many products as rows.
Sparsity diagonal(std::int64_t n, std::int64_t cols) {
  Sparsity m{.rows = n, .cols = cols, .ptr = {0}, .col = {}};
  for (std::int64_t i = 0; i < n; i++)
    m.col.push_back(static_cast<std::int32_t>(i % cols)), m.ptr.push_back(static_cast<std::int64_t>(m.col.size()));
  return m;
}

/// Whether a product of n products and so many columns is.
bool taken(std::int64_t n, std::int64_t cols) {
  const Matrix<float> a = filled<float>(diagonal(n, 50), Values::reals, 1);
  const Matrix<float> b = filled<float>(diagonal(50, cols), Values::reals, 2);
  Stats stats;
  const auto c = attempt(a.view(), b.view(), stats);
  if (c) CHECK_EQ(difference(*c, textbook(a.view(), b.view())), "");
  return c.has_value();
}

}  // namespace

TEST_CASE_TEMPLATE("small products have the textbook's bits on every shape, with row pointers of either width", T,
                   float, double) {
  for (const Shape& shape : shapes())
    for (const Values values : kAllValues) {
      CAPTURE(shape.name);
      const Matrix<T> a = filled<T>(shape.a, values, 1), b = filled<T>(shape.right(), values, 2);
      const Product<T> expected = textbook(a.view(), b.view());
      for (const bool narrow : {false, true}) {
        CAPTURE(narrow);
        Stats stats;
        const auto c = narrow ? attempt(a.narrow_view(), b.narrow_view(), stats) : attempt(a.view(), b.view(), stats);
        if (!c) continue;
        CHECK_EQ(difference(*c, expected), "");
        CHECK_EQ(stats.nnz, static_cast<std::int64_t>(expected.col.size()));
        CHECK_EQ(stats.bytes_c,
                 static_cast<std::int64_t>(c->row_ptr().size_bytes() + c->col().size_bytes() + c->val().size_bytes()));
      }
    }
}

TEST_CASE("most of the shapes that tests multiply are small") {
  std::int64_t small = 0, all = 0;
  for (const Shape& shape : shapes()) {
    const Factors<double> f(shape, Values::reals);
    Stats stats;
    small += attempt(f.a(), f.b(), stats).has_value() ? 1 : 0, all++;
  }
  CHECK_GT(2 * small, all);
}

TEST_CASE("what is small ends at its borders") {
  CHECK(taken(kSmallProducts, 64));
  CHECK(!taken(kSmallProducts + 1, 64));
  CHECK(taken(kSmallProducts, 65));
  CHECK(!taken(kSmallProducts + 1, 65));
  CHECK(taken(100, kSmallColumns));
  CHECK(!taken(100, kSmallColumns + 1));
}

TEST_CASE("operands that are to be transposed, whose row pointers differ in width or whose sizes do not fit are not") {
  const Matrix<double> a = filled<double>(diagonal(8, 8), Values::reals, 1);
  const Matrix<double> longer = filled<double>(diagonal(9, 9), Values::reals, 1);
  Stats stats;
  CHECK(attempt(a.view(), a.view(), stats));
  CHECK(!attempt(transposed(a.view()), a.view(), stats));
  CHECK(!attempt(a.view(), transposed(a.view()), stats));
  CHECK(!attempt(a.view(), a.narrow_view(), stats));
  CHECK(!attempt(a.view(), longer.view(), stats));
}

TEST_CASE("whoever names a policy or an accumulator gets its stages, however few the products") {
  const Factors<double> f(shape("up to 40 products"), Values::reals);
  const auto features = [&](const Options& options) {
    Stats stats;
    CHECK_EQ(difference(Context(options).multiply(f.a(), f.b(), &stats), textbook(f.a(), f.b())), "");
    CHECK_GT(stats.total, 0);
    CHECK_EQ(stats.policy, embedded_policies().front().name);
    CHECK_EQ(stats.small_product, stats.features == 0);
    CHECK_EQ(Context(options).inspect(f.a(), f.b()).small_product, stats.small_product);
    return stats.features;
  };
  Options named, forced, limited;
  named.policy = embedded_policies().front().name, forced.force = "hash", limited.memory_limit = 1_GiB;
  CHECK_EQ(features({}), 0);
  CHECK_GT(features(named), 0);
  CHECK_GT(features(forced), 0);
  CHECK_GT(features(limited), 0);
}

TEST_CASE("inspect says which products are multiplied at once, up to the border") {
  for (const std::int64_t n : {kSmallProducts, kSmallProducts + 1}) {
    const Matrix<double> a = filled<double>(diagonal(n, 50), Values::reals, 1);
    const Matrix<double> b = filled<double>(diagonal(50, 64), Values::reals, 2);
    const bool small = n == kSmallProducts;
    Stats stats;
    const Context context;
    CHECK_EQ(context.multiply(a.view(), b.view(), &stats).nnz(), n);
    CHECK_EQ(stats.small_product, small);
    CHECK_EQ(context.inspect(a.view(), b.view()).small_product, small);
    CHECK_EQ(rowan::is_small(a.view(), b.view(), n), small);
  }
}

TEST_CASE("small products are checked, told and stopped as others are") {
  const Factors<double> f(shape("up to 40 products"), Values::reals);
  CsrView<double> broken_a = f.a(), broken_b = f.b();
  broken_a.val = broken_a.val.first(broken_a.val.size() - 1);
  broken_b.val = broken_b.val.first(broken_b.val.size() - 1);
  Stats stats;
  Options options;
  CHECK(error_of([&] { (void)attempt(broken_a, f.b(), stats); }).starts_with("invalid_argument: A: "));
  CHECK(error_of([&] { (void)attempt(f.a(), broken_b, stats); }).starts_with("invalid_argument: B: "));
  std::vector<double> told;
  options.progress = [&](double share) { told.push_back(share); };
  CHECK(attempt(f.a(), f.b(), stats, options));
  CHECK_EQ(told, std::vector<double>{1.0});
  std::stop_source source;
  options.stop = source.get_token();
  source.request_stop();
  CHECK_EQ(error_of([&] { (void)attempt(f.a(), f.b(), stats, options); }),
           "cancelled: the multiplication was cancelled");
}

}  // namespace rowan::test
