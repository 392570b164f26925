// Dense blocks of random size along the diagonal; the last one is cut off at the border.
#include <algorithm>

#include "lib/generate/build.hpp"
#include "lib/generate/kind.hpp"
#include "lib/generate/random.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kBlocksParameters[] = {{"n", "rows and columns", 30000, 1, kMostRows},
                                                    {"least", "rows of the smallest block", 20, 1, kMostRows},
                                                    {"most", "rows of the largest block", 200, 1, kMostRows},
                                                    kSeed};

Csr<double> make_blocks(const Values& v) {
  const std::int64_t n = v["n"];
  std::vector<std::int32_t> border{0};
  for (Random random(v["seed"], kSharedStream); border.back() < n;)
    border.push_back(static_cast<std::int32_t>(std::min(n, border.back() + random.between(v["least"], v["most"]))));
  return from_rows({.rows = n, .cols = n, .seed = v["seed"], .symmetric = true},
                   [&](std::int64_t i, std::vector<Column>& columns) {
                     const auto end = std::upper_bound(border.begin(), border.end(), static_cast<std::int32_t>(i));
                     for (Column j = *(end - 1); j < *end; j++) columns.push_back(j);
                   });
}

}  // namespace

constinit const MatrixKind kBlocks{
    .shown = {"blocks", "dense blocks of random size along the diagonal", true, kBlocksParameters},
    .size =
        [](const Values& v) {
          require(v["least"] <= v["most"], "blocks: least exceeds most");
          return MatrixSize{v["n"], v["n"], product({v["n"], std::min(v["n"], v["most"])})};
        },
    .make = make_blocks};

}  // namespace rowan::gen
