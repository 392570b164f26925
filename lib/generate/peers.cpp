// Who knows whom in a peer-to-peer network: most peers are leaves and name nobody, the others name some at random.
#include "lib/generate/build.hpp"
#include "lib/generate/kind.hpp"
#include "lib/generate/random.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kPeersParameters[] = {
    {"n", "peers", 60000, 1, kMostRows},
    {"links", "of a peer that has any, on average", 6, 1, 1 << 20},
    {"leaves", "percent of the peers that have none of their own", 60, 0, 100},
    kSeed};

Csr<double> make_peers(const Values& v) {
  const std::int64_t n = v["n"], links = v["links"], leaves = v["leaves"], seed = v["seed"];
  return from_rows({.rows = n, .cols = n, .seed = seed}, [&](std::int64_t i, std::vector<Column>& columns) {
    Random random(seed, i);
    if (!random.percent(leaves)) choose(random, random.between(1, 2 * links - 1), 0, n, columns);
  });
}

}  // namespace

constinit const MatrixKind kPeers{
    .shown = {"peers", "peers of which most have no links (P2P networks)", false, kPeersParameters},
    .size =
        [](const Values& v) {
          return MatrixSize{v["n"], v["n"], product({v["n"], v["links"], 100 - v["leaves"]}) / 100};
        },
    .make = make_peers};

}  // namespace rowan::gen
