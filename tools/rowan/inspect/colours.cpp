// What stands for a candidate in pages and pictures.
#include <array>

#include "accumulators/candidates.hpp"
#include "tools/rowan/inspect/inspected.hpp"

namespace rowan::tool {

std::string colour_of(std::size_t candidate) {
  // dense-window and dense-run, which most pictures have both, are orange and purple
  constexpr std::array kColours{"#7c8797", "#a8a29e", "#2f6fde", "#38a3d1", "#7aa5f5", "#e07b1f",
                                "#b45fc9", "#d1495b", "#c8960c", "#1f9d6b", "#6bbf3a", "#0d9488"};
  return kColours[candidate % kColours.size()];
}

std::vector<std::uint8_t> candidates_of_bins(const Inspection& in) {
  std::vector<std::uint8_t> ids;
  for (const BinReport& bin : in.bins) ids.push_back(candidate_named(bin.candidate).value_or(kLastResort));
  return ids;
}

}  // namespace rowan::tool
