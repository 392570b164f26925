#pragma once

#include <string>

#include "lib/io/buffer.hpp"

namespace rowan::io {

/// What messages call the input `path`: the path itself, "<stdin>" for "-".
[[nodiscard]] std::string source_name(const std::string& path);

/// All bytes of a file, of standard input for "-"; gzip is inflated. Throws Error{io}, Error{parse} for broken gzip.
[[nodiscard]] Buffer read_source(const std::string& path);

}  // namespace rowan::io
