// The one reader of policy files. A decision is a list of rules, tried from the first,
//   [{"when": ["nprod_max < 129", "span_density >= 0.05"], "then": "sort"}, {"then": ["dense", "hash"]}]
// or a tree,
//   {"nodes": [{"feature": "nprod_max", "threshold": 129, "less": 1, "other": 2, "nan": "less"}, {"then": "sort"},
//   ...]}
// or scores, the sums of trees whose leaves have values; the outcome that the others are relative to needs none,
//   {"relative_to": "dense-window", "trees": [{"of": "sort", "nodes": [..., {"value": -0.3}]}]}
// Predicted times, which may be missing, are scores: "costs": {"symbolic": {...}, "numeric": {...}}.
// Places of hash tables for an entry, which may be missing: "room": {"symbolic": 1.2, "numeric": 2}; so may the rest
// that is said of them (accumulators/hash/table_rules.hpp),
//   "table_sort": "radix", "library_rows": 64, "collisions": 4
// Rules become the same nodes: a condition that fails leads to the next rule's first condition.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "models/loaded.hpp"
#include <rowan/error.hpp>

#ifdef ROWAN_HAVE_JSON
#include <nlohmann/json.hpp>
#endif

namespace rowan {

Policy LoadedPolicy::view() const noexcept {
  Policy p{.name = name, .kind = kind, .about = about, .source = source, .trees = {}};
  for (std::size_t d = 0; d < kDecisions; d++) p.trees[d] = trees[d].view();
  for (std::size_t c = 0; c < costs.size(); c++) p.costs[c] = costs[c].view();
  p.room = room;
  p.tables = tables;
  return p;
}

#ifndef ROWAN_HAVE_JSON

LoadedPolicy LoadedPolicy::from_text(const std::string&, const std::string& origin) {
  throw Error(ErrorCode::unsupported, origin + ": this build reads no policy files (nlohmann-json was not found)");
}
LoadedPolicy LoadedPolicy::from_file(const std::filesystem::path& file) {
  return from_text("", file.string());
}

#else

namespace {

using nlohmann::json;
constexpr int kVersion = 1;
constexpr std::size_t kMostNodes = 65535;

/// Where in which file we are; builds every message.
struct Place {
  std::string origin, at;
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::parse, origin + ": " + (at.empty() ? "" : at + ": ") + what);
  }
  [[nodiscard]] Place in(const std::string& where) const { return {origin, at.empty() ? where : at + ", " + where}; }
};

const json& member(const json& object, const char* key, const Place& place) {
  if (!object.is_object() || !object.contains(key)) place.refuse(std::string("\"") + key + "\" is missing");
  return object.at(key);
}

/// A value as messages repeat it. Lists and objects are not walked: a hostile file nests them deeper than the stack.
std::string shown(const json& value) {
  constexpr std::size_t kShown = 40;
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  const std::string text = value.dump();
  return text.size() > kShown ? text.substr(0, kShown) + "..." : text;
}

std::string text(const json& value, const char* what, const Place& place) {
  if (!value.is_string()) place.refuse(std::string(what) + " must be a string, not " + shown(value));
  return value.get<std::string>();
}

std::uint8_t outcome(Decision d, const std::string& name, const Place& place) {
  const auto among = [&](const auto& names) {
    for (std::size_t i = 0; i < names.size(); i++)
      if (names[i] == name) return static_cast<std::uint8_t>(i);
    place.refuse("unknown outcome \"" + name + "\"");
  };
  if (d == Decision::use_binning) return among(kUseBinningNames);
  if (d == Decision::method) return among(kMethodNames);
  if (d == Decision::group) return among(kGroupNames);
  const auto id = candidate_named(name);
  if (!id) place.refuse("unknown accumulator \"" + name + "\"");
  return *id;
}

Feature feature(const std::string& name, const Place& place) {
  const auto f = feature_named(name);
  if (!f) place.refuse("unknown feature \"" + name + "\"");
  return *f;
}

float number(double value, const char* what, const Place& place) {
  const auto narrow = static_cast<float>(value);
  if (!std::isfinite(narrow)) place.refuse(std::string(what) + " must be a finite number");
  return narrow;
}

std::uint16_t narrow(std::size_t n, const Place& place) {
  if (n > kMostNodes) place.refuse("more than " + std::to_string(kMostNodes) + " nodes or outcomes");
  return static_cast<std::uint16_t>(n);
}

/// A leaf that ranks what `then` says: one name, or a list, best first.
Node leaf(const json& then, Decision d, LoadedPolicy::OwnedTree& tree, const Place& place) {
  const std::size_t first = tree.ranked.size();
  if (then.is_array())
    for (const json& name : then) tree.ranked.push_back(outcome(d, text(name, "\"then\"", place), place));
  else
    tree.ranked.push_back(outcome(d, text(then, "\"then\"", place), place));
  if (tree.ranked.size() == first) place.refuse("\"then\" ranks nothing");
  if (tree.ranked.size() - first > Ranking::kMost)
    place.refuse("\"then\" ranks more than " + std::to_string(Ranking::kMost));
  return {.less = narrow(first, place), .other = narrow(tree.ranked.size() - first, place)};
}

