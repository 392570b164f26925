#pragma once
// Whether a fitted model is better than the policy in force, on families that neither saw.
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "training/validate.hpp"

namespace rowan::training {

/// What a multiplication would follow where nothing is asked for.
struct InForce {
  const Policy* policy = nullptr;        // null: not known, no verdict
  std::string from = "compiled in";      // or a file
  std::set<std::string> fitted_to = {};  // hashes of products
};

/// {"in_force", "from", "seen": products that it was fitted to, "compared": the others, "families" of those,
/// "model_geomean", "in_force_geomean": numeric phase over the best known, "better", "worse": families by more than a
/// hundredth, "recommended": "model", "in force" or null, "words"}. `held_out` is null where nothing was held out.
[[nodiscard]] nlohmann::ordered_json verdict(const TrainingSet& set, const HeldOut* held_out, const InForce& in_force);

}  // namespace rowan::training
