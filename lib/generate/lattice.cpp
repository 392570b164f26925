// Quantum chromodynamics on a periodic lattice of four dimensions: each site has some spins, each spin a vector of
// colours, and dense blocks of colours couple spins of neighbouring sites.
//  - 1 spin (staggered fermions): a site with itself and its 8 neighbours.
//  - 4 spins (Wilson's hopping matrix, gamma matrices in Dirac's form): along x, y and z a spin meets itself and the
//  one
//    that gamma turns it into; along t gamma is diagonal and the projection leaves two spins forwards, two backwards.
//    13 blocks a row, as in SuiteSparse's conf5.
#include <algorithm>
#include <array>

#include "lib/generate/build.hpp"
#include "lib/generate/kind.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kLatticeParameters[] = {
    {"nx", "sites along x", 8, 1, kMostRows},
    {"ny", "sites along y", 8, 1, kMostRows},
    {"nz", "sites along z", 8, 1, kMostRows},
    {"nt", "sites along t", 8, 1, kMostRows},
    {"spins", "of a site: 1 (9 blocks a row) or 4 (13 blocks a row)", 4, 1, 4},
    {"block", "rows and columns of a dense block", 3, 1, 64},
    kSeed};

using Site = std::array<std::int64_t, 4>;

struct Lattice {
  Site extent;

  [[nodiscard]] Site site(std::int64_t number) const {
    Site at{};
    for (std::size_t d = 0; d < 4; d++) at[d] = number % extent[d], number /= extent[d];
    return at;
  }
  /// The number of the site a step of 1 or -1 along `d` away, across the border where there is one.
  [[nodiscard]] std::int64_t neighbour(Site at, std::size_t d, std::int64_t step) const {
    at[d] = (at[d] + step + extent[d]) % extent[d];
    return ((at[3] * extent[2] + at[2]) * extent[1] + at[1]) * extent[0] + at[0];
  }
};

/// The spin that gamma of x, y or z turns `spin` into.
std::int64_t turned(std::int64_t spin, std::size_t d) {
  return d == 2 ? spin ^ 2 : spin ^ 3;
}

/// The vectors of colours (spins * site + spin) that the vector meets, rising.
std::vector<std::int64_t> met(const Lattice& lattice, std::int64_t spins, std::int64_t vector) {
  const std::int64_t spin = vector % spins;
  const Site at = lattice.site(vector / spins);
  std::vector<std::int64_t> all;
  for (std::size_t d = 0; d < 4; d++)
    for (const std::int64_t step : {-1, 1}) {
      if (spins == 4 && d == 3 && step != (spin < 2 ? 1 : -1)) continue;
      const std::int64_t first = lattice.neighbour(at, d, step) * spins;
      all.push_back(first + spin);
      if (spins == 4 && d < 3) all.push_back(first + turned(spin, d));
    }
  if (spins == 1) all.push_back(vector);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());  // neighbours coincide where an extent is 1 or 2
  return all;
}

Csr<double> make_lattice(const Values& v) {
  const Lattice lattice{{v["nx"], v["ny"], v["nz"], v["nt"]}};
  const std::int64_t spins = v["spins"], block = v["block"];
  const std::int64_t n = v["nx"] * v["ny"] * v["nz"] * v["nt"] * spins * block;
  return from_rows({.rows = n, .cols = n, .seed = v["seed"]}, [&](std::int64_t i, std::vector<Column>& columns) {
    for (const std::int64_t vector : met(lattice, spins, i / block))
      for (std::int64_t c = 0; c < block; c++) columns.push_back(static_cast<std::int32_t>(vector * block + c));
  });
}

}  // namespace

constinit const MatrixKind kLattice4d{
    .shown = {"lattice4d", "periodic lattice of four dimensions with dense blocks (QCD)", false, kLatticeParameters},
    .size =
        [](const Values& v) {
          require(v["spins"] == 1 || v["spins"] == 4, "lattice4d: spins is 1 or 4");
          const std::int64_t n = product({v["nx"], v["ny"], v["nz"], v["nt"], v["spins"], v["block"]});
          return MatrixSize{n, n, product({v["spins"] == 4 ? 13 : 9, v["block"], n})};
        },
    .make = make_lattice};

}  // namespace rowan::gen
