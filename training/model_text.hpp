#pragma once
// A fitted policy as the JSON that models/load.cpp reads.
#include <string>

#include <nlohmann/json.hpp>

#include "training/fit.hpp"

namespace rowan::training {

/// `machines`, "hosts" or "devices", and `provenance` stand in it as they are. One node a line.
[[nodiscard]] std::string model_text(const FittedPolicy& fitted, const std::string& machines,
                                     const nlohmann::ordered_json& provenance);

/// The float with the fewest digits that give the same float.
[[nodiscard]] nlohmann::ordered_json json_number(float value);

}  // namespace rowan::training
