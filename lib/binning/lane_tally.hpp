#pragma once
// Tallies of bins by lanes, for who adds several rows at once: of a bin, each lane sums up the rows that it met.
#include <array>

#include "lib/binning/bins.hpp"

namespace rowan {

struct alignas(64) LaneTally {
  static constexpr std::size_t kLanes = 8;  // at most; vectors may have fewer
  template <class N>
  using Lanes = std::array<N, kLanes>;

  // flags are left out: rows in runs are added one by one
#define ROWAN_NUMBER(field, ...) Lanes<std::int64_t> field{};
#define ROWAN_SQUARES(field, ...) Lanes<double> field{};
  ROWAN_TALLY_FIELDS(ROWAN_NUMBER, ROWAN_NUMBER, ROWAN_SQUARES, ROWAN_NO_FIELD)
#undef ROWAN_NUMBER
#undef ROWAN_SQUARES
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
