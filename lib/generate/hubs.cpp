// A net of short wires and a few hubs that reach everywhere (circuits and their power rails, airports). Wires go both
// ways; every node has its diagonal entry.
#include <algorithm>

#include "lib/generate/build.hpp"
#include "lib/generate/kind.hpp"
#include "lib/generate/random.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kHubsParameters[] = {
    {"n", "nodes", 170000, 1, kMostRows},
    {"wires", "most wires that a node starts; at least 1", 3, 0, 1 << 20},
    {"reach", "how far off the other end of a wire may be", 200, 1, kMostRows},
    {"far", "percent of the wires that end anywhere", 20, 0, 100},
    {"hubs", "nodes with many more wires, that end anywhere", 8, 0, kMostRows},
    {"hub_wires", "of each of those", 2000, 0, kMostRows},
    kSeed};

Csr<double> make_hubs(const Values& v) {
  const std::int64_t n = v["n"], wires = v["wires"], reach = v["reach"], far = v["far"], seed = v["seed"];
  const std::int64_t hub_wires = v["hub_wires"];
  const auto item = [&](std::int64_t k, const auto& emit) {
    Random random(seed, k);
    const auto wire = [&](std::int64_t i, std::int64_t j) { emit(i, j), emit(j, i); };
    if (k < n) {
      emit(k, k);
      for (std::int64_t w = wires == 0 ? 0 : random.between(1, wires); w > 0; w--) {
        const std::int64_t from = std::max<std::int64_t>(0, k - reach), to = std::min(n - 1, k + reach);
        wire(k, random.percent(far) ? random.below(n) : random.between(from, to));
      }
    } else {
      const std::int64_t hub = random.below(n);
      for (std::int64_t w = 0; w < hub_wires; w++) wire(hub, random.below(n));
    }
  };
  return from_pairs({.rows = n, .cols = n, .seed = seed, .symmetric = true}, n + v["hubs"], item);
}

}  // namespace

constinit const MatrixKind kHubs{
    .shown = {"hubs", "short wires and a few hubs that reach everywhere (circuits)", true, kHubsParameters},
    .size =
        [](const Values& v) {
          const std::int64_t wires = product({2, v["n"], v["wires"]}), hubs = product({2, v["hubs"], v["hub_wires"]});
          return MatrixSize{v["n"], v["n"], sum(sum(v["n"], wires), hubs)};
        },
    .make = make_hubs};

}  // namespace rowan::gen
