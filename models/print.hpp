#pragma once
// Policies for people, and as C++ for the compiler.
#include <string>
#include <vector>

#include "models/policy.hpp"

namespace rowan {

/// A decision as nested rules: "if nprod_max < 129 and ...: sort", "else: ..."; scores tree by tree.
[[nodiscard]] std::string print_tree(const Tree& tree, Decision d);

/// The whole policy: what it is, then each decision.
[[nodiscard]] std::string print_policy(const Policy& policy);

/// The comparisons that led to the leaf, the tightest for each feature: "nprod_max 96 < 129". Of scores the best two
/// outcomes with theirs, and what led to both.
[[nodiscard]] std::vector<std::string> print_path(const Tree& tree, Decision d, const FeatureVector& features);

/// A threshold or value in as few digits as tell it apart from its neighbours.
[[nodiscard]] std::string shortest(float value);

struct NamedPolicy {
  std::string file;  // what it was read from
  Policy policy;
};

/// models/generated/policies.hpp: the policies as constexpr C++, in this order. Throws Error{invalid_argument} where
/// one ranks a family.
[[nodiscard]] std::string embed_header(std::span<const NamedPolicy> policies);

}  // namespace rowan
