#pragma once

#include <string>

#include "lib/io/output.hpp"
#include <rowan/io.hpp>

namespace rowan::io {

/// write_matrix but for the last step: commit() of the result.
[[nodiscard]] Output write_uncommitted(const std::string& path, const CsrView<double>& matrix, Format format,
                                       const Progress& progress);

}  // namespace rowan::io
