#include "lib/binning/bins.hpp"

namespace rowan {

std::string BinKey::label(const std::string& what, std::span<const std::int64_t> borders) const {
  if (empty()) return "empty";
  if (direct()) return "one entry";  // of A
  const auto c = static_cast<std::size_t>(parts().row_class);
  const std::string from = std::to_string(c == 0 ? 1 : borders[c - 1] + 1);
  std::string text =
      what + " " +
      (c + 1 == borders.size() ? "over " + std::to_string(borders[c - 1]) : from + "-" + std::to_string(borders[c]));
  if (wide()) text += ", wide";
  if (run()) text += ", run";
  if (shift()) text += ", shift";
  return text;
}

void BinTallies::add(const BinTallies& block) noexcept {
  for (std::size_t b = 0; b < tally_.size(); b++)
    if (block.tally_[b].rows != 0) tally_[b].add(block.tally_[b]);
}

Bins BinTallies::bins(Array<std::uint8_t> key_of_row) const {
  Bins result;
  result.key_of_row = std::move(key_of_row);
  for (std::size_t b = 0; b < tally_.size(); b++) {
    if (tally_[b].rows == 0) continue;
    result.bin_of_key[b] = static_cast<std::uint8_t>(result.bins.size());
    result.bins.push_back({BinKey(static_cast<int>(b)), tally_[b]});
  }
  return result;
}

Bins one_bin(const Tally& all) {
  CRow largest;
  largest.nprod = all.nprod_max, largest.hi = static_cast<Column>(all.span_max - 1);
  Bins result;
  result.bins.push_back({BinKey::of(largest, all.a_nnz_max), all});
  return result;
}

}  // namespace rowan
