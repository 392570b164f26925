#include "models/embedded.hpp"

#include "models/generated/policies.hpp"

namespace rowan {

std::span<const Policy> embedded_policies() noexcept {
  return generated::kPolicies;
}

const Policy* embedded_policy(std::string_view name) noexcept {
  for (const Policy& p : embedded_policies())
    if (p.name == name) return &p;
  return nullptr;
}

}  // namespace rowan
