#pragma once
// Many numbers in few characters, for pages.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace rowan::tool {

[[nodiscard]] std::string base64(std::string_view bytes);

/// As zlib has it. Throws std::bad_alloc.
[[nodiscard]] std::string deflated(std::string_view bytes);

/// {"width": 1, 2, 4 or 8, "packed": base64 of zlib}: each number in the fewest bytes that the largest needs; the
/// lowest bytes of all stand first, then the next: alike bytes pack well. page/rows.js reads it. Numbers are not below
/// 0.
[[nodiscard]] nlohmann::ordered_json packed(std::span<const std::int64_t> numbers);
[[nodiscard]] nlohmann::ordered_json packed(std::span<const std::uint8_t> numbers);

}  // namespace rowan::tool
