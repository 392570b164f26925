#pragma once

#include <optional>

#include "lib/io/entries.hpp"
#include "lib/io/fault.hpp"

namespace rowan::io {

/// What a chunk of whole lines holds.
struct Parsed {
  EntryPiece entries;              ///< those before the fault, where there is one
  long long lines = 0;             ///< that ended before the fault, or all
  std::optional<TextFault> fault;  ///< the chunk's first
};

/// Parses the lines of [begin, end), the last of which ends with '\n'. Memory is reserved for the most entries that
/// this number of bytes can hold, and cut to size afterwards. Values of arrays do not get their positions yet.
[[nodiscard]] Parsed parse_chunk(const char* begin, const char* end, const Header& header);

}  // namespace rowan::io
