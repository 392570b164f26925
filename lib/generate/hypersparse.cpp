// Far fewer entries than rows or columns: hashed features, blocks of a graph cut into a grid of machines, samples.
#include <algorithm>

#include "lib/generate/build.hpp"
#include "lib/generate/kind.hpp"
#include "lib/generate/random.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kHypersparseParameters[] = {
    {"rows", "rows", 10000000, 1, kMostRows},
    {"cols", "columns", 10000000, 1, kMostRows},
    {"entries", "entries at most; some meet in one position", 1000000, 0, kMostRows},
    {"together", "entries together in one row", 1, 1, kMostRows},
    {"used", "rows that may have entries, spread over all; 0: any", 0, 0, kMostRows},
    kSeed};

Csr<double> make_hypersparse(const Values& v) {
  const std::int64_t rows = v["rows"], cols = v["cols"], entries = v["entries"], together = v["together"];
  const std::int64_t used = v["used"] == 0 ? rows : std::min(v["used"], rows), seed = v["seed"];
  const auto item = [&](std::int64_t k, const auto& emit) {
    Random random(seed, k);
    const std::int64_t i = product({random.below(used), rows / used});
    for (std::int64_t e = k * together; e < std::min(entries, (k + 1) * together); e++) emit(i, random.below(cols));
  };
  return from_pairs({.rows = rows, .cols = cols, .seed = seed}, (entries + together - 1) / together, item);
}

}  // namespace

constinit const MatrixKind kHypersparse{
    .shown = {"hypersparse", "far fewer entries than rows or columns", false, kHypersparseParameters},
    .size =
        [](const Values& v) {
          return MatrixSize{v["rows"], v["cols"], v["entries"]};
        },
    .make = make_hypersparse};

}  // namespace rowan::gen