/// "nprod_max < 129" or "nprod_max >= 129"; `yes` and `no` are the nodes to go on to.
Node condition(const std::string& words, std::uint16_t yes, std::uint16_t no, const Place& place) {
  std::istringstream in(words);
  std::string name, op, value, rest;
  in >> name >> op >> value;
  if (value.empty() || in >> rest || (op != "<" && op != ">="))
    place.refuse("\"" + words + "\" is not of the form \"feature < number\" or \"feature >= number\"");
  double threshold = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), threshold);
  if (error != std::errc() || end != value.data() + value.size()) place.refuse("\"" + value + "\" is not a number");
  const Feature f = feature(name, place);
  const bool less = op == "<";
  return {.feature = static_cast<std::uint8_t>(f),
          .nan_less = !less,  // a value that is not a number fulfils no condition
          .threshold = number(threshold, "the threshold", place),
          .less = less ? yes : no,
          .other = less ? no : yes};
}

LoadedPolicy::OwnedTree tree_of_rules(const json& rules, Decision d, const Place& place) {
  LoadedPolicy::OwnedTree tree;
  if (rules.empty()) place.refuse("there are no rules");
  for (std::size_t r = 0; r < rules.size(); r++) {
    const Place here = place.in("rule " + std::to_string(r + 1));
    const json& rule = rules[r];
    const json& then = member(rule, "then", here);
    static const json kAlways = json::array();
    const json& when = rule.contains("when") ? rule.at("when") : kAlways;
    if (!when.is_array()) here.refuse("\"when\" must be a list of conditions");
    const bool is_last = r + 1 == rules.size();
    if (is_last && !when.empty()) here.refuse("the last rule must hold always: it may have no \"when\"");
    if (!is_last && when.empty()) here.refuse("only the last rule may have no \"when\"");
    const std::size_t next_rule = tree.nodes.size() + when.size() + 1;
    for (const json& c : when)
      tree.nodes.push_back(
          condition(text(c, "a condition", here), narrow(tree.nodes.size() + 1, here), narrow(next_rule, here), here));
    tree.nodes.push_back(leaf(then, d, tree, here));
  }
  return tree;
}

/// A list of nodes, behind those that are there: comparisons, and leaves that `leaf` makes of whatever has the member
/// `leaf_key`. Children are numbered from the list's first node.
template <class MakeLeaf>
void read_nodes(const json& list, const char* leaf_key, std::vector<Node>& nodes, const Place& place,
                const MakeLeaf& leaf) {
  if (!list.is_array() || list.empty()) place.refuse("\"nodes\" must be a list of at least one node");
  const std::size_t first = nodes.size();
  narrow(first + list.size(), place);
  for (std::size_t n = 0; n < list.size(); n++) {
    const Place here = place.in("node " + std::to_string(n));
    const json& node = list[n];
    if (node.is_object() && node.contains(leaf_key)) {
      nodes.push_back(leaf(node.at(leaf_key), here));
      continue;
    }
    const auto child = [&](const char* key) {
      const json& value = member(node, key, here);
      if (!value.is_number_integer() || value.get<std::int64_t>() <= static_cast<std::int64_t>(n) ||
          value.get<std::int64_t>() >= static_cast<std::int64_t>(list.size()))
        here.refuse(std::string("\"") + key + "\" is " + shown(value) + ", it must name a later node, up to " +
                    std::to_string(list.size() - 1));
      return static_cast<std::uint16_t>(first + value.get<std::uint16_t>());
    };
    const json& threshold = member(node, "threshold", here);
    if (!threshold.is_number()) here.refuse("the threshold must be a finite number");
    nodes.push_back(
        {.feature = static_cast<std::uint8_t>(feature(text(member(node, "feature", here), "\"feature\"", here), here)),
         .nan_less = node.contains("nan") && text(node.at("nan"), "\"nan\"", here) == "less",
         .threshold = number(threshold.get<double>(), "the threshold", here),
         .less = child("less"),
         .other = child("other")});
  }
}

LoadedPolicy::OwnedTree read_scores(const json& value, Decision d, const Place& place) {
  LoadedPolicy::OwnedTree scores;
  scores.ranked.push_back(outcome(d, text(member(value, "relative_to", place), "\"relative_to\"", place), place));
  const json& trees = member(value, "trees", place);
  if (!trees.is_array() || trees.empty()) place.refuse("\"trees\" must be a list of at least one tree");
  for (std::size_t t = 0; t < trees.size(); t++) {
    const Place here = place.in("tree " + std::to_string(t));
    const std::uint8_t of = outcome(d, text(member(trees[t], "of", here), "\"of\"", here), here);
    if (std::find(scores.ranked.begin(), scores.ranked.end(), of) == scores.ranked.end()) scores.ranked.push_back(of);
    scores.roots.push_back({.outcome = of, .node = narrow(scores.nodes.size(), here)});
    read_nodes(member(trees[t], "nodes", here), "value", scores.nodes, here, [](const json& v, const Place& at) {
      if (!v.is_number()) at.refuse("\"value\" must be a finite number");
      return Node{.threshold = number(v.get<double>(), "\"value\"", at)};
    });
  }
  return scores;
}

