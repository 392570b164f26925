#pragma once
// Amounts as people write and read them.
#include <cstdint>
#include <string>
#include <string_view>

namespace rowan::tool {

/// "500M", "8G", "1.5GiB", "1000": as GNU tools have it, K, KiB and so on count in 1024, KB and so on in 1000. Throws
/// UsageError.
[[nodiscard]] std::int64_t parse_size(std::string_view text);

/// "1.5 GiB".
[[nodiscard]] std::string print_size(std::int64_t bytes);

/// "2.34 ms": three digits and the unit that suits.
[[nodiscard]] std::string print_seconds(double seconds);

/// "1,234,567".
[[nodiscard]] std::string print_count(std::int64_t n);

/// "2026-11-21", of now and in UTC.
[[nodiscard]] std::string today();

}  // namespace rowan::tool
