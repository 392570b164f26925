#pragma once
// A fitted policy as the JSON that models/load.cpp reads.
#include <string>

#include <nlohmann/json.hpp>

#include "training/fit.hpp"

namespace rowan::training {

/// `provenance` stands in it as it is. One node a line.
[[nodiscard]] std::string model_text(const FittedPolicy& fitted, const nlohmann::ordered_json& provenance);

/// The float with the fewest digits that give the same float.
[[nodiscard]] nlohmann::ordered_json json_number(float value);

}  // namespace rowan::training
