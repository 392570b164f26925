// The C++ form of policies. Outcomes are written by name, so that reordering the candidate array cannot change a
// choice.
#include "models/print.hpp"

namespace rowan {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string embed_node(const Node& n) {
  if (n.leaf()) return "{.less = " + std::to_string(n.less) + ", .other = " + std::to_string(n.other) + "}";
  std::string threshold = shortest(n.threshold);
  if (threshold.find_first_of(".e") == std::string::npos) threshold += ".0";
  return "{.feature = static_cast<std::uint8_t>(Feature::" + std::string(kFeatures[n.feature].name) +
         "), .nan_less = " + (n.nan_less ? "true" : "false") + ", .threshold = " + threshold +
         "F, .less = " + std::to_string(n.less) + ", .other = " + std::to_string(n.other) + "}";
}

std::string embed_outcome(Decision d, std::uint8_t outcome) {
  if (d != Decision::symbolic && d != Decision::numeric) return std::to_string(outcome);
  return "*candidate_named(" + quoted(kCandidates[outcome].name) + ")";
}

std::string identifier(std::string_view name) {
  std::string id;
  for (const char c : name) id += c == '-' ? '_' : c;
  return id;
}

}  // namespace

std::string embed_policy(const Policy& policy, const std::string& file) {
  const std::string id = identifier(policy.name);
  std::string out = "// from " + file + "\nnamespace " + id + " {\n";
  for (std::size_t d = 0; d < kDecisions; d++) {
    const Tree& tree = policy.trees[d];
    const std::string name(kDecisionNames[d]);
    out += "inline constexpr Node " + name + "_nodes[] = {\n";
    for (const Node& n : tree.nodes) out += "    " + embed_node(n) + ",\n";
    out += "};\ninline constexpr std::uint8_t " + name + "_ranked[] = {\n";
    for (const std::uint8_t r : tree.ranked) out += "    " + embed_outcome(static_cast<Decision>(d), r) + ",\n";
    out += "};\n";
  }
  out += "inline constexpr Policy policy{\n    .name = " + quoted(policy.name) +
         ",\n    .kind = " + quoted(policy.kind) + ",\n    .about = " + quoted(policy.about) +
         ",\n    .source = " + quoted(policy.source) + ",\n    .trees = {{\n";
  for (const std::string_view name : kDecisionNames)
    out += "        {" + std::string(name) + "_nodes, " + std::string(name) + "_ranked},\n";
  return out + "    }},\n};\n}  // namespace " + id + "\n";
}

std::string embed_header(std::span<const NamedPolicy> policies) {
  std::string out =
      "// Made by models/embed.sh from models/policies/*.json: do not edit.\n#pragma once\n\n#include "
      "\"models/policy.hpp\"\n\n"
      "// clang-format off\nnamespace rowan::generated {\n\n";
  for (const auto& [file, policy] : policies) out += embed_policy(policy, file) + "\n";
  out += "inline constexpr Policy kPolicies[] = {";
  for (const auto& [file, policy] : policies)
    out += (&policy == &policies.front().policy ? "" : ", ") + identifier(policy.name) + "::policy";
  return out + "};\n\n}  // namespace rowan::generated\n";
}

}  // namespace rowan
