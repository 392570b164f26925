#include "lib/host/galerkin/choose.hpp"

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "tests/support/policies.hpp"
#include <rowan/generate.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

fused::GalerkinChoice chosen(const std::string& a_kind, const std::string& p_kind, std::int64_t window, int workers,
                             const Options& options = {}, std::int64_t looks_back = 0) {
  const Team team(1);
  const Csr<double> a = generate(a_kind), p = generate(p_kind);
  const Prepared<double> a_in(a, "A", true, team), p_in(p, "P", true, team);
  const Policy policy;
  const Settings settings{.options = options, .policy = policy};
  fused::GalerkinChoice choice = fused::choose_by_rows(p.cols(), p.nnz(), a_in.operand(), p_in.operand(), settings);
  if (!choice.fused) return choice;
  const fused::GalerkinSizes sizes{.window = window, .looks_back = looks_back, .chunks = {}};
  return fused::choose_by_sizes(std::move(choice), sizes, a_in.operand(), workers);
}

}  // namespace

TEST_CASE("R A P is fused on grids with irregular aggregates whose rows of R reach not far, and nowhere else") {
  const std::string a = "stencil3d:nx=20,ny=20,nz=20,points=27", p = "rectangular:rows=8000,cols=400,least=1,most=6";
  CHECK(chosen(a, p, 800, 1).fused);
  CHECK(chosen(a, p, 800, 2).fused);
  CHECK_FALSE(chosen(a, p, 800, 4).fused);   // a tenth of A P would be made again at each of three borders
  CHECK_FALSE(chosen(a, p, 6000, 1).fused);  // the ring would hold most of A P
  CHECK(chosen(a, p, 800, 1, {}, 1600).fused);
  CHECK_FALSE(chosen(a, p, 800, 1, {}, 1601).fused);  // rows of R are in another order than A's
  CHECK_FALSE(chosen(a, p, 800, 1, {.force = "sort"}).fused);
  CHECK_FALSE(chosen("delaunay:nx=60,ny=60", "delaunay:nx=60,ny=60", 100, 1).fused);
  CHECK_FALSE(chosen("stencil3d:nx=12,ny=12,nz=12,points=27", "stencil3d:nx=12,ny=12,nz=12,points=27", 100, 1).fused);
  CHECK_FALSE(chosen("aggregation:nx=20,ny=20,nz=20,part=0", "aggregation:nx=20,ny=20,nz=20,part=1", 800, 1).fused);
  CHECK_FALSE(chosen("hypersparse", "hypersparse", 100, 1).fused);
  const std::string of_27 = "aggregation:nx=20,ny=20,nz=20,corners=1";  // its aggregates are regular, too
  CHECK(chosen(of_27 + ",part=0", of_27 + ",part=1", 800, 1).reason.ends_with(" % of A P's rows repeat earlier ones"));
  const std::string coarse = "aggregation:nx=120,ny=120,nz=120,level=4,corners=1";  // P has few columns
  CHECK_EQ(chosen(coarse + ",part=0", coarse + ",part=1", 10, 1).reason, "P is so small that it is kept dense");
}

}  // namespace rowan::test
