#pragma once
// The policies compiled in.
#include <span>
#include <string_view>

#include "models/policy.hpp"

namespace rowan {

/// All of them; the first is the one in force where nothing else is asked for.
[[nodiscard]] std::span<const Policy> embedded_policies() noexcept;

/// By name, or null.
[[nodiscard]] const Policy* embedded_policy(std::string_view name) noexcept;

}  // namespace rowan
