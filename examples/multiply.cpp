// A small product, its choice explained, and the same patterns again with new values.
#include <array>
#include <cstdio>

#include <rowan/rowan.hpp>

int main() {
  // the 1-D Laplacian on five points, in arrays of our own
  const std::array<std::int32_t, 6> row_ptr{0, 2, 5, 8, 11, 13};
  const std::array<std::int32_t, 13> col{0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4};
  std::array<double, 13> val{2, -1, -1, 2, -1, -1, 2, -1, -1, 2, -1, -1, 2};
  const rowan::CsrView<double> a{
      .rows = 5, .cols = 5, .row_ptr = std::span<const std::int32_t>(row_ptr), .col = col, .val = val};

  const rowan::Csr<double> c = rowan::multiply(a, a);
  std::printf("C = A.A has %lld entries; row 2:", static_cast<long long>(c.nnz()));
  for (std::int64_t k = c.row_ptr()[2]; k < c.row_ptr()[3]; k++)
    std::printf(" (%d: %g)", c.col()[static_cast<std::size_t>(k)], c.val()[static_cast<std::size_t>(k)]);

  const rowan::Context context;
  const rowan::Inspection why = context.inspect(a, a);
  std::printf("\nrow 2 went to %s\n", why.bins[static_cast<std::size_t>(why.row[2].bin)].candidate.c_str());

  const rowan::Plan plan = context.plan(a, a);
  rowan::Csr<double> again;
  for (double& v : val) v *= 10;
  plan.execute(a, a, again);
  std::printf("ten times A gives %g where there was %g\n", again.val()[0], c.val()[0]);
}
