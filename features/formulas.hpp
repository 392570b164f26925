#pragma once
// The features' formulas, one place for hosts and devices (constexpr is what both can call).
#include <cmath>

#include "features/feature.hpp"
#include "lib/binning/tally.hpp"

namespace rowan {

/// The features of the rows that `t` sums up, in a product of `columns` columns.
[[nodiscard]] constexpr FeatureVector features_of(const Tally& t, std::int64_t columns,
                                                  float compression_ratio) noexcept {
  const auto ratio = [](double x, double y) { return y == 0 ? 0.0F : static_cast<float>(x / y); };
  const auto rows = static_cast<double>(t.rows), nprod = static_cast<double>(t.nprod);
  const auto set = [](FeatureVector& f, Feature name, auto value) { f[index(name)] = static_cast<float>(value); };
  const double mean = t.rows == 0 ? 0 : nprod / rows;
  const double variance = t.rows == 0 ? 0 : std::max(0.0, t.nprod_squares / rows - mean * mean);
  FeatureVector f{};
  set(f, Feature::row_nnz_max, t.bound_max);
  set(f, Feature::row_nnz_avg, ratio(static_cast<double>(t.bound), rows));
  set(f, Feature::c_sparsity, ratio(static_cast<double>(t.bound), rows * static_cast<double>(columns)));
  set(f, Feature::b_row_max, t.b_row_max);
  set(f, Feature::b_row_avg, ratio(nprod, static_cast<double>(t.a_nnz)));
  set(f, Feature::a_row_nnz_max, t.a_nnz_max);
  set(f, Feature::a_row_nnz_avg, ratio(static_cast<double>(t.a_nnz), rows));
  set(f, Feature::nprod_max, t.nprod_max);
  set(f, Feature::nprod_avg, mean);
  set(f, Feature::nprod_cv, ratio(std::sqrt(variance), mean));
  set(f, Feature::span_max, t.span_max);
  set(f, Feature::span_density, ratio(nprod, static_cast<double>(t.span)));
  set(f, Feature::run_ratio, ratio(static_cast<double>(t.in_runs), rows));
  set(f, Feature::shift_ratio, ratio(static_cast<double>(t.in_shifts), rows));
  set(f, Feature::compression_ratio, compression_ratio);
  set(f, Feature::rows, t.rows);
  set(f, Feature::nprod, t.nprod);
  set(f, Feature::columns, columns);
  return f;
}

}  // namespace rowan
