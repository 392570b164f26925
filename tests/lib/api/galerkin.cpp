#include <algorithm>
#include <utility>

#include <doctest/doctest.h>

#include "tests/lib/host/least_limit.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>
#include <rowan/generate.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

constexpr GalerkinWay kWays[] = {GalerkinWay::automatic, GalerkinWay::fused, GalerkinWay::two_products};

template <class T>
CsrView<T> view_of(const Product<T>& m) {
  return {
      .rows = m.rows, .cols = m.cols, .row_ptr = std::span<const std::int64_t>(m.row_ptr), .col = m.col, .val = m.val};
}

/// R (A P), each product by the textbook.
template <class T>
Product<T> twice(const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p) {
  const Product<T> ap = textbook(a, p);
  return textbook(r, view_of(ap));
}

/// A matrix and a prolongation of a multigrid problem.
struct Grid {
  Csr<double> a, p;
  explicit Grid(const std::string& kind) : a(generate(kind + ",part=0")), p(generate(kind + ",part=1")) {}
};

template <class T>
Csr<T> with_values(const Csr<T>& m, T factor) {
  Csr<T> other = copy(m.view());
  for (T& x : other.val()) x *= factor;
  return other;
}

}  // namespace

TEST_CASE_TEMPLATE("R A P has the bits of two textbook products, in any way, with any number of threads", T, float,
                   double) {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& s : *list)
      for (const Values values : {Values::reals, Values::special}) {
        CAPTURE(s.name);
        const Factors<T> f(s, values);
        const CsrView<T> a = f.a(), p = f.b(), r = transposed(a);  // it fits any A
        const Product<T> expected = twice(r, a, p);
        if (expected.rows * 8 > 1 << 24) continue;
        for (const GalerkinWay way : kWays)
          for (const int threads : {1, 3}) {
            CAPTURE(threads);
            CAPTURE(static_cast<int>(way));
            GalerkinStats stats;
            CHECK_EQ(difference(Context({.threads = threads}).galerkin(r, a, p, &stats, way), expected), "");
            CHECK_EQ(stats.nnz, static_cast<std::int64_t>(expected.col.size()));
            CHECK_FALSE(stats.reason.empty());
            if (way == GalerkinWay::two_products) CHECK_FALSE(stats.fused);
          }
      }
}

TEST_CASE("P' A P that is asked to be fused has the bits of two products, on grids rows of A P are made once") {
  for (const char* kind : {"aggregation:nx=40,ny=10,nz=8,corners=1", "aggregation:nx=21,ny=20,nz=19,corners=1",
                           "classical:nx=20,ny=20,nz=20,corners=1", "aggregation:nx=15,ny=15,nz=15,corners=1"}) {
    CAPTURE(kind);
    const Grid g(kind);
    const Product<double> expected = twice(transposed(g.p.view()), g.a.view(), g.p.view());
    const Context one({.threads = 1}), three({.threads = 3});
    GalerkinStats stats;
    CHECK_EQ(difference(one.galerkin(g.a, g.p, &stats, GalerkinWay::fused), expected), "");
    CHECK(stats.fused);
    CHECK_EQ(stats.reason, "asked for");
    CHECK_LT(stats.rows_twice, g.a.rows() / 50);
    CHECK_EQ(stats.nprod_ap, one.symbolic(g.a, g.p).nprod);
    CHECK_EQ(stats.nprod_rap, one.symbolic(transposed(g.p.view()), one.multiply(g.a, g.p)).nprod);
    CHECK_EQ(difference(three.galerkin(g.a, g.p, &stats, GalerkinWay::fused), expected), "");
    CHECK_EQ(difference(three.galerkin(transpose(g.p.view()), g.a, g.p), expected), "");
    CHECK_EQ(difference(galerkin(g.a, g.p), expected), "");
  }
}

TEST_CASE("R A P is two products unless it is asked to be fused, and says why") {
  const Grid g("aggregation:nx=21,ny=20,nz=19,corners=1");
  GalerkinStats stats;
  CHECK_EQ(difference(Context().galerkin(g.a, g.p, &stats), twice(transposed(g.p.view()), g.a.view(), g.p.view())), "");
  CHECK_FALSE(stats.fused);
  CHECK_EQ(stats.reason, "two products take no longer");
  CHECK_GT(stats.ap.nprod, 0);
  static_cast<void>(Context().galerkin(g.a, g.p, &stats, GalerkinWay::two_products));
  CHECK_FALSE(stats.fused);
  CHECK_EQ(stats.reason, "asked for");
}

