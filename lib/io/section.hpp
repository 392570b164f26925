#pragma once

#include <string_view>

#include "lib/io/output.hpp"

namespace rowan::io {

/// Writes bytes as they stand, or gzipped in members of a megabyte each, in parallel.
void write_section(Output& output, std::string_view bytes, bool gzip);

}  // namespace rowan::io
