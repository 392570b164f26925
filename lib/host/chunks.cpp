#include "lib/host/chunks.hpp"

#include "lib/host/count_products.hpp"

namespace rowan {
namespace {

/// Entries of the longest of some rows; of few together, what all have.
std::int64_t longest_row(const Pattern& a, std::int64_t first, std::int64_t last) {
  const std::int64_t all = a.ptr[last] - a.ptr[first];
  if (all <= kProductsTogether) return all;
  std::int64_t longest = 0;
  for (std::int64_t i = first; i < last; i++) longest = std::max(longest, a.length(i));
  return longest;
}

/// Appends rows [first, last), in chunks of about `nprod` products. `b`: null where each entry of A is one.
void cut_block(const Pattern& a, const Pattern* b, std::int64_t first, std::int64_t last, std::int64_t nprod,
               UnmeasuredRows& rows) {
  constexpr std::int64_t kCounts = 64;  // at a time
  std::int64_t counts[kCounts];
  Chunk next{first, first, 0};
  for (std::int64_t i = first, known = kCounts; i < last; i = next.last, known++) {
    if (b != nullptr && known == kCounts) {
      const std::int64_t upto = std::min(last, i + kCounts * kCountedTogether);
      rows.longest = std::max(rows.longest, count_products(a, *b, i, upto, counts));
      known = 0;
    }
    next.last = std::min(last, i + kCountedTogether);
    const std::int64_t n = b != nullptr ? counts[known] : a.ptr[next.last] - a.ptr[i];
    if (b == nullptr) rows.longest = std::max(rows.longest, longest_row(a, i, next.last));
    rows.nprod += n, next.bound += n;
    if (next.bound + (next.last - next.first) * kRowCost < nprod && next.last < last) continue;
    rows.chunks.push_back(next);
    next = {next.last, next.last, 0};
  }
}

UnmeasuredRows cut_all(const Pattern& a, const Pattern* b, std::int64_t about, const Team& team) {
  constexpr std::int64_t kBlock = 1 << 13;
  constexpr std::int64_t kLeast = 1024, kMost = 8192;  // products of a chunk: 3 to 12 microseconds
  constexpr std::int64_t kChunks = 96;  // of a worker: to race candidates takes it a few (with 11: 1.8 times as long)
  const std::int64_t nprod = std::clamp(about / (kChunks * team.size()), kLeast, kMost);
  const std::int64_t together = team.size() == 1 ? a.rows : kBlock;
  std::vector<UnmeasuredRows> blocks(static_cast<std::size_t>((a.rows + together - 1) / together));
  team.for_blocks(a.rows, together, [&](std::int64_t from, std::int64_t to) {
    cut_block(a, b, from, to, nprod, blocks[static_cast<std::size_t>(from / together)]);
  });
  UnmeasuredRows all;
  for (const UnmeasuredRows& block : blocks) {
    all.chunks.insert(all.chunks.end(), block.chunks.begin(), block.chunks.end());
    all.nprod += block.nprod, all.longest = std::max(all.longest, block.longest);
  }
  return all;
}

}  // namespace

UnmeasuredRows cut_unmeasured(const Pattern& a, const Pattern& b, std::int64_t about, const Team& team) {
  return cut_all(a, &b, about, team);
}

UnmeasuredRows cut_by_entries(const Pattern& a, const Team& team) {
  return cut_all(a, nullptr, a.nnz(), team);
}

}  // namespace rowan
