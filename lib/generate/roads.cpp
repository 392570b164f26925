// A net of roads: crossings on a grid, streets between neighbouring crossings, and nodes along the streets. Some
// streets are dead ends. Most nodes have two neighbours, crossings up to four; there is no diagonal.
#include "lib/generate/build.hpp"
#include "lib/generate/kind.hpp"
#include "lib/generate/random.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kRoadsParameters[] = {
    {"nx", "crossings along x", 200, 1, kMostRows},
    {"ny", "crossings along y", 200, 1, kMostRows},
    {"nodes", "along the two streets that begin at a crossing", 3, 0, 1 << 10},
    {"dead_ends", "percent of the streets that do not reach the next crossing", 30, 0, 100},
    kSeed};

Csr<double> make_roads(const Values& v) {
  const std::int64_t nx = v["nx"], ny = v["ny"], crossings = nx * ny, block = 1 + v["nodes"];
  const auto item = [&](std::int64_t k, const auto& emit) {
    Random random(v["seed"], k);
    std::int64_t next = k * block + 1;  // a crossing is followed by its streets' nodes
    const auto street = [&](std::int64_t nodes, bool inside, std::int64_t to) {
      std::int64_t at = k * block;
      const auto step = [&](std::int64_t other) { emit(at, other), emit(other, at), at = other; };
      for (std::int64_t b = 0; b < nodes; b++) step(next++);
      if (!random.percent(v["dead_ends"]) && inside) step(to * block);
    };
    const std::int64_t right = random.between(0, v["nodes"]);
    street(right, k % nx + 1 < nx, k + 1);
    street(v["nodes"] - right, k / nx + 1 < ny, k + nx);
  };
  const std::int64_t n = crossings * block;
  return from_pairs({.rows = n, .cols = n, .seed = v["seed"], .symmetric = true}, crossings, item);
}

}  // namespace

constinit const MatrixKind kRoads{.shown = {"roads", "crossings, streets and nodes along them", true, kRoadsParameters},
                                  .size =
                                      [](const Values& v) {
                                        const std::int64_t crossings = product({v["nx"], v["ny"]});
                                        return MatrixSize{product({crossings, 1 + v["nodes"]}),
                                                          product({crossings, 1 + v["nodes"]}),
                                                          product({2, crossings, 2 + v["nodes"]})};
                                      },
                                  .make = make_roads};

}  // namespace rowan::gen
