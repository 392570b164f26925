#pragma once
// Where rows of A and C are cut for several devices: by what each block should have as much of.
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <rowan/rowan.hpp>

namespace device_cuts {

/// Rows [first, last) of a matrix.
inline rowan::Csr<double> block_of(const rowan::Csr<double>& a, std::int64_t first, std::int64_t last) {
  const auto ptr = a.row_ptr();
  const std::int64_t begin = ptr[static_cast<std::size_t>(first)], end = ptr[static_cast<std::size_t>(last)];
  rowan::Array<std::int64_t> row_ptr(last - first + 1);
  for (std::int64_t i = first; i <= last; i++) row_ptr[i - first] = ptr[static_cast<std::size_t>(i)] - begin;
  rowan::Array<std::int32_t> col(end - begin);
  rowan::Array<double> val(end - begin);
  std::copy_n(a.col().begin() + begin, end - begin, col.begin());
  std::copy_n(a.val().begin() + begin, end - begin, val.begin());
  return {last - first, a.cols(), std::move(row_ptr), std::move(col), std::move(val)};
}

/// Products of each row of A·A.
inline std::vector<std::int64_t> products(const rowan::Csr<double>& a) {
  const auto ptr = a.row_ptr();
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < a.rows(); i++) {
    std::int64_t sum = 0;
    for (std::int64_t e = ptr[static_cast<std::size_t>(i)]; e < ptr[static_cast<std::size_t>(i) + 1]; e++) {
      const auto j = static_cast<std::size_t>(a.col()[static_cast<std::size_t>(e)]);
      sum += ptr[j + 1] - ptr[j];
    }
    all.push_back(sum);
  }
  return all;
}

/// blocks + 1 rows, from 0 to all, so that blocks have as much of the rows' weights; the nearer border of a row.
inline std::vector<std::int64_t> even(const std::vector<std::int64_t>& weights, int blocks) {
  std::int64_t all = 0;
  for (const std::int64_t w : weights) all += w;
  std::vector<std::int64_t> first{0};
  std::int64_t sum = 0, row = 0;
  const auto rows = static_cast<std::int64_t>(weights.size());
  for (int k = 1; k < blocks; k++) {
    const std::int64_t goal = all / blocks * k;
    for (; row < rows; row++) {
      const std::int64_t mine = weights[static_cast<std::size_t>(row)];
      if (sum + mine / 2 > goal) break;
      sum += mine;
    }
    first.push_back(row);
  }
  first.push_back(rows);
  return first;
}

/// What blocks have as much of. The first is what DeviceGroup::distribute() takes for a row's time: products, entries
/// of A and a constant. DeltaSPARSE (ICPP 2025) cuts twice: by products for the symbolic phase, by entries of C for the
/// numeric one.
inline constexpr std::array kNames{"time", "nprod", "nnz(C)", "rows"};
enum Cut : std::uint8_t { kTime, kProducts, kEntries, kRows };

/// By cut: a weight for each row of A.
inline std::array<std::vector<std::int64_t>, kNames.size()> weights(const rowan::Csr<double>& a,
                                                                    std::span<const std::int64_t> c_ptr) {
  std::array<std::vector<std::int64_t>, kNames.size()> all;
  all[kProducts] = products(a);
  const auto ptr = a.row_ptr();
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.rows()); i++) {
    all[kTime].push_back(all[kProducts][i] + 4 * (ptr[i + 1] - ptr[i]) + 16);
    all[kEntries].push_back(c_ptr[i + 1] - c_ptr[i]);
    all[kRows].push_back(1);
  }
  return all;
}

/// Greatest over mean.
inline double imbalance(const std::vector<double>& times) {
  double most = 0, all = 0;
  for (const double t : times) most = std::max(most, t), all += t;
  return all > 0 ? most * static_cast<double>(times.size()) / all : 1;
}

}  // namespace device_cuts
