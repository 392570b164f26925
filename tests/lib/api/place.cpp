// Backend::automatic (lib/api/place.cpp): what a glance tells of a product, and where it is predicted to be sooner.
#include "lib/api/place.hpp"

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include <rowan/context.hpp>
#include <rowan/generate.hpp>

namespace rowan::test {

TEST_CASE("a sample of rows outlines a product within a factor of two") {
  for (const char* spec : {"stencil2d:nx=200,ny=200", "rmat:scale=12", "random:n=20000,row_length=8"}) {
    CAPTURE(spec);
    const Csr<double> a = generate(spec);
    Stats stats;
    const Csr<double> c = Context().multiply(a, a, &stats);
    const ProductOutline p = outline<double>(a, a);
    CHECK_EQ(p.a_nnz, static_cast<double>(a.nnz()));
    CHECK_GT(p.nprod, 0.3 * static_cast<double>(stats.nprod));
    CHECK_LT(p.nprod, 3.0 * static_cast<double>(stats.nprod));
    CHECK_GT(p.c_nnz / p.nprod, 0.5 * static_cast<double>(c.nnz()) / static_cast<double>(stats.nprod));
    CHECK_GT(p.scattered, 0);
    CHECK_LE(p.scattered, 1);
    CHECK_LT(p.c_nnz / p.nprod, 2.0 * static_cast<double>(c.nnz()) / static_cast<double>(stats.nprod));
  }
}

TEST_CASE("a row of C has no more entries than B has columns") {
  // two full rows of B, of which the sample looks at one
  constexpr std::int64_t kRows = 50, kCols = 3000;
  std::vector<std::int64_t> a_ptr, b_ptr{0, kCols, 2 * kCols};
  std::vector<Column> a_col, b_col;
  for (std::int64_t i = 0; i <= kRows; i++) a_ptr.push_back(2 * i);
  for (std::int64_t i = 0; i < 2 * kRows; i++) a_col.push_back(static_cast<Column>(i % 2));
  for (std::int64_t i = 0; i < 2 * kCols; i++) b_col.push_back(static_cast<Column>(i % kCols));
  const std::vector<double> a_val(a_col.size(), 1), b_val(b_col.size(), 1);
  const CsrView<double> a{kRows, 2, a_ptr, a_col, a_val}, b{2, kCols, b_ptr, b_col, b_val};
  CHECK_EQ(outline(a, b).nprod, 2 * kRows * kCols);
  CHECK_LE(outline(a, b).c_nnz, 1.01 * kRows * kCols);
}

TEST_CASE("grids are known by rows that move, random matrices by rows of B that are far") {
  const Csr<double> grid = generate("stencil2d:nx=200,ny=200"), random = generate("random:n=20000,row_length=8");
  CHECK_GT(outline<double>(grid, grid).shifted, 0.8);
  CHECK_LT(outline<double>(grid, grid).far, 0.1);
  CHECK_EQ(outline<double>(random, random).shifted, 0);
  CHECK_GT(outline<double>(random, random).far, 0.8);
}

TEST_CASE("matrices that break their contract are looked at without harm") {
  const std::int64_t row_ptr[] = {0, 5, 3, 900}, far[] = {-4, 2, 1 << 30, 7};
  const Column col[] = {0, -3, 77777, 1};
  const double val[] = {1, 2, 3, 4};
  const CsrView<double> a{3, 3, row_ptr, col, val}, b{3, 3, far, col, val};
  static_cast<void>(outline(a, b));
  static_cast<void>(outline(b, a));
  static_cast<void>(outline(CsrView<double>{}, CsrView<double>{}));
}

TEST_CASE("copies and threads decide between host and device") {
  const ProductOutline dense{
      .operand_bytes = 1e7, .c_bytes = 2e7, .a_nnz = 8e5, .nprod = 4e8, .c_nnz = 1.6e6, .scattered = 1},
      thin{.operand_bytes = 1e8, .c_bytes = 3e8, .a_nnz = 8e6, .nprod = 2.5e7, .c_nnz = 2.4e7, .scattered = 0.5};
  const TransferSpeed fast{.up = 50e9, .down = 50e9}, slow{.up = 2e9, .down = 2e9};
  constexpr double kLarge = 80e9;  // bytes of device memory
  CHECK_LT(device_seconds(dense, fast, kLarge), host_seconds(dense, 16));
  CHECK_GT(device_seconds(thin, slow, kLarge), host_seconds(thin, 16));
  CHECK_LT(device_seconds(thin, fast, kLarge), device_seconds(thin, slow, kLarge));
  CHECK_LT(host_seconds(thin, 8), host_seconds(thin, 1));
  ProductOutline scattered = thin;
  scattered.scattered = 1;
  CHECK_GT(host_seconds(scattered, 1), host_seconds(thin, 1));
  scattered.far = 1;
  CHECK_GT(host_seconds(scattered, 1), 2 * host_seconds(thin, 1));
}

TEST_CASE("operands that do not fit a device are sent once, and rows of B with every chunk that names them") {
  const ProductOutline p{.operand_bytes = 3e9, .b_bytes = 1e9, .c_bytes = 1e9, .nprod = 1e9};
  CHECK_EQ(sent_bytes(p, 4e9), 3e9);
  CHECK_EQ(sent_bytes(p, 2e9), doctest::Approx(3e9 + 6e9));  // between 3e9, B three times, and 12e9
  const ProductOutline few{.operand_bytes = 3e9, .b_bytes = 1e9, .c_bytes = 1e9, .nprod = 1e8};
  CHECK_EQ(sent_bytes(few, 2e9), 3e9 + 12e8);  // no more rows of B than products
  const TransferSpeed speed{.up = 1e10, .down = 1e10};
  CHECK_GT(device_seconds(p, speed, 2e9), device_seconds(p, speed, 4e9) + 0.5);  // gathered and sent
}

TEST_CASE("cores that do not copy share the rows where they are fast enough") {
  const ProductOutline thin{.operand_bytes = 1e8, .nprod = 1e8, .c_nnz = 9e7, .scattered = 0.5};
  constexpr double kMemory = 80e9;
  const double of_12 = host_seconds(thin, 12);
  REQUIRE_GT(of_12, 10e-3);
  const CoresShare half = share_of_cores(thin, 32, 1, kMemory, of_12);
  CHECK_EQ(half.threads, 12);
  CHECK_EQ(half.speed, doctest::Approx(1));
  CHECK_EQ(share_of_cores(thin, 32, 2, kMemory, of_12).threads, 8);
  CHECK_EQ(share_of_cores(thin, 8, 1, kMemory, of_12).speed, 0);  // all of them copy
  CHECK_EQ(share_of_cores(thin, 32, 1, 0.9e8, of_12).speed, 0);   // A and B go up in parts
  CHECK_EQ(share_of_cores(thin, 32, 1, kMemory, 9e-3).speed, 0);  // soon done
  ProductOutline compute = thin;
  compute.nprod *= 100;
  CHECK_EQ(share_of_cores(compute, 32, 1, kMemory, of_12).speed, 0);  // the cores would be of no help
}

TEST_CASE("where there is no device, or something was named, nobody chooses") {
  CHECK(placing_for({}, false) == nullptr);
  CHECK(placing_for({.backend = Backend::host}, true) == nullptr);
  Stats stats;
  const Csr<double> a = generate("stencil2d:nx=100,ny=100");
  static_cast<void>(Context().multiply(a, a, &stats));
  CHECK_EQ(stats.place_reason, "");
}

}  // namespace rowan::test
