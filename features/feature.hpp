#pragma once
// The features by name: what policies may ask about, what inspect prints, in one table.
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rowan {

enum class Feature : std::uint8_t {
  row_nnz_max,
  row_nnz_avg,
  c_sparsity,
  b_row_max,
  b_row_avg,
  a_row_nnz_max,
  a_row_nnz_avg,
  nprod_max,
  nprod_avg,
  nprod_cv,
  span_max,
  span_density,
  run_ratio,
  shift_ratio,
  compression_ratio,
  rows,
  nprod,
  columns,
  b_rows,
  b_uses,
  vector_bytes,
  repeat_ratio,
};

struct FeatureInfo {
  std::string_view name;
  std::string_view meaning;
};

/// In the order of the enumeration. The first four are the original design's and always measured.
inline constexpr std::array<FeatureInfo, 22> kFeatures{{
    {"row_nnz_max", "entries of C's longest row: its upper bound before the symbolic phase, exact after"},
    {"row_nnz_avg", "entries of C's rows on average: upper bound before the symbolic phase, exact after"},
    {"c_sparsity", "share of C's positions that hold an entry (its density), from row_nnz_avg"},
    {"b_row_max", "longest row of B that is met"},
    {"b_row_avg", "products for each entry of A: average length of the rows of B that are met"},
    {"a_row_nnz_max", "entries of A's longest row"},
    {"a_row_nnz_avg", "entries of A's rows on average"},
    {"nprod_max", "products of the row that has most"},
    {"nprod_avg", "products of a row on average"},
    {"nprod_cv", "standard deviation of a row's products over their average"},
    {"span_max", "columns from the first to the last entry of a row of C, at most"},
    {"span_density", "products for each column of the rows' spans"},
    {"run_ratio", "share of rows whose pattern in A equals a neighbour's"},
    {"shift_ratio", "share of rows in runs of 8 and more whose products are the row before's moved by one column"},
    {"compression_ratio", "products for each entry of C, from a sample of rows; 0 where not measured"},
    {"rows", "rows"},
    {"nprod", "products"},
    {"columns", "columns of C"},
    {"b_rows", "rows of B; 0 on devices"},
    {"b_uses",
     "entries of A for each row of B: how often one is met, by each thread where rows are sampled; 0 on devices"},
    {"vector_bytes", "bytes of a vector of the instruction set in use; 0 on devices"},
    {"repeat_ratio",
     "share of products in rows whose products are those of one of the four rows before, moved by any number of "
     "columns; of a sample, else 0"},
}};

using FeatureVector = std::array<float, kFeatures.size()>;

[[nodiscard]] constexpr std::size_t index(Feature f) noexcept {
  return static_cast<std::size_t>(f);
}

[[nodiscard]] constexpr std::optional<Feature> feature_named(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kFeatures.size(); i++)
    if (kFeatures[i].name == name) return static_cast<Feature>(i);
  return std::nullopt;
}

}  // namespace rowan
