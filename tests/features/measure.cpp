#include "features/measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"
#include "tests/lib/io/files.hpp"

namespace rowan::test {
namespace {

struct Recount {
  std::int64_t nprod = 0, lo = INT32_MAX, hi = -1, b_max = 0;
};

Recount recount(const Pattern& a, const Pattern& b, std::int64_t i) {
  Recount r;
  for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++) {
    const std::int64_t j = a.col[k];
    r.nprod += b.length(j), r.b_max = std::max(r.b_max, b.length(j));
    for (std::int64_t e = b.ptr[j]; e < b.ptr[j + 1]; e++) {
      r.lo = std::min<std::int64_t>(r.lo, b.col[e]), r.hi = std::max<std::int64_t>(r.hi, b.col[e]);
    }
  }
  return r;
}

float feature(const FeatureVector& f, std::string_view name) {
  return f[index(*feature_named(name))];
}

}  // namespace

TEST_CASE("products, span and longest row of B are a recount's, by any number of workers") {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list)
      for (const int threads : {1, 3}) {
        CAPTURE(shape.name);
        const Factors<float> f(shape, Values::integers);
        const auto a = Problem<float>::operand(f.a()), b = Problem<float>::operand(f.b());
        const Measured m = measure(a, b, Team(threads));
        Tally all;
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < a.rows; i++) {
          const CRow& w = m.rows[i];
          const Recount r = recount(a, b, i);
          wrong += w.nprod != r.nprod || w.b_max != r.b_max ? 1 : 0;
          const bool same = w.lo == r.lo && w.hi == r.hi, around = w.lo <= r.lo && w.hi >= r.hi && w.hi < b.cols;
          wrong += r.nprod == 0 ? (w.span() == 0 ? 0 : 1) : (m.b->scattered || m.b->unit != 0 ? around : same) ? 0 : 1;
          wrong += w.bound() == std::min(r.nprod, w.span()) ? 0 : 1;
          all.add(w, a.length(i), w.bound());
        }
        CHECK_EQ(wrong, 0);
        CHECK_EQ(m.all.rows, a.rows);
        CHECK_EQ(m.all.nprod, all.nprod);
        CHECK_EQ(m.all.bound, all.bound);
        CHECK_EQ(m.all.span_max, all.span_max);
        CHECK_EQ(m.all.nprod_squares, all.nprod_squares);
        CHECK_EQ(m.columns, b.cols);
        CHECK_EQ(m.a == m.b, !shape.b);
      }
}

TEST_CASE("rows of more products than bytes and words tell are counted, in scattered matrices too") {
  for (const std::int32_t long_row : {254, 255, 256, 65534, 65535, 65536, 70000}) {
    for (const bool scattered : {false, true}) {
      CAPTURE(long_row);
      CAPTURE(scattered);
      const std::int32_t n = scattered ? 70000 : 100, cols = 200000;
      Rows b;
      for (std::int32_t i = 0; i < n; i++) b.push_back({i, scattered ? cols - 1 - i % 7 : i + 5 + i % 3});
      b[17].clear();
      for (std::int32_t k = 0; k < long_row; k++) b[17].push_back(k);
      const Shape s{"", from_rows({{17}, {3, 17, 50}, {4, 5}, {}, {17, 18}}, n), from_rows(b, cols)};
      const Factors<float> f(s, Values::integers);
      const auto left = Problem<float>::operand(f.a()), right = Problem<float>::operand(f.b());
      const Measured m = measure(left, right, Team(1));
      CHECK_EQ(m.b->scattered, scattered);
      for (std::int64_t i = 0; i < left.rows; i++) {
        const Recount r = recount(left, right, i);
        CHECK_EQ(m.rows[i].nprod, r.nprod);
        CHECK_EQ(m.rows[i].b_max, r.b_max);
        CHECK((r.nprod == 0 || (m.rows[i].lo <= r.lo && m.rows[i].hi >= r.hi)));
      }
    }
  }
}

TEST_CASE("the features of a matrix small enough to count by hand") {
  // row 0 meets rows 0 and 1 of B: columns 0 2 | 1 2 3; row 1 the same; row 2 nothing; row 3 row 1
  const Shape s{"", from_rows({{0, 1}, {0, 1}, {}, {1}}, 3), from_rows({{0, 2}, {1, 2, 3}, {0}}, 8)};
  const Problem<double> p(s, Values::integers);
  const FeatureVector f = features_of(p.measured.all, p.measured);
  CHECK_EQ(feature(f, "rows"), 4);
  CHECK_EQ(feature(f, "columns"), 8);
  CHECK_EQ(feature(f, "nprod"), 13);
  CHECK_EQ(feature(f, "nprod_max"), 5);
  CHECK_EQ(feature(f, "nprod_avg"), 3.25F);
  CHECK_EQ(feature(f, "nprod_cv"), static_cast<float>(std::sqrt(59.0 / 4 - 3.25 * 3.25) / 3.25));
  CHECK_EQ(feature(f, "row_nnz_max"), 4);  // bounds: the smaller of products and span
  CHECK_EQ(feature(f, "row_nnz_avg"), 2.75F);
  CHECK_EQ(feature(f, "c_sparsity"), 11.0F / 32);
  CHECK_EQ(feature(f, "b_row_max"), 3);
  CHECK_EQ(feature(f, "b_row_avg"), 13.0F / 5);
  CHECK_EQ(feature(f, "a_row_nnz_max"), 2);
  CHECK_EQ(feature(f, "a_row_nnz_avg"), 1.25F);
  CHECK_EQ(feature(f, "span_max"), 4);
  CHECK_EQ(feature(f, "span_density"), 13.0F / 11);
  CHECK_EQ(feature(f, "run_ratio"), 0.5F);
  CHECK_EQ(feature(f, "shift_ratio"), 0);
  CHECK_EQ(feature(f, "compression_ratio"), 0);
  CHECK_EQ(sample_compression(p.a, p.b, p.measured), 13.0F / 11);
}

