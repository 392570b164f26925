#pragma once
// How a pattern becomes a matrix. Values depend on an entry's position and the seed alone, not on
// the thread that makes the entry, or when.
#include <functional>
#include <vector>

#include "lib/core/parallel.hpp"
#include <rowan/csr.hpp>

namespace rowan::gen {

struct Build {
  std::int64_t rows = 0, cols = 0;
  std::int64_t seed = 0;
  bool symmetric = false;  // the pattern is: so will the values be
};

/// Calls row(i, columns) once for every row, in any order, which appends the row's columns, rising.
[[nodiscard]] Csr<double> from_rows(const Build& build,
                                    const std::function<void(std::int64_t, std::vector<std::int32_t>&)>& row);

/// Pairs (i, j) as i << 32 | j.
using Pairs = std::vector<std::uint64_t>;

/// The entries that are in any of the lists; those that come several times count once.
[[nodiscard]] Csr<double> from_pairs(const Build& build, std::vector<Pairs> lists);

/// The same, where item(k, emit) calls emit(i, j) for the entries of k, for every k in [0, items) in any order.
template <class F>
[[nodiscard]] Csr<double> from_pairs(const Build& build, std::int64_t items, const F& item) {
  constexpr std::int64_t kGrain = 1 << 15;
  std::vector<Pairs> lists(static_cast<std::size_t>((items + kGrain - 1) / kGrain));
  Team().for_blocks(items, kGrain, [&](std::int64_t first, std::int64_t last) {
    Pairs& list = lists[static_cast<std::size_t>(first / kGrain)];
    const auto emit = [&](std::int64_t i, std::int64_t j) { list.push_back(static_cast<std::uint64_t>(i << 32 | j)); };
    for (std::int64_t k = first; k < last; k++) item(k, emit);
  });
  return from_pairs(build, std::move(lists));
}

}  // namespace rowan::gen
