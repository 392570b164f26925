#pragma once
// Rows in order, cut into pieces of about equal products: what a worker takes at a time.
#include <vector>

#include "lib/binning/rows.hpp"
#include "lib/core/parallel.hpp"
#include "lib/core/pattern.hpp"

namespace rowan {

struct Chunk {
  std::int64_t first, last;  // rows
  std::int64_t bound;        // entries of C in them, at most
};

inline constexpr std::int64_t kRowCost = 4;  // products that a row costs by itself

/// cut() for rows [begin, n): appends to `chunks`.
inline void cut_block(const CRow* rows, std::int64_t begin, std::int64_t n, std::int64_t nprod,
                      std::vector<Chunk>& chunks) {
  std::int64_t work = 0;
  Chunk next{begin, begin, 0};
  for (std::int64_t i = begin; i < n;) {
    const CRow& row = rows[i];
    const std::int64_t mine = std::min<std::int64_t>(row.nprod, nprod) + kRowCost;
    const std::int64_t alike = std::min<std::int64_t>(std::max(row.run.rows, row.run.shifts), n - i);
    const std::int64_t together = std::min<std::int64_t>({kSummedRows, row.run.rows, n - i});
    if (work != 0 && work + together * mine > nprod) {
      // whole groups of rows, unless that cuts a run
      const std::int64_t more = i - next.first > kRowsTogether ? (i - next.first) % kRowsTogether : 0;
      if (more > 0 && !rows[i - more].run.in_run())
        for (std::int64_t r = 0; r < more; r++) next.bound -= rows[--i].bound();
      next.last = i;
      chunks.push_back(next);
      next = {i, i, 0}, work = 0;
      continue;
    }
    std::int64_t taken = together;
    if (alike > together) {  // a run's rows have the same work
      const std::int64_t most = std::min(alike, std::max(together, (nprod - work) / mine));
      taken = most == alike && alike < 255 ? alike : most / together * together;  // 255: and maybe more
    }
    work += taken * mine, next.bound += taken * row.bound(), i += taken;
  }
  next.last = n;
  if (next.first < n) chunks.push_back(next);
}

/// Rows whose cuts one worker finds: no run reaches over a border (kPatternBlock in features/pattern_block.hpp).
inline constexpr std::int64_t kCutRows = 1 << 16;

/// Pieces of about `nprod` products each (single rows may have more); empty rows count a little, so that a matrix of
/// them is cut too. Equal rows that are multiplied together stay together: cut anywhere, one in seven of fem3's runs
/// was multiplied in two parts. Rows that are in no run are cut by eights. Where the cuts are depends on the rows
/// alone.
[[nodiscard]] inline std::vector<Chunk> cut(const CRow* rows, std::int64_t n, std::int64_t nprod, const Team& team) {
  std::vector<std::vector<Chunk>> blocks(static_cast<std::size_t>((n + kCutRows - 1) / kCutRows));
  team.for_blocks(n, kCutRows, [&](std::int64_t from, std::int64_t to) {
    cut_block(rows, from, to, nprod, blocks[static_cast<std::size_t>(from / kCutRows)]);
  });
  std::vector<Chunk> chunks;
  for (const std::vector<Chunk>& block : blocks) chunks.insert(chunks.end(), block.begin(), block.end());
  return chunks;
}

/// The same for one worker, who needs no balance and no bounds: as many rows each as have `nprod` products on average,
/// of `all` products. To read all rows was 2 to 3 % of matrices of short rows.
[[nodiscard]] inline std::vector<Chunk> cut_for_one(const CRow* rows, std::int64_t n, std::int64_t all,
                                                    std::int64_t nprod) {
  std::vector<Chunk> chunks;
  const std::int64_t pieces = std::min(std::max<std::int64_t>(n, 1), all / nprod + n * kRowCost / nprod + 1);
  std::int64_t each = (n + pieces - 1) / pieces;
  if (each > kRowsTogether) each -= each % kRowsTogether;
  for (std::int64_t first = 0; first < n;) {
    std::int64_t last = std::min(n, first + each);
    for (std::int64_t r = 1; r < kSummedRows && last < n && rows[last].run.same; r++) last++;
    chunks.push_back({first, last, 0});
    first = last;
  }
  return chunks;
}

/// Rows cut by their products alone, which is all that is known of them.
struct UnmeasuredRows {
  std::vector<Chunk> chunks;
  std::int64_t nprod = 0;
  std::int64_t longest = 0;  // products of a row, at most
};
/// `about`: products of all rows, roughly.
[[nodiscard]] UnmeasuredRows cut_unmeasured(const Pattern& a, const Pattern& b, std::int64_t about, const Team& team);
/// The same where every row of B has one entry.
[[nodiscard]] UnmeasuredRows cut_by_entries(const Pattern& a, const Team& team);

}  // namespace rowan
