#pragma once
// What the times mean: which contestant was best, and by how much.
#include <nlohmann/json.hpp>

namespace rowan::tool::bench {

/// Adds to the record of a product `rowan` (its time), `best_peer`, `ratio_to_best_peer` (above 1: rowan is faster),
/// `ratio_to_floor`, `ratio_to_touch_floor` and `memory` (peak over A, B and C); the same under `reuse` where
/// contestants with a known pattern took part.
void judge(nlohmann::ordered_json& product);

/// Over all products of a report: geomeans, the least ratio, and the products where rowan was slower.
[[nodiscard]] nlohmann::ordered_json summarize(const nlohmann::ordered_json& products);

}  // namespace rowan::tool::bench
