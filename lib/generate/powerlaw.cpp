// Rows whose lengths follow a power law, columns of which some are far more popular than others, and a few dense rows
// (web pages, citations). A length is least / u^(tail / 4) for u uniform in (0, 1]: roots and products only, which
// every machine rounds alike. A column is n u^skew. A column drawn twice counts once.
#include <algorithm>
#include <cmath>

#include "lib/generate/build.hpp"
#include "lib/generate/kind.hpp"
#include "lib/generate/random.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kPowerlawParameters[] = {
    {"n", "rows and columns", 200000, 1, kMostRows},
    {"least", "columns drawn for the shortest row", 2, 1, kMostRows},
    {"longest", "columns drawn at most, dense rows apart", 5000, 1, kMostRows},
    {"tail", "1 to 4: one row in x^(4/tail) is x times as long as the shortest", 2, 1, 4},
    {"skew", "1 to 8: 1 for columns that are all as popular, more for fewer popular ones (the first)", 2, 1, 8},
    {"dense_rows", "rows that are far longer", 3, 0, kMostRows},
    {"dense_length", "entries of each of those", 20000, 0, kMostRows},
    kSeed};

struct PowerLaw {
  double least, longest;
  std::int64_t tail;

  [[nodiscard]] std::int64_t draw(Random& random) const {
    const double root = std::sqrt(std::sqrt(1.0 / (1.0 - random.real())));  // 1 - u is exact
    double length = least;
    for (std::int64_t t = 0; t < tail; t++) length *= root;
    return static_cast<std::int64_t>(std::min(length, longest));
  }
};

PowerLaw lengths(const Values& v) {
  return {static_cast<double>(v["least"]), static_cast<double>(v["longest"]), v["tail"]};
}

Csr<double> make_powerlaw(const Values& v) {
  const std::int64_t n = v["n"], skew = v["skew"], dense_length = v["dense_length"], seed = v["seed"];
  const PowerLaw row_lengths = lengths(v);
  std::vector<std::int32_t> dense;
  Random shared(seed, kSharedStream);
  choose(shared, v["dense_rows"], 0, n, dense);
  return from_rows({.rows = n, .cols = n, .seed = seed}, [&](std::int64_t i, std::vector<Column>& columns) {
    Random random(seed, i);
    const std::int64_t length = row_lengths.draw(random);
    if (std::binary_search(dense.begin(), dense.end(), static_cast<std::int32_t>(i)))
      return choose(random, dense_length, 0, n, columns);
    const auto first = std::ssize(columns);
    for (std::int64_t k = 0; k < length; k++) {
      double at = static_cast<double>(n);
      const double u = random.real();
      for (std::int64_t s = 0; s < skew; s++) at *= u;
      columns.push_back(static_cast<std::int32_t>(at));
    }
    std::sort(columns.begin() + first, columns.end());
    columns.erase(std::unique(columns.begin() + first, columns.end()), columns.end());
  });
}

MatrixSize powerlaw_size(const Values& v) {
  require(v["least"] <= v["longest"], "powerlaw: least exceeds longest");
  require(v["longest"] <= v["n"], "powerlaw: longest exceeds n");
  require(v["dense_rows"] <= v["n"], "powerlaw: dense_rows exceeds n");
  require(v["dense_length"] <= v["n"], "powerlaw: dense_length exceeds n");
  // lengths times n would be far too many: a sample of rows shows it
  constexpr std::int64_t kSample = 1 << 16;
  const std::int64_t n = v["n"], rows = std::min(n, kSample);
  const PowerLaw row_lengths = lengths(v);
  std::int64_t sampled = 0;
  for (std::int64_t i = 0; i < rows; i++) {
    Random random(v["seed"], i);
    sampled += row_lengths.draw(random);
  }
  const double sparse = static_cast<double>(sampled) / static_cast<double>(rows) * static_cast<double>(n);
  return {n, n, static_cast<std::int64_t>(sparse) + product({v["dense_rows"], v["dense_length"]})};
}

}  // namespace

constinit const MatrixKind kPowerlaw{
    .shown = {"powerlaw", "rows with lengths of a power law, popular columns, a few dense rows", false,
              kPowerlawParameters},
    .size = powerlaw_size,
    .make = make_powerlaw};

}  // namespace rowan::gen
