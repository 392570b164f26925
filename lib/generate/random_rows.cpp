// Rows of columns chosen at random: from all columns, or from a band around the diagonal.
#include <algorithm>

#include "lib/generate/build.hpp"
#include "lib/generate/kind.hpp"
#include "lib/generate/random.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kSquare[] = {
    {"n", "rows and columns", 200000, 1, kMostRows}, {"row_length", "entries of every row", 4, 0, kMostRows}, kSeed};
constexpr GeneratorParameter kOblong[] = {{"rows", "rows", 100000, 1, kMostRows},
                                          {"cols", "columns", 20000, 1, kMostRows},
                                          {"least", "entries of the shortest row", 1, 0, kMostRows},
                                          {"most", "entries of the longest row", 20, 0, kMostRows},
                                          kSeed};
constexpr GeneratorParameter kBand[] = {
    {"n", "rows and columns", 200000, 1, kMostRows},
    {"reach", "columns to either side of the diagonal", 100, 0, kMostRows},
    {"row_length", "entries of a row; of all there are where the band is cut short", 20, 0, kMostRows},
    kSeed};

Csr<double> make_random(const Values& v) {
  const std::int64_t n = v["n"], length = v["row_length"], seed = v["seed"];
  return from_rows({.rows = n, .cols = n, .seed = seed}, [&](std::int64_t i, std::vector<Column>& columns) {
    Random random(seed, i);
    choose(random, length, 0, n, columns);
  });
}

Csr<double> make_rectangular(const Values& v) {
  const std::int64_t cols = v["cols"], least = v["least"], most = v["most"], seed = v["seed"];
  return from_rows({.rows = v["rows"], .cols = cols, .seed = seed}, [&](std::int64_t i, std::vector<Column>& columns) {
    Random random(seed, i);
    choose(random, random.between(least, most), 0, cols, columns);
  });
}

Csr<double> make_banded(const Values& v) {
  const std::int64_t n = v["n"], reach = v["reach"], length = v["row_length"], seed = v["seed"];
  return from_rows({.rows = n, .cols = n, .seed = seed}, [&](std::int64_t i, std::vector<Column>& columns) {
    Random random(seed, i);
    choose(random, length, std::max<std::int64_t>(0, i - reach), std::min(n, i + reach + 1), columns);
  });
}

}  // namespace

constinit const MatrixKind kRandom{.shown = {"random", "random columns, every row as long", false, kSquare},
                                   .size =
                                       [](const Values& v) {
                                         require(v["row_length"] <= v["n"], "random: row_length exceeds n");
                                         return MatrixSize{v["n"], v["n"], product({v["n"], v["row_length"]})};
                                       },
                                   .make = make_random};

constinit const MatrixKind kRectangular{
    .shown = {"rectangular", "random columns, rows of random length, not square", false, kOblong},
    .size =
        [](const Values& v) {
          require(v["least"] <= v["most"], "rectangular: least exceeds most");
          require(v["most"] <= v["cols"], "rectangular: most exceeds cols");
          return MatrixSize{v["rows"], v["cols"], product({v["rows"], v["most"]})};
        },
    .make = make_rectangular};

constinit const MatrixKind kBanded{
    .shown = {"banded", "random columns near the diagonal", false, kBand},
    .size =
        [](const Values& v) {
          require(v["row_length"] <= 2 * v["reach"] + 1, "banded: row_length exceeds the band, 2 reach + 1");
          return MatrixSize{v["n"], v["n"], product({v["n"], std::min(v["n"], v["row_length"])})};
        },
    .make = make_banded};

}  // namespace rowan::gen
