#pragma once
// Rows in order, cut into pieces of about equal products: what a worker takes at once.
#include <vector>

#include "lib/core/row_work.hpp"

namespace rowan {

struct Chunk {
  std::int64_t first, last;  // rows
  std::int64_t bound;        // entries of C in them, at most
};

/// Pieces of about `nprod` products each (single rows may have more); empty rows count a little, so that a matrix of
/// them is cut too. Where the cuts are depends on the rows alone.
[[nodiscard]] inline std::vector<Chunk> cut(const RowWork* rows, std::int64_t n, std::int64_t nprod) {
  constexpr std::int64_t kRowCost = 4;  // products that a row costs by itself
  std::vector<Chunk> chunks;
  std::int64_t work = 0;
  Chunk next{0, 0, 0};
  for (std::int64_t i = 0; i < n;) {
    const RowWork& row = rows[i];
    const std::int64_t mine = std::min<std::int64_t>(row.nprod, nprod) + kRowCost;
    if (work != 0 && work + mine > nprod) {
      next.last = i;
      chunks.push_back(next);
      next = {i, i, 0}, work = 0;
    }
    std::int64_t taken = 1;
    if (const std::int64_t alike = std::max(row.run.rows, row.run.shifts);
        alike > 1)  // a run's rows have the same work
      taken = std::min({alike, n - i, std::max<std::int64_t>(1, (nprod - work) / mine)});
    work += taken * mine, next.bound += taken * row.bound(), i += taken;
  }
  next.last = n;
  if (next.first < n) chunks.push_back(next);
  return chunks;
}

}  // namespace rowan