TEST_CASE("shift runs are those of the products, of 8 rows and more") {
  // rows 0-9 move; rows 3 and 4 of B do not, so that rows 2 to 4 of A begin anew
  Rows a, b;
  for (std::int32_t i = 0; i < 30; i++) a.push_back({i, i + 1});
  for (Column j = 0; j < 31; j++)
    b.push_back(j == 3 ? std::vector<std::int32_t>{0, 90} : std::vector<std::int32_t>{j, j + 4});
  const Problem<double> p({"", from_rows(a, 31), from_rows(b, 100)}, Values::integers);
  for (std::int64_t i = 0; i < 30; i++) {
    CAPTURE(i);
    const RowRun& run = p.measured.rows[i].run;
    CHECK_EQ(run.in_shift_run(), i >= 4);
    CHECK_EQ(run.shifted, i >= 5);
    CHECK_EQ(run.shifts, i >= 4 ? 30 - i : 1);
  }
  CHECK_EQ(p.measured.all.in_shifts, 26);
}

TEST_CASE("rows are in one kind of run at a time") {
  // ten equal rows, of which the last begins ten moving ones, of which the last begins ten equal ones
  Rows a;
  for (std::int32_t i = 0; i < 30; i++) a.push_back({std::clamp(i - 9, 0, 10), 20});
  for (std::int32_t i = 10; i < 20; i++) a[static_cast<std::size_t>(i)][1] = 20 + i - 9;
  for (std::int32_t i = 20; i < 30; i++) a[static_cast<std::size_t>(i)][1] = 30;
  Rows b;
  for (Column j = 0; j < 31; j++) b.push_back({j});
  const Problem<double> p({"", from_rows(a, 31), from_rows(b, 31)}, Values::integers);
  std::int64_t runs = 0, shifts = 0;
  for (std::int64_t i = 0; i < 30; i++) {
    const RowRun& run = p.measured.rows[i].run;
    CHECK_FALSE((run.in_run() && run.in_shift_run()));
    runs += run.in_run() ? 1 : 0, shifts += run.in_shift_run() ? 1 : 0;
  }
  CHECK_EQ(p.measured.all.in_runs, runs);
  CHECK_EQ(p.measured.all.in_shifts, shifts);
  CHECK_EQ(runs, 20);
  CHECK_EQ(shifts, 10);
}

TEST_CASE("no rows and no products have finite features") {
  for (const char* name : {"no rows", "0 x 0", "all empty", "nothing between", "no columns"}) {
    const Problem<double> p(shape(name), Values::integers);
    for (const float f : features_of(p.measured.all, p.measured)) CHECK(std::isfinite(f));
    CHECK_EQ(sample_compression(p.a, p.b, p.measured), 1);
  }
}

TEST_CASE("products are counted exactly where their number may exceed 2^63 - 1") {
  // patterns of nothing but row pointers: no memory holds their columns
  const std::int64_t half = std::int64_t{1} << 62;
  const std::int64_t b_ptr[] = {0, half, half, half + (half - 1)};
  const Pattern b{.rows = 3, .cols = 1, .ptr = b_ptr, .col = nullptr};
  const auto error = [&](const std::vector<Column>& col) {
    const std::int64_t a_ptr[] = {0, static_cast<std::int64_t>(col.size())};
    const Pattern a{.rows = 1, .cols = 3, .ptr = a_ptr, .col = col.data()};
    return error_of([&] { check_products(a, b, half); });
  };
  const std::string refused = "overflow: A and B have more than 9223372036854775807 products";
  CHECK_EQ(error({0}), "no error");
  CHECK_EQ(error({0, 2, 1, 1}), "no error");  // 2^63 - 1
  CHECK_EQ(error({0, 0}), refused);
  CHECK_EQ(error({2, 2, 1, 0}), refused);
}

TEST_CASE("features have unique names and meanings") {
  for (std::size_t i = 0; i < kFeatures.size(); i++) {
    CHECK_EQ(index(*feature_named(kFeatures[i].name)), i);
    CHECK(!kFeatures[i].meaning.empty());
  }
  CHECK(!feature_named("no such"));
}

}  // namespace rowan::test
