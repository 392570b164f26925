#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace rowan::tool {

/// A document for people and programs, indented by `indent` blanks. Bytes in names that are not UTF-8 are replaced.
[[nodiscard]] inline std::string json_text(const nlohmann::ordered_json& json, int indent = 2) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace rowan::tool
