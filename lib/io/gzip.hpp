#pragma once

#include <string>
#include <string_view>

#include "lib/io/buffer.hpp"
#include "lib/io/bytes.hpp"

namespace rowan::io {

/// Whether bytes start as gzip does.
[[nodiscard]] bool is_gzip(std::string_view bytes) noexcept;

/// What all members of a gzip file hold, one behind the other, inflated as it is asked for. Pulling throws
/// Error{parse}, whose message starts with `name`, for data that breaks off, is damaged or is followed by anything
/// else.
[[nodiscard]] Pull gunzip(Bytes compressed, const std::string& name);

/// The same at once.
[[nodiscard]] TextBuffer inflate_gzip(std::string_view bytes, const std::string& name);

/// Compresses bytes (less than 1 GiB) to one gzip member. Members may be made apart and written one behind the other.
[[nodiscard]] TextBuffer gzip_member(std::string_view bytes);

}  // namespace rowan::io
