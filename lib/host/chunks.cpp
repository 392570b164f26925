#include "lib/host/chunks.hpp"

namespace rowan {
namespace {

constexpr std::int64_t kTogether =
    8;  // rows whose products are counted in one loop: no branch depends on where one ends

/// Products of rows [first, last). `b`: null where each entry of A is one.
std::int64_t count_products(const Pattern& a, const Pattern* b, std::int64_t first, std::int64_t last) {
  if (b == nullptr) return a.ptr[last] - a.ptr[first];
  std::int64_t n = 0;
  for (std::int64_t k = a.ptr[first], end = a.ptr[last]; k < end; k++) n += b->length(a.col[k]);
  return n;
}

/// Of some rows.
struct Products {
  std::int64_t all = 0, longest = 0;
};

Products count_row_by_row(const Pattern& a, const Pattern* b, std::int64_t first, std::int64_t last) {
  Products rows;
  for (; first < last; first++) {
    const std::int64_t n = count_products(a, b, first, first + 1);
    rows.all += n, rows.longest = std::max(rows.longest, n);
  }
  return rows;
}

/// Where rows are short and have few products together, `longest` is what all have.
Products count_rows(const Pattern& a, const Pattern* b, std::int64_t first, std::int64_t last) {
  constexpr std::int64_t kLongRows = 10 * kTogether;  // entries; then where a row ends costs little
  constexpr std::int64_t kShort = 512;                // products
  if (b != nullptr && a.ptr[last] - a.ptr[first] > kLongRows) return count_row_by_row(a, b, first, last);
  const std::int64_t n = count_products(a, b, first, last);
  return n > kShort ? count_row_by_row(a, b, first, last) : Products{n, n};
}

/// Appends rows [first, last), in chunks of about `nprod` products.
void cut_block(const Pattern& a, const Pattern* b, std::int64_t first, std::int64_t last, std::int64_t nprod,
               UnmeasuredRows& rows) {
  Chunk next{first, first, 0};
  for (std::int64_t i = first; i < last; i += kTogether) {
    next.last = std::min(last, i + kTogether);
    const Products n = count_rows(a, b, i, next.last);
    rows.nprod += n.all, rows.longest = std::max(rows.longest, n.longest);
    next.bound += n.all;
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
