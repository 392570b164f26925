#include "lib/binning/lane_tally.hpp"

#include <numeric>

namespace rowan {

Tally LaneTally::sum() const noexcept {
  Tally t;
  t.rows = rows;
#define ROWAN_SUM(field, type, ...) \
  t.field = static_cast<type>(std::accumulate(field.begin(), field.end(), std::int64_t{0}));
#define ROWAN_MAX(field, type, ...) t.field = static_cast<type>(*std::max_element(field.begin(), field.end()));
#define ROWAN_SQUARES(field, ...) t.field = std::accumulate(field.begin(), field.end(), 0.0);
  ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_MAX, ROWAN_SQUARES, ROWAN_NO_FIELD)
#undef ROWAN_SUM
#undef ROWAN_MAX
#undef ROWAN_SQUARES
  return t;
}

void LaneTallies::add_to(BinTallies& tallies) const noexcept {
  for (std::size_t key = 0; key < tally_.size(); key++)
    if (used_[key]) tallies.add(key, tally_[key].sum());
}

}  // namespace rowan