TEST_CASE_TEMPLATE("a plan of R A P computes it again for other values", T, float, double) {
  for (const Shape& s : shapes()) {
    CAPTURE(s.name);
    const Factors<T> f(s, Values::reals);
    const CsrView<T> a = f.a(), p = f.b(), r = transposed(a);
    if (a.rows > 1 << 20 || a.cols > 1 << 20 || p.cols > 1 << 20) continue;
    const Context context({.threads = 2});
    Csr<T> c, first;
    const GalerkinPlan plan = context.plan_galerkin(r, a, p, &first);
    const Product<T> expected = twice(r, a, p);
    CHECK_EQ(difference(first, expected), "");
    for (int execution = 0; execution < 3; execution++) plan.execute(r, a, p, c);
    CHECK_EQ(difference(c, expected), "");
    CHECK_EQ(plan.nnz(), c.nnz());
    CHECK_EQ(plan.rows(), c.rows());
    CHECK_EQ(plan.cols(), c.cols());
    CHECK(std::equal(plan.row_ptr().begin(), plan.row_ptr().end(), c.row_ptr().begin()));
    CHECK(std::equal(plan.col().begin(), plan.col().end(), std::as_const(c).col().begin()));
    plan.execute(r, a, p, first);
    CHECK_EQ(difference(first, expected), "");
  }
}

TEST_CASE("a plan of P' A P takes new values and the caller's memory, and refuses other patterns") {
  const Grid g("aggregation:nx=12,ny=12,nz=12");
  const Context context;
  const GalerkinPlan plan = context.plan_galerkin(g.a, g.p);
  CHECK_GT(plan.bytes(), 0);
  const Csr<double> other = with_values(g.a, 3.25);
  const Product<double> expected = twice(transposed(g.p.view()), other.view(), g.p.view());
  Csr<double> c;
  plan.execute(other, g.p, c);
  CHECK_EQ(difference(c, expected), "");
  Array<double> val(plan.nnz());
  plan.execute(other, g.p, val.span());
  CHECK(std::equal(val.begin(), val.end(), expected.val.begin()));
  const Grid wrong("aggregation:nx=12,ny=12,nz=11");
  CHECK_EQ(error_of([&] { plan.execute(wrong.a, wrong.p, c); }).find("invalid_argument: A P"), 0U);
  CHECK_EQ(difference(c, expected), "");
  Array<double> few(plan.nnz() - 1);
  CHECK_EQ(error_of([&] { plan.execute(other, g.p, few.span()); }).find("invalid_argument: "), 0U);
}

TEST_CASE("R A P: matrices that do not fit, or are broken, are refused by name") {
  const Grid g("aggregation:nx=6,ny=6,nz=6");
  const auto refusal = [&](const CsrView<double>& r, const CsrView<double>& a, const CsrView<double>& p) {
    const std::string of_plan = error_of([&] { static_cast<void>(Context().plan_galerkin(r, a, p)); });
    const std::string of_product = error_of([&] { static_cast<void>(Context().galerkin(r, a, p)); });
    CHECK_EQ(of_plan, of_product);
    return of_product;
  };
  const CsrView<double> a = g.a, p = g.p;
  CHECK_EQ(refusal(p, a, p), "invalid_argument: R has 8 columns, but A has 216 rows");
  CHECK_EQ(refusal(transposed(p), a, transposed(p)), "invalid_argument: A has 216 columns, but P has 8 rows");
  CsrView<double> broken = p;
  broken.val = broken.val.first(3);
  CHECK_EQ(refusal(transposed(p), a, broken).find("invalid_argument: P"), 0U);
  CHECK_EQ(refusal(transposed(broken), a, p).find("invalid_argument: R"), 0U);
  broken = a, broken.val = broken.val.first(3);
  CHECK_EQ(refusal(transposed(p), broken, p).find("invalid_argument: A"), 0U);
}

TEST_CASE("fused R A P that does not fit the memory limit is two products, or an error that names which") {
  const Grid g("aggregation:nx=20,ny=20,nz=20,corners=1");
  const Product<double> expected = twice(transposed(g.p.view()), g.a.view(), g.p.view());
  GalerkinStats stats;
  static_cast<void>(Context({.threads = 1}).galerkin(g.a, g.p, &stats, GalerkinWay::fused));
  CHECK(stats.fused);
  bool two = false;
  for (std::int64_t limit = 64 << 20; limit > 1000; limit = limit * 3 / 4) {
    CAPTURE(limit);
    Csr<double> c;
    const std::string error = error_of(
        [&] { c = Context({.threads = 1, .memory_limit = limit}).galerkin(g.a, g.p, &stats, GalerkinWay::fused); });
    if (error != "no error") {
      CHECK_EQ(error.find("memory_limit: "), 0U);
      continue;
    }
    CHECK_EQ(difference(c, expected), "");
    CHECK_LE(stats.bytes_c + stats.bytes_temporary, limit);
    two |= !stats.fused;
  }
  CHECK(two);
}

TEST_CASE("R A P can be cancelled, and tells its progress up to 1") {
  const Grid g("aggregation:nx=24,ny=24,nz=24");
  for (const GalerkinWay way : kWays) {
    std::stop_source stop;
    stop.request_stop();
    CHECK_EQ(error_of([&] {
               static_cast<void>(Context({.stop = stop.get_token()}).galerkin(g.a, g.p, nullptr, way));
             }).find("cancelled: "),
             0U);
    double last = 0;
    bool rising = true;
    Options options{.threads = 1};
    options.progress = [&](double share) { rising &= share >= last, last = share; };
    static_cast<void>(Context(options).galerkin(g.a, g.p, nullptr, way));
    CHECK(rising);
    CHECK_EQ(last, 1.0);
  }
}

}  // namespace rowan::test