LoadedPolicy::OwnedTree read_tree(const json& value, Decision d, const Place& place) {
  if (value.is_array()) return tree_of_rules(value, d, place);
  if (value.is_object() && value.contains("trees")) return read_scores(value, d, place);
  LoadedPolicy::OwnedTree tree;
  read_nodes(member(value, "nodes", place), "then", tree.nodes, place,
             [&](const json& then, const Place& here) { return leaf(then, d, tree, here); });
  return tree;
}

/// Places of a table for an entry, as hundredths.
std::int16_t read_room(const json& room, const char* phase, std::int16_t otherwise, const Place& place) {
  if (!room.is_object()) place.refuse("it must be an object, not " + shown(room));
  if (!room.contains(phase)) return otherwise;
  const json& value = room.at(phase);
  constexpr double kHundredths = 100;
  const double places = value.is_number() ? std::round(value.get<double>() * kHundredths) : 0;
  if (!(places >= TableRoom::kLeast && places <= TableRoom::kMost))
    place.in(phase).refuse("places for an entry must be a number from 1 to 8, not " + shown(value));
  return static_cast<std::int16_t>(places);
}

/// A whole number that is not large.
std::int32_t read_count(const json& value, const Place& place) {
  constexpr std::int64_t kMost = 1000000;
  const bool whole = value.is_number_unsigned() && value.get<std::uint64_t>() <= kMost;
  if (!whole) place.refuse("it must be a whole number from 0 to " + std::to_string(kMost) + ", not " + shown(value));
  return value.get<std::int32_t>();
}

TableSort read_table_sort(const json& value, const Place& place) {
  const std::string name = text(value, "it", place);
  const auto at = std::find(kTableSortNames.begin(), kTableSortNames.end(), name);
  if (at == kTableSortNames.end())
    place.refuse("it must be \"by_size\", \"bitonic\", \"whole\" or \"radix\", not \"" + name + "\"");
  return static_cast<TableSort>(at - kTableSortNames.begin());
}

}  // namespace

LoadedPolicy LoadedPolicy::from_text(const std::string& content, const std::string& origin) {
  const Place place{origin, ""};
  json root;
  try {
    root = json::parse(content);
  } catch (const json::parse_error& e) {
    const std::size_t at = std::min(e.byte, content.size());
    place.refuse("not JSON: line " + std::to_string(1 + std::count(content.data(), content.data() + at, '\n')) +
                 " is wrong or breaks off");
  } catch (const json::exception&) {  // numbers out of range are no parse_error
    place.refuse("not JSON: a number is too large");
  }
  const json& version = member(root, "rowan_policy", place);
  if (version != kVersion) place.refuse("version " + shown(version) + " is not " + std::to_string(kVersion));
  LoadedPolicy policy;
  policy.name = text(member(root, "name", place), "\"name\"", place);
  policy.kind = text(member(root, "kind", place), "\"kind\"", place);
  if (policy.kind != "rules" && policy.kind != "trees")
    place.refuse("\"kind\" is \"" + policy.kind + "\", it must be \"rules\" or \"trees\"");
  policy.about = text(member(root, "about", place), "\"about\"", place);
  policy.source = text(member(root, "source", place), "\"source\"", place);
  for (std::size_t d = 0; d < kDecisions; d++) {
    const std::string key(kDecisionNames[d]);
    if (static_cast<Decision>(d) == Decision::group && !root.contains(key)) {
      policy.trees[d] = {.nodes = {{.less = 0, .other = 1}}, .ranked = {0}};
      continue;
    }
    policy.trees[d] = read_tree(member(root, key.c_str(), place), static_cast<Decision>(d), place.in(key));
  }
  if (root.contains("room")) {
    policy.room.symbolic = read_room(root.at("room"), "symbolic", policy.room.symbolic, place.in("room"));
    policy.room.numeric = read_room(root.at("room"), "numeric", policy.room.numeric, place.in("room"));
  }
  if (root.contains("table_sort")) policy.tables.sort = read_table_sort(root.at("table_sort"), place.in("table_sort"));
  if (root.contains("library_rows"))
    policy.tables.library_rows = read_count(root.at("library_rows"), place.in("library_rows"));
  if (root.contains("collisions")) policy.tables.collisions = read_count(root.at("collisions"), place.in("collisions"));
  if (!root.contains("costs")) return policy;
  for (const Decision d : {Decision::symbolic, Decision::numeric}) {
    const std::string key(kDecisionNames[static_cast<std::size_t>(d)]);
    const json& costs = root.at("costs");
    if (costs.contains(key))
      policy.costs[d == Decision::numeric ? 1 : 0] = read_scores(costs.at(key), d, place.in("costs").in(key));
  }
  return policy;
}

LoadedPolicy LoadedPolicy::from_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream content;
  if (in) content << in.rdbuf();
  if (!in || !content) throw Error(ErrorCode::io, file.string() + ": cannot be read");
  return from_text(content.str(), file.string());
}

#endif

}  // namespace rowan
