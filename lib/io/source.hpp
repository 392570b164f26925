#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "lib/io/bytes.hpp"

namespace rowan::io {

/// An input, opened.
struct Source {
  std::string name;  ///< what messages call it: the path itself, "<stdin>" for "-"
  Bytes bytes;       ///< the content; gzip is inflated
  /// How much of the file was read so far, from 0 to 1; empty where its size is not known.
  std::function<double()> share = {};
  /// Only for regular files that are not compressed: the size; bytes at any offset, from any thread; parts as memory.
  std::size_t size = 0;
  std::function<void(std::size_t offset, std::span<char> room)> read_at = {};
  std::function<Block(std::size_t offset, std::size_t bytes)> map_at = {};
};

/// Opens a file, or standard input for "-". It and everything in it throws Error{io}, Error{parse} for broken gzip.
[[nodiscard]] Source open_source(const std::string& path);

}  // namespace rowan::io
