#include "training/model_text.hpp"

#include <charconv>

#include "models/print.hpp"

namespace rowan::training {
namespace {

using Json = nlohmann::ordered_json;

Json comparison(const Node& n, std::size_t first) {
  return {{"feature", kFeatures[n.feature].name},
          {"threshold", json_number(n.threshold)},
          {"less", n.less - first},
          {"other", n.other - first},
          {"nan", n.nan_less ? "less" : "other"}};
}

std::string lines(const std::vector<Json>& nodes, const std::string& indent) {
  std::string out = "[\n";
  for (const Json& n : nodes) out += indent + "  " + n.dump() + (&n == &nodes.back() ? "\n" : ",\n");
  return out + indent + "]";
}

/// How many examples led to a leaf, and whether it is unsure, are for people: the reader passes over them.
std::string scores_text(const LoadedPolicy::OwnedTree& tree, Decision d, const JoinedScores* facts,
                        const std::string& indent) {
  std::string out = "{\"relative_to\": " + Json(outcome_name(d, tree.ranked[0])).dump() + ", \"trees\": [";
  for (std::size_t r = 0; r < tree.roots.size(); r++) {
    const std::size_t first = tree.roots[r].node,
                      end = r + 1 < tree.roots.size() ? tree.roots[r + 1].node : tree.nodes.size();
    std::vector<Json> nodes;
    for (std::size_t i = first; i < end; i++) {
      if (!tree.nodes[i].leaf()) {
        nodes.push_back(comparison(tree.nodes[i], first));
        continue;
      }
      Json leaf{{"value", json_number(tree.nodes[i].threshold)}};
      if (facts != nullptr) leaf["examples"] = facts->examples[i];
      if (facts != nullptr && facts->unsure[i]) leaf["unsure"] = true;
      nodes.push_back(leaf);
    }
    out += (r == 0 ? "\n" : ",\n") + indent + "  {\"of\": " + Json(outcome_name(d, tree.roots[r].outcome)).dump() +
           ", \"nodes\": " + lines(nodes, indent + "  ") + "}";
  }
  return out + "\n" + indent + "]}";
}

std::string decision(const LoadedPolicy::OwnedTree& tree, Decision d, const JoinedScores* facts) {
  if (!tree.roots.empty()) return scores_text(tree, d, facts, "  ");
  if (tree.nodes.size() == 1) return "[{\"then\": " + Json(outcome_name(d, tree.ranked[0])).dump() + "}]";
  std::vector<Json> nodes;
  for (const Node& n : tree.nodes)
    nodes.push_back(n.leaf() ? Json{{"then", outcome_name(d, tree.ranked[n.less])}} : comparison(n, 0));
  return "{\"nodes\": " + lines(nodes, "  ") + "}";
}

std::string all_costs(const LoadedPolicy& policy) {
  std::string out;
  for (std::size_t p = 0; p < kPhases; p++) {
    if (policy.costs[p].roots.empty()) continue;
    out += (out.empty() ? "    \"" : ",\n    \"") + std::string(kPhaseNames[p]) +
           "\": " + scores_text(policy.costs[p], Decision::numeric, nullptr, "    ");
  }
  return out.empty() ? "" : ",\n  \"costs\": {\n" + out + "\n  }";
}

}  // namespace

Json json_number(float value) {
  const std::string text = shortest(value);
  double number = value;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string model_text(const FittedPolicy& fitted, const std::string& machines, const Json& provenance) {
  const LoadedPolicy& policy = fitted.policy;
  std::string out = "{\n  \"rowan_policy\": 2";
  const auto member = [&](const char* key, const std::string& value) {
    out += ",\n  \"" + std::string(key) + "\": " + value;
  };
  const auto text = [](const std::string& value) {
    return Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  member("name", text(policy.name)), member("kind", text(policy.kind));
  member("for", text(machines));
  member("about", text(policy.about)), member("source", text(policy.source));
  member("provenance", provenance.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (const auto& rule = policy.alternating)
    member("alternating", Json{{"from", kCandidates[rule->from].name},
                               {"to", kCandidates[rule->to].name},
                               {"words_per_step", json_number(rule->words_per_step)}}
                              .dump());
  const std::array<const JoinedScores*, kDecisions> facts{&fitted.use_binning.scores, nullptr,
                                                          &fitted.phases[0].scores,   &fitted.phases[1].scores,
                                                          &fitted.group.scores,       &fitted.sampled.scores};
  for (std::size_t d = 0; d < kDecisions; d++)
    member(std::string(kDecisionNames[d]).c_str(), decision(policy.trees[d], static_cast<Decision>(d), facts[d]));
  return out + all_costs(policy) + "\n}\n";
}

}  // namespace rowan::training
