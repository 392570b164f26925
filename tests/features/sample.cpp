#include "features/sample.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "features/measure.hpp"
#include <rowan/generate.hpp>

namespace rowan::test {
namespace {

Pattern pattern(const Csr<double>& m) {
  return {m.rows(), m.cols(), m.row_ptr().data(), m.col().data()};
}

struct Told {
  FeatureVector sampled, measured;
  [[nodiscard]] float of(Feature f) const { return sampled[index(f)]; }
  [[nodiscard]] double ratio(Feature f) const {
    return static_cast<double>(sampled[index(f)]) / static_cast<double>(measured[index(f)]);
  }
};

Told told(const char* spec) {
  const Csr<double> m = generate(spec);
  const Pattern p = pattern(m);
  Measured measured = measure(p, p, Team(1));
  measured.compression_ratio = sample_compression(p, p, measured);
  return {sample_features(p, p), features_of(measured.all, measured)};
}

}  // namespace

TEST_CASE("a sample tells what measuring would where rows are alike") {
  for (const char* spec : {"random:n=5000,row_length=4", "delaunay:nx=70,ny=70,shuffle=512", "stencil2d:nx=60,ny=60",
                           "geometric:n=4000,neighbours=7", "fem:nx=6,ny=6,nz=20,unknowns=3"}) {
    CAPTURE(spec);
    const Told t = told(spec);
    for (const Feature f : {Feature::nprod_avg, Feature::nprod, Feature::b_row_avg, Feature::compression_ratio}) {
      CAPTURE(kFeatures[index(f)].name);
      CHECK(t.ratio(f) == doctest::Approx(1).epsilon(0.2));
    }
    CHECK_EQ(t.ratio(Feature::rows), 1);
    CHECK_EQ(t.ratio(Feature::columns), 1);
    CHECK_EQ(t.ratio(Feature::a_row_nnz_avg), 1);
    CHECK(t.of(Feature::row_nnz_avg) ==
          doctest::Approx(t.of(Feature::nprod_avg) / t.of(Feature::compression_ratio)).epsilon(0.01));
  }
}

TEST_CASE("a sample sees grids' shifts and finite elements' runs") {
  CHECK_GT(told("stencil2d:nx=80,ny=80").of(Feature::shift_ratio), 0.8F);
  CHECK_GT(told("fem:nx=5,ny=5,nz=20,unknowns=3").of(Feature::run_ratio), 0.4F);
  const Told random = told("random:n=5000,row_length=4");
  CHECK_EQ(random.of(Feature::shift_ratio), 0);
  CHECK_EQ(random.of(Feature::run_ratio), 0);
}

TEST_CASE("a sample sees rows whose products are an earlier row's, moved") {
  const auto repeat_ratio = [](const std::string& grid, int x, int y) {
    const Csr<double> a = generate(grid + ",part=" + std::to_string(x)),
                      b = generate(grid + ",part=" + std::to_string(y));
    return sample_features(pattern(a), pattern(b))[index(Feature::repeat_ratio)];
  };
  CHECK_GT(repeat_ratio("aggregation:nx=150,ny=150,nz=1,corners=1", 0, 1), 0.8F);  // every third row
  CHECK_GT(repeat_ratio("aggregation:nx=150,ny=150,nz=1,corners=1", 2, 3), 0.8F);
  CHECK_GT(repeat_ratio("classical:nx=60,ny=60,nz=1", 0, 1), 0.8F);  // every second
  CHECK_GT(told("stencil2d:nx=80,ny=80").of(Feature::repeat_ratio), 0.8F);
  CHECK_LT(told("delaunay:nx=70,ny=70").of(Feature::repeat_ratio), 0.1F);
  CHECK_EQ(told("random:n=5000,row_length=4").of(Feature::repeat_ratio), 0);
  const Csr<double> m = generate("stencil2d:nx=20,ny=20");
  const Measured measured = measure(pattern(m), pattern(m), Team(1));
  CHECK_EQ(features_of(measured.all, measured)[index(Feature::repeat_ratio)], 0);  // sampled alone
}

TEST_CASE("a row repeats one of the four before it, in lengths and columns") {
  const auto made = [](const std::vector<std::int64_t>& ptr, const std::vector<std::int32_t>& col, std::int64_t cols) {
    return Pattern{static_cast<std::int64_t>(ptr.size()) - 1, cols, ptr.data(), col.data()};
  };
  const std::vector<std::int64_t> b_ptr{0, 2, 3, 5, 6, 8, 8, 8};
  const std::vector<std::int32_t> b_col{0, 1, 4, 2, 3, 6, 4, 6};
  const Pattern b = made(b_ptr, b_col, 9);
  const auto repeated = [&](const std::vector<std::int64_t>& ptr, const std::vector<std::int32_t>& col) {
    return repeats(made(ptr, col, 7), b, static_cast<std::int64_t>(ptr.size()) - 2);
  };
  CHECK(repeated({0, 2, 4}, {0, 1, 2, 3}));        // 0 1 | 4 and 2 3 | 6
  CHECK_FALSE(repeated({0, 2, 4}, {0, 1, 4, 3}));  // 4 6 | 6
  CHECK_FALSE(repeated({0, 2, 4}, {0, 1, 3, 2}));  // other lengths
  CHECK_FALSE(repeated({0, 1, 3}, {0, 2, 3}));
  CHECK(repeated({0, 2, 3, 4, 5, 7}, {0, 1, 1, 1, 1, 2, 3}));  // the fourth before
  CHECK_FALSE(repeated({0, 2, 3, 4, 5, 6, 8}, {0, 1, 1, 1, 1, 1, 2, 3}));
  CHECK_FALSE(repeated({0, 1, 2}, {5, 6}));  // no products
}

TEST_CASE("a sample sees runs of rows whose products are too many to look at") {
  const Told t = told("fem:nx=4,ny=4,nz=4,unknowns=3");
  CHECK_GT(t.of(Feature::run_ratio), 0.3F);
}

TEST_CASE("a sample knows B's rows, how often they are met, and the processor's vectors") {
  const Csr<double> a = generate("random:n=500,row_length=6"), b = generate("rectangular:rows=500,cols=40");
  const FeatureVector f = sample_features(pattern(a), pattern(b));
  CHECK_EQ(f[index(Feature::b_rows)], 500);
  CHECK_EQ(f[index(Feature::b_uses)], 6);
  CHECK_EQ(f[index(Feature::vector_bytes)], static_cast<float>(vector_bytes()));
  const Measured measured = measure(pattern(a), pattern(b), Team(1));
  const FeatureVector m = features_of(measured.all, measured);
  for (const Feature same : {Feature::b_rows, Feature::b_uses, Feature::vector_bytes})
    CHECK_EQ(m[index(same)], f[index(same)]);
}

TEST_CASE("neighbouring rows of grids meet the same rows of B, random ones do not") {
  const auto same = [](const char* spec) {
    const Csr<double> m = generate(spec);
    return meets_same_lines(pattern(m), pattern(m));
  };
  CHECK(same("stencil2d:nx=60,ny=60"));
  CHECK(same("banded:n=5000,reach=3,row_length=4"));
  CHECK_FALSE(same("random:n=5000,row_length=4"));
  CHECK_FALSE(same("delaunay:nx=70,ny=70,shuffle=4900"));
  const std::array<Offset, 6> ptr{};
  CHECK_FALSE(meets_same_lines({1, 5, ptr.data(), nullptr}, {5, 5, ptr.data(), nullptr}));
}

TEST_CASE("rows of B that follow each other are on the same lines") {
  constexpr Column kRows = 400, kEntries = 4;  // of A; no two of its rows meet the same row of B, which has two entries
  std::vector<Offset> a_ptr{0}, b_ptr{0};
  std::vector<Column> following, far_apart;
  for (Column i = 0; i < kRows; i++) {
    for (Column k = 0; k < kEntries; k++)
      following.push_back(kEntries * i + k), far_apart.push_back((37 * i) % kRows + kRows * k);
    a_ptr.push_back(kEntries * (i + 1));
  }
  for (Offset j = 0; j < kRows * kEntries; j++) b_ptr.push_back(2 * (j + 1));
  const std::vector<Column> b_col(2 * kRows * kEntries);
  const auto same = [&](const std::vector<Column>& a_col) {
    return meets_same_lines({kRows, kRows * kEntries, a_ptr.data(), a_col.data()},
                            {kRows * kEntries, 1, b_ptr.data(), b_col.data()});
  };
  CHECK(same(following));
  CHECK_FALSE(same(far_apart));
}

TEST_CASE("what has no products has a sample of zeros") {
  const std::array<Offset, 6> ptr{};
  const Pattern empty{5, 5, ptr.data(), nullptr};
  const FeatureVector f = sample_features(empty, empty);
  CHECK_EQ(f[index(Feature::nprod)], 0);
  CHECK_EQ(f[index(Feature::rows)], 5);
  CHECK_EQ(f[index(Feature::span_max)], 0);
}

}  // namespace rowan::test
