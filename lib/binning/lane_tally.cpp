#include "lib/binning/lane_tally.hpp"

#include <numeric>

namespace rowan {

Tally LaneTally::sum() const noexcept {
  const auto total = [](const Lanes<std::int64_t>& lanes) {
    return std::accumulate(lanes.begin(), lanes.end(), std::int64_t{0});
  };
  const auto most = [](const Lanes<std::int64_t>& lanes) { return *std::max_element(lanes.begin(), lanes.end()); };
  Tally t;
  t.rows = rows;
  t.nprod = static_cast<Offset>(total(nprod)), t.nprod_max = static_cast<Offset>(most(nprod_max));
  t.bound = static_cast<Offset>(total(bound)), t.bound_max = static_cast<Offset>(most(bound_max));
  t.a_nnz = static_cast<Offset>(total(a_nnz)), t.a_nnz_max = static_cast<Offset>(most(a_nnz_max));
  t.span = total(span), t.span_max = most(span_max);
  t.b_row_max = most(b_row_max);
  t.nprod_squares = std::accumulate(nprod_squares.begin(), nprod_squares.end(), 0.0);
  return t;
}

void LaneTallies::add_to(BinTallies& tallies) const noexcept {
  for (std::size_t key = 0; key < tally_.size(); key++)
    if (used_[key]) tallies.add(key, tally_[key].sum());
}

}  // namespace rowan
