// Entries on the diagonal and, here and there, on some others that all rows share (cage-like).
#include "lib/generate/build.hpp"
#include "lib/generate/kind.hpp"
#include "lib/generate/random.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kDiagonalsParameters[] = {
    {"n", "rows and columns", 130000, 1, kMostRows},
    {"pairs", "diagonals above the main one; the same number is below it", 12, 0, kMostRows},
    {"reach", "how far off the farthest may be", 40000, 0, kMostRows},
    {"percent", "of their positions that are filled", 68, 0, 100},
    kSeed};

Csr<double> make_diagonals(const Values& v) {
  const std::int64_t n = v["n"], percent = v["percent"], seed = v["seed"];
  std::vector<std::int32_t> offsets;
  Random shared(seed, kSharedStream);
  choose(shared, v["pairs"], 1, v["reach"] + 1, offsets);
  return from_rows({.rows = n, .cols = n, .seed = seed}, [&](std::int64_t i, std::vector<Column>& columns) {
    Random random(seed, i);
    const auto perhaps = [&](std::int64_t j) {
      if (random.percent(percent) && j >= 0 && j < n) columns.push_back(static_cast<std::int32_t>(j));
    };
    for (auto offset = offsets.rbegin(); offset != offsets.rend(); ++offset) perhaps(i - *offset);
    columns.push_back(static_cast<std::int32_t>(i));
    for (const std::int32_t offset : offsets) perhaps(i + offset);
  });
}

}  // namespace

constinit const MatrixKind kDiagonals{
    .shown = {"diagonals", "some diagonals, filled in part", false, kDiagonalsParameters},
    .size =
        [](const Values& v) {
          require(v["pairs"] <= v["reach"], "diagonals: pairs exceeds reach");
          return MatrixSize{v["n"], v["n"], product({v["n"], 2 * v["pairs"] + 1})};
        },
    .make = make_diagonals};

}  // namespace rowan::gen
