#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/io/header.hpp"
#include <rowan/memory.hpp>

namespace rowan::io {

/// One stored entry, its indices counted from 0 and inside the matrix.
struct Entry {
  std::int32_t row;
  std::int32_t col;
  double value;
};

/// The entries of a Matrix Market file as they stand, in pieces: one behind the other they are in the file's order.
/// Mirrored entries of symmetric files are not among them. As many as the header promises.
using EntryPieces = std::vector<Array<Entry>>;

/// Parses everything behind the header, in parallel. `text` is the whole file; its lines all end with '\n'. Throws the
/// Fault that comes first in the file.
[[nodiscard]] EntryPieces parse_entries(std::string_view text, const Header& header);

}  // namespace rowan::io
