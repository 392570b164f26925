#include "tools/rowan/inspect/trees.hpp"

#include <cstdlib>

#include "models/embedded.hpp"
#include "models/loaded.hpp"
#include "tools/rowan/inspect/few_digits.hpp"

namespace rowan::tool {
namespace {

using Json = nlohmann::ordered_json;

Json node_json(const Node& node, const Tree& tree, Decision d) {
  if (!node.leaf())
    return {kFeatures[node.feature].name, few_digits(node.threshold), node.less, node.other, node.nan_less};
  if (tree.scored()) return Json::array({few_digits(node.threshold)});
  Json ranked = Json::array();
  for (std::size_t i = 0; i < node.other; i++) ranked.push_back(outcome_name(d, tree.ranked[node.less + i]));
  return Json::array({ranked});
}

}  // namespace

Json json_of(const Tree& tree, Decision d) {
  Json out{{"name", kDecisionNames[static_cast<std::size_t>(d)]}, {"scored", tree.scored()}};
  out["relative_to"] = tree.scored() ? Json(outcome_name(d, tree.ranked[0])) : Json();
  out["nodes"] = Json::array(), out["roots"] = Json::array();
  for (const Node& node : tree.nodes) out["nodes"].push_back(node_json(node, tree, d));
  for (const Root& root : tree.roots)
    out["roots"].push_back({{"of", outcome_name(d, root.outcome)}, {"node", root.node}});
  return out;
}

std::optional<Json> trees_of(const Common& common, const Inspection& in) {
  if (!common.force.empty()) return std::nullopt;
  const Decision d = in.sampled ? Decision::sampled : Decision::numeric;
  const char* const file = std::getenv("ROWAN_MODEL");  // NOLINT(concurrency-mt-unsafe): only read
  const std::string model = !common.model.empty() ? common.model : common.policy.empty() && file != nullptr ? file : "";
  if (!model.empty()) {
    const LoadedPolicy loaded = LoadedPolicy::from_file(model);
    return json_of(loaded.view().tree(d), d);
  }
  const Policy* const policy = embedded_policy(in.policy);
  if (policy == nullptr) return std::nullopt;
  return json_of(policy->tree(d), d);
}

}  // namespace rowan::tool
