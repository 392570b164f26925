// R-MAT (Chakrabarti, Zhan, Faloutsos 2004): an edge descends `scale` times into one of the four quadrants of what is
// left of the matrix. Edges that come several times count once.
#include <array>

#include "lib/generate/build.hpp"
#include "lib/generate/kind.hpp"
#include "lib/generate/random.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kRmatParameters[] = {
    {"scale", "2^scale rows and columns", 16, 0, 30},
    {"edge_factor", "edges for each row, before those that come twice are dropped", 8, 0, kMostRows},
    {"a", "percent of the edges that go to the upper left quadrant", 57, 0, 100},
    {"b", "percent to the upper right", 19, 0, 100},
    {"c", "percent to the lower left; the rest goes to the lower right", 19, 0, 100},
    kSeed};

/// For each of a hundred draws the quadrant: 2 where it is a lower one, and 1 where it is a right one.
std::array<std::uint8_t, 100> quadrants(const Values& v) {
  const std::int64_t a = v["a"], ab = a + v["b"], abc = ab + v["c"];
  std::array<std::uint8_t, 100> all{};
  for (std::int64_t at = 0; at < 100; at++)
    all[static_cast<std::size_t>(at)] =
        static_cast<std::uint8_t>((at >= a ? 1 : 0) + (at >= ab ? 1 : 0) + (at >= abc ? 1 : 0));
  return all;
}

Csr<double> make_rmat(const Values& v) {
  const std::int64_t n = std::int64_t{1} << v["scale"], scale = v["scale"], seed = v["seed"];
  const auto quadrant = quadrants(v);
  return from_pairs({.rows = n, .cols = n, .seed = seed}, n * v["edge_factor"], [&](std::int64_t k, const auto& emit) {
    Random random(seed, k);
    std::int64_t i = 0, j = 0;
    std::uint64_t draws = 0;  // of 16 bits each
    for (std::int64_t level = 0; level < scale; level++, draws >>= 16) {
      if (level % 4 == 0) draws = random.bits();
      const int q = quadrant[(draws & 0xFFFF) * 100 >> 16];
      i = 2 * i + (q >> 1), j = 2 * j + (q & 1);
    }
    emit(i, j);
  });
}

}  // namespace

constinit const MatrixKind kRmat{.shown = {"rmat", "R-MAT graph", false, kRmatParameters},
                                 .size =
                                     [](const Values& v) {
                                       require(v["a"] + v["b"] + v["c"] <= 100, "rmat: a + b + c exceeds 100 percent");
                                       const std::int64_t n = std::int64_t{1} << v["scale"];
                                       return MatrixSize{n, n, product({n, v["edge_factor"]})};
                                     },
                                 .make = make_rmat};

}  // namespace rowan::gen
