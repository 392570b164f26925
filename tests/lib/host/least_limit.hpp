#pragma once
// The least memory that a multiplication says it needs.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

namespace rowan::test {

/// The bytes that a refusal says are needed at least.
[[nodiscard]] inline std::int64_t needed_bytes(const std::string& message) {
  const std::string named = message.find("needs ") != std::string::npos ? "needs " : "take ";
  return std::stoll(message.substr(message.find(named) + named.size()));
}

/// The least limit that `attempt(limit)`, which returns an error's text or "no error", does not refuse. Each refusal
/// says how much is needed at least; what it could not know yet, the next one says.
template <class F>
std::int64_t least_limit(const F& attempt) {
  std::int64_t limit = 1;
  for (std::string message; (message = attempt(limit)) != "no error";) {
    REQUIRE(message.starts_with("memory_limit: "));
    const std::int64_t needed = needed_bytes(message);
    REQUIRE_GT(needed, limit);
    limit = needed;
  }
  return limit;
}

}  // namespace rowan::test
