#pragma once
// A report, the JSON document that `rowan bench` makes, in its other forms.
#include <string>

#include <nlohmann/json.hpp>

namespace rowan::tool::bench {

/// "graphblas, mkl (why); scipy (why)": the peers that were looked for and not found; empty where all were.
[[nodiscard]] std::string not_found(const nlohmann::ordered_json& report);

/// Tables for a terminal.
[[nodiscard]] std::string text(const nlohmann::ordered_json& report);

/// One line for each product and contestant.
[[nodiscard]] std::string csv(const nlohmann::ordered_json& report);

/// A table for documents, a line for each product.
[[nodiscard]] std::string markdown(const nlohmann::ordered_json& report);

/// Throws UsageError for a file name that ends in none of .json, .csv, .html, .md, .txt.
void check_report_name(const std::string& file_name);

/// The report in the form that the file's name asks for; .html is a page that page/bench.js draws.
[[nodiscard]] std::string render(const nlohmann::ordered_json& report, const std::string& file_name);

}  // namespace rowan::tool::bench
