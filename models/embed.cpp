// The C++ form of policies. Outcomes are written by name, so that reordering the candidate array cannot change a
// choice.
#include <algorithm>

#include "models/print.hpp"
#include <rowan/error.hpp>

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

std::string literal(float value) {
  std::string text = shortest(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "F";
}

std::string embed_node(const Node& n) {
  if (n.leaf() && n.other == 0) return "{.threshold = " + literal(n.threshold) + "}";  // of scores
  if (n.leaf()) return "{.less = " + std::to_string(n.less) + ", .other = " + std::to_string(n.other) + "}";
  return "{.feature = static_cast<std::uint8_t>(Feature::" + std::string(kFeatures[n.feature].name) +
         "), .nan_less = " + (n.nan_less ? "true" : "false") + ", .threshold = " + literal(n.threshold) +
         ", .less = " + std::to_string(n.less) + ", .other = " + std::to_string(n.other) + "}";
}

std::string embed_outcome(Decision d, std::uint8_t outcome) {
  if (d == Decision::sampled && outcome == kMeasure) return "kMeasure";
  if (d != Decision::symbolic && d != Decision::numeric && d != Decision::sampled) return std::to_string(outcome);
  return "*candidate_named(" + quoted(kCandidates[outcome].name) + ")";
}

/// A tree as arrays whose names begin with `name`; nothing where there is none.
std::string embed_tree(const Tree& tree, Decision d, const std::string& name) {
  if (tree.nodes.empty()) return "";
  std::string out = "inline constexpr Node " + name + "_nodes[] = {\n";
  for (const Node& n : tree.nodes) out += "    " + embed_node(n) + ",\n";
  out += "};\ninline constexpr std::uint8_t " + name + "_ranked[] = {\n";
  for (const std::uint8_t r : tree.ranked) out += "    " + embed_outcome(d, r) + ",\n";
  out += "};\n";
  if (!tree.scored()) return out;
  out += "inline constexpr Root " + name + "_roots[] = {\n";
  for (const Root& r : tree.roots)
    out += "    {" + embed_outcome(d, r.outcome) + ", " + std::to_string(r.node) + "},\n";
  return out + "};\n";
}

std::string embed_initializer(const Tree& tree, const std::string& name) {
  if (tree.nodes.empty()) return "        {},\n";
  return "        {" + name + "_nodes, " + name + "_ranked" + (tree.scored() ? ", " + name + "_roots" : "") + "},\n";
}

std::string identifier(std::string_view name) {
  std::string id;
  for (const char c : name) id += c == '-' ? '_' : c;
  return id;
}

/// Compiled-in policies are in force as they are, so that they name candidates.
void check_names(const Policy& policy, const std::string& file) {
  const auto check = [&](const Tree& tree, const std::string& where) {
    const auto family = std::ranges::find_if(tree.ranked, is_family);
    if (family == tree.ranked.end()) return;
    throw Error(ErrorCode::invalid_argument, file + ": " + where + ": \"" + std::string(accumulator_name(*family)) +
                                                 "\" is a family; a policy that is compiled in must name accumulators");
  };
  for (const Decision d : {Decision::symbolic, Decision::numeric}) {
    const std::string where(kDecisionNames[static_cast<std::size_t>(d)]);
    check(policy.tree(d), where);
    check(policy.costs[d == Decision::numeric ? 1 : 0], "costs, " + where);
  }
}

}  // namespace

std::string embed_policy(const Policy& policy, const std::string& file) {
  check_names(policy, file);
  const std::string id = identifier(policy.name);
  std::string out = "// from " + file + "\nnamespace " + id + " {\n";
  for (std::size_t d = 0; d < kDecisions; d++)
    out += embed_tree(policy.trees[d], static_cast<Decision>(d), std::string(kDecisionNames[d]));
  out += embed_tree(policy.costs[0], Decision::symbolic, "symbolic_cost");
  out += embed_tree(policy.costs[1], Decision::numeric, "numeric_cost");
  out += "inline constexpr Policy policy{\n    .name = " + quoted(policy.name) +
         ",\n    .kind = " + quoted(policy.kind) + ",\n    .about = " + quoted(policy.about) +
         ",\n    .source = " + quoted(policy.source) + ",\n    .trees = {{\n";
  for (std::size_t d = 0; d < kDecisions; d++)
    out += embed_initializer(policy.trees[d], std::string(kDecisionNames[d]));
  out += "    }},\n";
  if (!policy.costs[0].nodes.empty() || !policy.costs[1].nodes.empty())
    out += "    .costs = {{\n" + embed_initializer(policy.costs[0], "symbolic_cost") +
           embed_initializer(policy.costs[1], "numeric_cost") + "    }},\n";
  if (const auto& rule = policy.alternating)
    out += "    .alternating = Alternating{.from = " + embed_outcome(Decision::numeric, rule->from) +
           ", .to = " + embed_outcome(Decision::numeric, rule->to) +
           ", .words_per_step = " + literal(rule->words_per_step) + "},\n";
  if (const SlotsPerEntry slots = policy.tables.slots_per_entry; policy.tables != TableRules{})
    out += "    .tables = {.slots_per_entry = {.symbolic = " + std::to_string(slots.symbolic) +
           ", .numeric = " + std::to_string(slots.numeric) +
           "}, .sort = TableSort::" + std::string(name_of(policy.tables.sort)) +
           ", .library_rows = " + std::to_string(policy.tables.library_rows) +
           ", .collisions = " + std::to_string(policy.tables.collisions) + "},\n";
  return out + "};\n}  // namespace " + id + "\n";
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
