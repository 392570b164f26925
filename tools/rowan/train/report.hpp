#pragma once
// The report of a training, the JSON document that training/train.hpp makes, in its other forms.
#include <string>

#include <nlohmann/json.hpp>

namespace rowan::tool::train {

[[nodiscard]] std::string text(const nlohmann::ordered_json& report);

/// Throws UsageError for a file name that ends in none of .json, .html, .txt.
void check_report_name(const std::string& file_name);

/// The report in the form that the file's name asks for; .html is a page that page/train.js draws.
[[nodiscard]] std::string render(const nlohmann::ordered_json& report, const std::string& file_name);

}  // namespace rowan::tool::train
