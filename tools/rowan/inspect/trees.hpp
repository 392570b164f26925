#pragma once
// The trees that a policy chooses bins' accumulators by, for pages that draw them.
#include <optional>

#include <nlohmann/json.hpp>

#include "models/policy.hpp"
#include "tools/rowan/common.hpp"
#include <rowan/inspection.hpp>

namespace rowan::tool {

/// {"name": the decision, "scored", "relative_to", "nodes", "roots": [{"of", "node"}]}. A node is [feature, threshold,
/// next where less, next elsewhere, where no number goes: whether less], or a leaf: [value] where scored, else [[names,
/// best first]].
[[nodiscard]] nlohmann::ordered_json json_of(const Tree& tree, Decision decision);

/// Those that chose bins' accumulators; empty where no policy's trees did (--force).
[[nodiscard]] std::optional<nlohmann::ordered_json> trees_of(const Common& common, const Inspection& inspection);

}  // namespace rowan::tool
