#include "lib/host/galerkin/choose.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "accumulators/candidates.hpp"
#include "accumulators/common/positions.hpp"
#include "features/sample.hpp"
#include "lib/core/hypersparse.hpp"

namespace rowan::fused {

namespace {

std::string rounded(double x) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::fixed, 1).ptr;
  return {text.data(), end};
}

/// Whether A·P is made by dense-b, about (its rules are the policy's): that is faster than fused rows (64 columns: 1.2
/// times).
bool keeps_p_dense(const Pattern& a, const Pattern& p) {
  constexpr std::int64_t kColumns = 128, kUses = 16, kMostArea = kCandidates[*candidate_named("dense-b")].max_b_area;
  return p.cols <= kColumns && p.rows * p.cols <= kMostArea && a.nnz() >= kUses * p.rows;
}

/// How regular the rows are, by those at some places.
struct Regular {
  double moved;  // share of A's rows that are the row before moved by one column: nearly 1 on a grid in order, nearly
                 // 0 on a mesh
  double repeated;  // share of rows of A·P whose products are those of a row shortly before, moved
};
Regular regular_rows(const Pattern& a, const Pattern& p) {
  constexpr std::int64_t kPlaces = 48;
  if (a.rows < 2) return {};
  std::int64_t moved = 0, repeated = 0;
  std::uint64_t shuffle = 0x9E3779B97F4A7C15U;
  for (std::int64_t place = 0; place < kPlaces; place++) {
    shuffle = shuffle * 6364136223846793005U + 1442695040888963407U;
    const auto i = 1 + static_cast<std::int64_t>((shuffle >> 33) % static_cast<std::uint64_t>(a.rows - 1));
    const Column *const row = a.col + a.ptr[i], *const before = a.col + a.ptr[i - 1];
    moved += a.length(i) == a.length(i - 1) &&
             std::equal(row, row + a.length(i), before, [](Column x, Column y) { return x == y + 1; });
    repeated += repeats(a, p, i) ? 1 : 0;
  }
  return {static_cast<double>(moved) / static_cast<double>(kPlaces),
          static_cast<double>(repeated) / static_cast<double>(kPlaces)};
}

// Measured on the 20 problems of bench/sets/multigrid.txt, and on aggregates of 23 real matrices and 11 meshes in RCM
// order. Where A is a grid and its aggregates are irregular, the fused way takes 0.95 to 1.2 of the time of two
// products, where they are regular 1 to 2; on meshes, in any order, 0.8 to 2 times (its branches are not
// predicted there, and two products have kernels without), on long rows up to 3.
constexpr double kRegular = 0.65;                         // share of A's rows that are moved ones, at least
constexpr double kRepeated = 0.3;                         // share of A·P's rows that direct-repeat takes, at most:
                                                          // with it two products take 0.53 to 0.96 of the time
constexpr double kShortestRows = 24, kLongestRows = 128;  // products of a row of A·P, on average
constexpr double kWidestSpan = 0.6;                       // of A's rows that a row of R spans, at most
constexpr double kFurthestBack = 2;  // spans that rows of R look back, on average at most: their order is another than
                                     // A's, and most of A·P is in the ring (aggregates along diagonals: 1.25 times)
constexpr double kMostTwice = 0.2;   // of A·P's rows that several workers make twice: a span at each border, at most

}  // namespace

GalerkinChoice choose_by_rows(std::int64_t r_rows, std::int64_t r_nnz, const Pattern& a, const Pattern& p,
                              const Settings& settings) {
  if (!settings.options.force.empty()) return {false, "an accumulator was forced"};
  if (a.rows == 0 || a.nnz() == 0 || p.nnz() == 0) return {false, "there is nothing to multiply"};
  if (p.cols > kMostPositions) return {false, "P has more than " + std::to_string(kMostPositions) + " columns"};
  if (is_hypersparse(r_rows, r_nnz) || is_hypersparse(a.rows, a.nnz()) || is_hypersparse(p.rows, p.nnz()))
    return {false, "most rows are empty"};
  const double products = static_cast<double>(a.nnz()) * static_cast<double>(p.nnz()) / static_cast<double>(p.rows) /
                          static_cast<double>(a.rows);
  if (products > kLongestRows || products < kShortestRows)
    return {false, "rows of A P have about " + rounded(products) + " products"};
  if (keeps_p_dense(a, p)) return {false, "P is so small that it is kept dense"};
  const Regular rows = regular_rows(a, p);
  if (rows.repeated >= kRepeated) return {false, rounded(100 * rows.repeated) + " % of A P's rows repeat earlier ones"};
  return {rows.moved >= kRegular, rounded(100 * rows.moved) + " % of A's rows are the row before moved by one column"};
}

GalerkinChoice choose_by_sizes(GalerkinChoice by_rows, const GalerkinSizes& sizes, const Pattern& a, int workers) {
  const auto share = [&](std::int64_t rows) { return static_cast<double>(rows) / static_cast<double>(a.rows); };
  const double span = share(sizes.window), back = share(sizes.looks_back);
  if (back > kFurthestBack * span) return {false, "rows of R look back on " + rounded(100 * back) + " % of A's rows"};
  by_rows.fused = span <= kWidestSpan && span * static_cast<double>(workers - 1) <= kMostTwice;
  by_rows.reason += ", rows of R span up to " + rounded(100 * span) + " % of A's rows";
  return by_rows;
}

}  // namespace rowan::fused
