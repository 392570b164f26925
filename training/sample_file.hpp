#pragma once
// Measurements as text: a JSON object a line, one line a product. Files can be read by people, put together with cat,
// and added to where a run was broken off.
#include <filesystem>
#include <string>
#include <vector>

#include "training/sample.hpp"

namespace rowan::training {

/// One line, without its end.
[[nodiscard]] std::string line_of(const ProductSample& sample);

/// All lines of a file; empty ones say nothing. Throws Error{io}, or Error{parse} naming file, line and what is wrong
/// with it: not JSON, another version, unknown or missing features and candidates, times that are none.
[[nodiscard]] std::vector<ProductSample> read_samples(const std::filesystem::path& file);

/// Adds a line to the file, which is made where there is none. Throws Error{io}.
void append_sample(const std::filesystem::path& file, const ProductSample& sample);

}  // namespace rowan::training
