#pragma once
// Tallies of bins by lanes, for who adds several rows at once: of a bin, each lane sums up the rows that it met.
#include <array>

#include "lib/binning/bins.hpp"

namespace rowan {

struct alignas(64) LaneTally {
  static constexpr std::size_t kLanes = 8;  // at most; vectors may have fewer
  template <class N>
  using Lanes = std::array<N, kLanes>;

  Lanes<std::int64_t> nprod{}, nprod_max{}, bound{}, bound_max{}, a_nnz{}, a_nnz_max{}, span{}, span_max{}, b_row_max{};
  Lanes<double> nprod_squares{};
  std::int64_t rows = 0;

  [[nodiscard]] Tally sum() const noexcept;
};

class LaneTallies {
 public:
  [[nodiscard]] LaneTally& of(std::size_t key) noexcept {
    LaneTally& tally = tally_[key];
    if (!used_[key]) tally = {}, used_[key] = true;
    return tally;
  }
  void add_to(BinTallies& tallies) const noexcept;

 private:
  std::array<bool, BinKey::kCount> used_{};
  std::array<LaneTally, BinKey::kCount> tally_;  // set where used: zeroing all took longer than adding to some
};

}  // namespace rowan
