#pragma once

#include <string>
#include <string_view>

#include "lib/io/buffer.hpp"
#include "lib/io/bytes.hpp"

namespace rowan::io {

/// Whether bytes start as gzip does.
[[nodiscard]] bool is_gzip(std::string_view bytes) noexcept;

/// The content of all members of a gzip file, one after another, decompressed on demand. Pulling throws
/// Error{parse}, whose message starts with `name`, for data that ends early, is damaged or is followed by anything
/// else.
[[nodiscard]] Pull gunzip(Bytes compressed, const std::string& name);

/// The same in one call.
[[nodiscard]] TextBuffer inflate_gzip(std::string_view bytes, const std::string& name);

/// Compresses bytes (less than 1 GiB) to one gzip member. Members may be made separately and written one after another.
[[nodiscard]] TextBuffer gzip_member(std::string_view bytes);

}  // namespace rowan::io
