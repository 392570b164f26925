#include "features/pattern_facts.hpp"

#include <algorithm>
#include <mutex>

#include "features/pattern_block.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

// Below, what is known of all rows is in the second-level cache, and leaving ranges out saves little.
constexpr std::int64_t kManyRows = 1 << 16;

void find_ranges(const Pattern& m, std::int64_t from, std::int64_t to, PatternFacts& facts) {
  for (std::int64_t i = from; i < to; i++) {
    if (m.length(i) == 0) continue;
    const auto [lo, hi] = std::minmax_element(m.col + m.ptr[i], m.col + m.ptr[i + 1]);
    facts.row[i] = {*lo >> facts.unit, *hi >> facts.unit, m.length(i)};
  }
}

}  // namespace

PatternFacts pattern_facts(const Pattern& m, const Team& team) {
  PatternFacts facts;
  facts.row = Array<BRow>(m.rows);
  facts.run = Array<RowRun>(m.rows);
  while (m.cols >> facts.unit >= std::int64_t{BRow::kNoColumn}) facts.unit++;
  std::mutex merging;
  BlockFacts all;
  team.for_blocks(m.rows, kPatternBlock, [&](std::int64_t from, std::int64_t to) {
    const BlockFacts mine = classify_rows(m, from, to, facts);
    const std::lock_guard lock(merging);
    all.rising = all.rising && mine.rising, all.longest = std::max(all.longest, mine.longest);
    all.linked += mine.linked, all.far += mine.far;
  });
  facts.sorted = all.rising, facts.longest = all.longest;
  if (facts.longest > INT32_MAX) throw Error(ErrorCode::overflow, "a row has more than 2147483647 entries");
  if (!facts.sorted)
    team.for_blocks(m.rows, kPatternBlock,
                    [&](std::int64_t from, std::int64_t to) { find_ranges(m, from, to, facts); });
  facts.scattered = all.rising && m.rows >= kManyRows && all.far > m.rows - m.rows / 8 && all.linked < m.rows / 8;
  if (!facts.scattered) return facts;
  facts.length = Array<std::uint8_t>(m.rows);
  team.for_blocks(m.rows, kPatternBlock, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; i++)
      facts.length[i] = static_cast<std::uint8_t>(std::min<std::uint64_t>(facts.row[i].word & 0xffff, 255));
  });
  return facts;
}

}  // namespace rowan
