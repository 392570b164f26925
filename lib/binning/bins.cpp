#include "lib/binning/bins.hpp"

#include <mutex>

namespace rowan {
namespace {

constexpr std::int64_t kGrain = 1 << 14;  // rows a task: about 50 us

}  // namespace

BinKey BinKey::of(const RowWork& row, std::int64_t a_nnz) noexcept {
  return BinKey(index_of({row.nprod, row.nprod, row.span(), a_nnz, row.run.in_run()}, kBinBorders.data(), kNarrowSpan));
}

std::string BinKey::label(const std::string& what, std::span<const std::int64_t> borders) const {
  if (empty()) return "empty";
  if (direct()) return "direct";
  const auto c = static_cast<std::size_t>((index_ - kFirstClass) / 4);
  const std::string from = std::to_string(c == 0 ? 1 : borders[c - 1] + 1);
  std::string text =
      what + " " +
      (c + 1 == borders.size() ? "over " + std::to_string(borders[c - 1]) : from + "-" + std::to_string(borders[c]));
  if (wide()) text += ", wide";
  if (run()) text += ", run";
  return text;
}

Bins bin_rows(const Pattern& a, const RowWork* rows, const Team& team) {
  Bins result;
  result.key_of_row = Array<std::uint8_t>(a.rows);
  std::array<Tally, BinKey::kCount> total{};
  std::mutex merging;
  team.for_blocks(a.rows, kGrain, [&](std::int64_t from, std::int64_t to) {
    std::array<Tally, BinKey::kCount> mine{};
    for (std::int64_t i = from; i < to; i++) {
      const BinKey key = BinKey::of(rows[i], a.length(i));
      result.key_of_row[i] = static_cast<std::uint8_t>(key.index());
      mine[static_cast<std::size_t>(key.index())].add(rows[i], a.length(i), rows[i].bound());
    }
    const std::lock_guard lock(merging);
    for (std::size_t b = 0; b < mine.size(); b++)
      if (mine[b].rows != 0) total[b].add(mine[b]);
  });
  for (std::size_t b = 0; b < total.size(); b++) {
    if (total[b].rows == 0) continue;
    result.slot[b] = static_cast<std::uint8_t>(result.bins.size());
    result.bins.push_back({BinKey(static_cast<int>(b)), total[b]});
  }
  return result;
}

Bins one_bin(const Tally& all) {
  RowWork largest;
  largest.nprod = all.nprod_max, largest.hi = static_cast<std::int32_t>(all.span_max - 1);
  Bins result;
  result.bins.push_back({BinKey::of(largest, all.a_nnz_max), all});
  return result;
}

}  // namespace rowan
