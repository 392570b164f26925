#pragma once

#include <cstdint>
#include <functional>

#include "lib/io/buffer.hpp"
#include "lib/io/output.hpp"

namespace rowan::io {

/// Makes the pieces 0 .. count - 1 of a file in parallel, a few ahead of those written, compresses them if asked, and
/// writes them in order. Each piece is a gzip member of its own, so the file's bytes do not depend on the threads.
/// `progress`, if set, is called with the share written.
void write_pieces(Output& output, std::int64_t count, bool gzip, const std::function<TextBuffer(std::int64_t)>& make,
                  const std::function<void(double)>& progress = {});

}  // namespace rowan::io
