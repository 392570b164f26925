#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lib/io/buffer.hpp"
#include "lib/io/header.hpp"
#include "lib/io/lines.hpp"
#include <rowan/memory.hpp>

namespace rowan::io {

/// Stored entries, their indices counted from 0 and inside the matrix.
struct EntryPiece {
  Array<std::int32_t> row;
  Array<std::int32_t> col;
  Array<double> value;  // empty where all are 1: in patterns
};

/// The entries of a Matrix Market file in pieces: one after another they are in the file's order.
/// Mirrored entries of symmetric files are not among them. Their number is that of the header.
using EntryPieces = std::vector<EntryPiece>;

/// Parses everything behind the header, in parallel: `head`, from header.body on, and what follows in `lines`. Throws
/// the error that comes first in the file; its message starts with `name`. Calls `tick` after each chunk, from several
/// threads at the same time.
[[nodiscard]] EntryPieces parse_entries(TextBuffer head, Lines& lines, const Header& header, const std::string& name,
                                        const std::function<void()>& tick);

}  // namespace rowan::io
