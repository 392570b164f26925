#pragma once
// What R·A·P will have, counted before anything is multiplied.
#include <vector>

#include "lib/host/chunks.hpp"

namespace rowan::fused {

struct GalerkinSizes {
  std::int64_t cols = 0;            // of C
  std::int64_t nprod_ap = 0;        // products of A·P
  std::int64_t longest_middle = 0;  // entries of a row of A·P, at most
  std::int64_t longest = 0;         // of C, at most
  std::int64_t bound = 0;           // entries of C, at most
  std::int64_t window = 0;          // rows of A·P from the first to the last that a row of C needs, at most
  std::vector<Chunk> chunks;        // of C's rows, with about equal entries of R
};

/// `pieces`: chunks, about. O(rows + nnz of A), parallel. No chunks where C could have more than kMaxOffset entries.
[[nodiscard]] GalerkinSizes galerkin_sizes(const Pattern& r, const Pattern& a, const Pattern& p, std::int64_t pieces,
                                           const Team& team);

}  // namespace rowan::fused
