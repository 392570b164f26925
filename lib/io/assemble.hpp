#pragma once

#include "lib/io/entries.hpp"
#include <rowan/csr.hpp>

namespace rowan::io {

/// The matrix that the entries stand for, symmetric and skew-symmetric ones expanded: the mirror of an entry comes
/// right behind it. Entries of a row keep the file's order; nothing is summed. Parallel, the same for any number of
/// threads. The pieces are freed on the way, so that they and the whole matrix are never in memory together.
[[nodiscard]] Csr<double> assemble(const Header& header, EntryPieces pieces);

}  // namespace rowan::io
