// The one reader of policy files. A decision is a list of rules, tried from the first,
//   [{"when": ["nprod_max < 129", "span_density >= 0.05"], "then": "sort"}, {"then": ["dense", "hash"]}]
// or a tree,
//   {"nodes": [{"feature": "nprod_max", "threshold": 129, "less": 1, "other": 2, "nan": "less"}, {"then": "sort"},
//   ...]}
// or scores, the sums of trees whose leaves have values; the outcome that the others are relative to needs none,
//   {"relative_to": "dense-window", "trees": [{"of": "sort", "nodes": [..., {"value": -0.3}]}]}
// Predicted times, which may be missing, are scores: "costs": {"symbolic": {...}, "numeric": {...}}.
// "group" and "sampled" may be missing: "by average" and "measure".
// "for": "hosts" or "devices", and "provenance" are for reports; the library passes over them, as over all other
// members. Hosts' bins whose rows alternate (Policy::alternating); left out, each bin is chosen by itself,
//   "alternating": {"from": "sort", "to": "dense-window", "words_per_step": 4}
// Devices' hash tables (accumulators/hash/table_rules.hpp); each member may be left out,
//   "tables": {"slots_per_entry": {"symbolic": 1.2, "numeric": 2}, "sort": "radix", "library_rows": 64, "collisions":
//   4}
// Version 1 had "room" for tables' "slots_per_entry", "table_sort" for "sort", and these and the rest of the tables'
// members beside the decisions; and it was silent on alternating bins, which were merged by kSortInWindows: read so.
// Rules become the same nodes: a condition that fails leads to the next rule's first condition.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <new>

#include "models/json.hpp"
#include "models/loaded.hpp"
#include <rowan/error.hpp>

namespace rowan {

Policy LoadedPolicy::view() const noexcept {
  Policy p{.name = name, .kind = kind, .about = about, .source = source, .trees = {}};
  for (std::size_t d = 0; d < kDecisions; d++) p.trees[d] = trees[d].view();
  for (std::size_t c = 0; c < costs.size(); c++) p.costs[c] = costs[c].view();
  p.alternating = alternating;
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

constexpr int kVersion = 2;
constexpr std::size_t kMostNodes = 65535;

/// Where in which file we are; builds every message.
struct Place {
  std::string origin, at;
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::parse, origin + ": " + (at.empty() ? "" : at + ": ") + what);
  }
  [[nodiscard]] Place in(const std::string& where) const { return {origin, at.empty() ? where : at + ", " + where}; }
};

Json member(Json object, const char* key, const Place& place) {
  const std::optional<Json> found = object.find(key);
  if (!found) place.refuse(std::string("\"") + key + "\" is missing");
  return *found;
}

/// A value as messages repeat it.
std::string shown(Json value) {
  constexpr std::size_t kShown = 40;
  const std::string text = value.shown();
  return text.size() > kShown ? text.substr(0, kShown) + "..." : text;
}

const std::string& text(Json value, const char* what, const Place& place) {
  if (!value.is_string()) place.refuse(std::string(what) + " must be a string, not " + shown(value));
  return value.text();
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
  if (d == Decision::sampled) {
    if (name == kMeasureName) return kMeasure;
    for (std::size_t i = 0; i < kCandidates.size(); i++)
      if (kCandidates[i].name == name && kCandidates[i].max_unmeasured_span > 0) return static_cast<std::uint8_t>(i);
    place.refuse("\"" + name +
                 "\" is neither \"measure\" nor an accumulator that takes rows of which nothing is measured");
  }
  for (std::size_t i = 0; i < kAccumulatorOutcomes; i++)
    if (accumulator_name(static_cast<std::uint8_t>(i)) == name) return static_cast<std::uint8_t>(i);
  place.refuse("unknown accumulator \"" + name + "\"");
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
Node leaf(Json then, Decision d, LoadedPolicy::OwnedTree& tree, const Place& place) {
  const std::size_t first = tree.ranked.size();
  if (then.is_array())
    for (const Json name : then) tree.ranked.push_back(outcome(d, text(name, "\"then\"", place), place));
  else
    tree.ranked.push_back(outcome(d, text(then, "\"then\"", place), place));
  if (tree.ranked.size() == first) place.refuse("\"then\" ranks nothing");
  if (tree.ranked.size() - first > Ranking::kMost)
    place.refuse("\"then\" ranks more than " + std::to_string(Ranking::kMost));
  return {.less = narrow(first, place), .other = narrow(tree.ranked.size() - first, place)};
}

/// What stands before the next blank, which `left` then begins behind.
std::string_view next_word(std::string_view& left) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  left.remove_prefix(std::min(left.find_first_not_of(kBlanks), left.size()));
  const std::string_view word = left.substr(0, left.find_first_of(kBlanks));
  left.remove_prefix(word.size());
  return word;
}

/// "nprod_max < 129" or "nprod_max >= 129"; `yes` and `no` are the nodes to go on to.
Node condition(const std::string& words, std::uint16_t yes, std::uint16_t no, const Place& place) {
  std::string_view left = words;
  const std::string_view name = next_word(left), op = next_word(left), value = next_word(left);
  if (value.empty() || !next_word(left).empty() || (op != "<" && op != ">="))
    place.refuse("\"" + words + "\" is not of the form \"feature < number\" or \"feature >= number\"");
  double threshold = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), threshold);
  if (error != std::errc() || end != value.data() + value.size())
    place.refuse("\"" + std::string(value) + "\" is not a number");
  const Feature f = feature(std::string(name), place);
  const bool less = op == "<";
  return {.feature = static_cast<std::uint8_t>(f),
          .nan_less = !less,  // a value that is not a number fulfils no condition
          .threshold = number(threshold, "the threshold", place),
          .less = less ? yes : no,
          .other = less ? no : yes};
}

LoadedPolicy::OwnedTree tree_of_rules(Json rules, Decision d, const Place& place) {
  LoadedPolicy::OwnedTree tree;
  if (rules.size() == 0) place.refuse("there are no rules");  // NOLINT(readability-container-size-empty)
  std::size_t r = 0;
  for (const Json rule : rules) {
    const Place here = place.in("rule " + std::to_string(++r));
    const Json then = member(rule, "then", here);
    const std::optional<Json> when = rule.find("when");
    if (when && !when->is_array()) here.refuse("\"when\" must be a list of conditions");
    const std::size_t conditions = when ? when->size() : 0;
    const bool is_last = r == rules.size();
    if (is_last && conditions != 0) here.refuse("the last rule must hold always: it may have no \"when\"");
    if (!is_last && conditions == 0) here.refuse("only the last rule may have no \"when\"");
    const std::size_t next_rule = tree.nodes.size() + conditions + 1;
    if (when)
      for (const Json c : *when)
        tree.nodes.push_back(condition(text(c, "a condition", here), narrow(tree.nodes.size() + 1, here),
                                       narrow(next_rule, here), here));
    tree.nodes.push_back(leaf(then, d, tree, here));
  }
  return tree;
}

/// A list of nodes, behind those that are there: comparisons, and leaves that `leaf` makes of whatever has the member
/// `leaf_key`. Children are numbered from the list's first node.
template <class MakeLeaf>
void read_nodes(Json list, const char* leaf_key, std::vector<Node>& nodes, const Place& place, const MakeLeaf& leaf) {
  if (!list.is_array() || list.size() == 0) place.refuse("\"nodes\" must be a list of at least one node");
  const std::size_t first = nodes.size();
  narrow(first + list.size(), place);
  std::int64_t n = -1;
  for (const Json node : list) {
    const Place here = place.in("node " + std::to_string(++n));
    if (const std::optional<Json> found = node.find(leaf_key)) {
      nodes.push_back(leaf(*found, here));
      continue;
    }
    const auto child = [&](const char* key) {
      const Json value = member(node, key, here);
      if (!value.is_whole() || value.whole() <= n || value.whole() >= static_cast<std::int64_t>(list.size()))
        here.refuse(std::string("\"") + key + "\" is " + shown(value) + ", it must name a later node, up to " +
                    std::to_string(list.size() - 1));
      return static_cast<std::uint16_t>(first + static_cast<std::size_t>(value.whole()));
    };
    const Json threshold = member(node, "threshold", here);
    if (!threshold.is_number()) here.refuse("the threshold must be a finite number");
    const std::optional<Json> nan = node.find("nan");
    nodes.push_back(
        {.feature = static_cast<std::uint8_t>(feature(text(member(node, "feature", here), "\"feature\"", here), here)),
         .nan_less = nan && text(*nan, "\"nan\"", here) == "less",
         .threshold = number(threshold.number(), "the threshold", here),
         .less = child("less"),
         .other = child("other")});
  }
}

LoadedPolicy::OwnedTree read_scores(Json value, Decision d, const Place& place) {
  LoadedPolicy::OwnedTree scores;
  scores.ranked.push_back(outcome(d, text(member(value, "relative_to", place), "\"relative_to\"", place), place));
  const Json trees = member(value, "trees", place);
  if (!trees.is_array() || trees.size() == 0) place.refuse("\"trees\" must be a list of at least one tree");
  std::size_t t = 0;
  for (const Json tree : trees) {
    const Place here = place.in("tree " + std::to_string(t++));
    const std::uint8_t of = outcome(d, text(member(tree, "of", here), "\"of\"", here), here);
    if (std::find(scores.ranked.begin(), scores.ranked.end(), of) == scores.ranked.end()) scores.ranked.push_back(of);
    scores.roots.push_back({.outcome = of, .node = narrow(scores.nodes.size(), here)});
    read_nodes(member(tree, "nodes", here), "value", scores.nodes, here, [](Json v, const Place& at) {
      if (!v.is_number()) at.refuse("\"value\" must be a finite number");
      return Node{.threshold = number(v.number(), "\"value\"", at)};
    });
  }
  return scores;
}

LoadedPolicy::OwnedTree read_tree(Json value, Decision d, const Place& place) {
  if (value.is_array()) return tree_of_rules(value, d, place);
  if (value.find("trees")) return read_scores(value, d, place);
  LoadedPolicy::OwnedTree tree;
  read_nodes(member(value, "nodes", place), "then", tree.nodes, place,
             [&](Json then, const Place& here) { return leaf(then, d, tree, here); });
  return tree;
}

/// Slots of a table for an entry, as hundredths.
std::int16_t read_slots(Json slots, const char* phase, std::int16_t otherwise, const Place& place) {
  const std::optional<Json> given = slots.find(phase);
  if (!given) return otherwise;
  const Json value = *given;
  constexpr double kHundredths = 100;
  const double hundredths = value.is_number() ? std::round(value.number() * kHundredths) : 0;
  if (!(hundredths >= SlotsPerEntry::kLeast && hundredths <= SlotsPerEntry::kMost))
    place.in(phase).refuse("slots for an entry must be a number from 1 to 8, not " + shown(value));
  return static_cast<std::int16_t>(hundredths);
}

/// A whole number that is not large.
std::int32_t read_count(Json value, const Place& place) {
  constexpr std::int64_t kMost = 1000000;
  const bool whole = value.is_whole() && value.whole() >= 0 && value.whole() <= kMost;
  if (!whole) place.refuse("it must be a whole number from 0 to " + std::to_string(kMost) + ", not " + shown(value));
  return static_cast<std::int32_t>(value.whole());
}

TableSort read_table_sort(Json value, const Place& place) {
  const std::string name = text(value, "it", place);
  const auto at = std::find(kTableSortNames.begin(), kTableSortNames.end(), name);
  if (at == kTableSortNames.end())
    place.refuse("it must be \"by_size\", \"bitonic\", \"whole\" or \"radix\", not \"" + name + "\"");
  return static_cast<TableSort>(at - kTableSortNames.begin());
}

void need_object(Json value, const Place& place) {
  if (!value.is_object()) place.refuse("it must be an object, not " + shown(value));
}

/// What a file calls the members that say how hash tables are.
struct TableKeys {
  const char *slots, *sort;
};

TableRules read_tables(Json object, const TableKeys& keys, const Place& place) {
  TableRules tables;
  if (const auto slots = object.find(keys.slots)) {
    const Place here = place.in(keys.slots);
    need_object(*slots, here);
    tables.slots_per_entry.symbolic = read_slots(*slots, "symbolic", tables.slots_per_entry.symbolic, here);
    tables.slots_per_entry.numeric = read_slots(*slots, "numeric", tables.slots_per_entry.numeric, here);
  }
  if (const auto sort = object.find(keys.sort)) tables.sort = read_table_sort(*sort, place.in(keys.sort));
  if (const auto rows = object.find("library_rows")) tables.library_rows = read_count(*rows, place.in("library_rows"));
  if (const auto most = object.find("collisions")) tables.collisions = read_count(*most, place.in("collisions"));
  return tables;
}

CandidateId read_candidate(Json object, const char* key, bool (*may)(const Candidate&), const Place& place) {
  const std::uint8_t id =
      outcome(Decision::numeric, text(member(object, key, place), "it", place.in(key)), place.in(key));
  if (!is_family(id) && may(kCandidates[id])) return id;
  std::string all;
  for (const Candidate& c : kCandidates)
    if (may(c)) all += (all.empty() ? "\"" : " or \"") + std::string(c.name) + "\"";
  place.in(key).refuse("it must be " + all + ", not \"" + std::string(accumulator_name(id)) + "\"");
}

Alternating read_alternating(Json value, const Place& place) {
  need_object(value, place);
  Alternating rule;
  rule.from = read_candidate(value, "from", may_alternate_from, place);
  rule.to = read_candidate(value, "to", may_alternate_to, place);
  const Json words = member(value, "words_per_step", place);
  if (!words.is_number() || !(words.number() > 0))
    place.in("words_per_step").refuse("it must be a number above 0, not " + shown(words));
  rule.words_per_step = number(words.number(), "it", place.in("words_per_step"));
  return rule;
}

/// Members of version 1 that a reader of what nobody knows would pass over.
void refuse_old_members(Json root, const Place& place) {
  constexpr std::array<std::array<const char*, 2>, 4> kMoved{{{"room", "slots_per_entry"},
                                                              {"table_sort", "sort"},
                                                              {"library_rows", "library_rows"},
                                                              {"collisions", "collisions"}}};
  for (const auto& [old, now] : kMoved)
    if (root.find(old))
      place.refuse("\"" + std::string(old) + "\" is of version 1; since version 2 it is \"" + now + "\" in \"tables\"");
}

}  // namespace

LoadedPolicy LoadedPolicy::from_text(const std::string& content, const std::string& origin) {
  const Place place{origin, ""};
  const JsonText json(content, origin);
  const Json root = json.root();
  const Json version = member(root, "rowan_policy", place);
  if (!version.is_whole() || version.whole() < 1 || version.whole() > kVersion)
    place.refuse("version " + shown(version) + " is neither " + std::to_string(kVersion) + " nor 1");
  const bool old = version.whole() == 1;
  LoadedPolicy policy;
  policy.name = text(member(root, "name", place), "\"name\"", place);
  policy.kind = text(member(root, "kind", place), "\"kind\"", place);
  if (policy.kind != "rules" && policy.kind != "trees")
    place.refuse("\"kind\" is \"" + policy.kind + "\", it must be \"rules\" or \"trees\"");
  policy.about = text(member(root, "about", place), "\"about\"", place);
  policy.source = text(member(root, "source", place), "\"source\"", place);
  for (std::size_t d = 0; d < kDecisions; d++) {
    const std::string key(kDecisionNames[d]);
    if (!kSilent[d].empty() && !root.find(key)) {
      const auto decision = static_cast<Decision>(d);
      policy.trees[d] = {.nodes = {{.less = 0, .other = 1}},
                         .ranked = {outcome(decision, std::string(kSilent[d]), place)}};
      continue;
    }
    policy.trees[d] = read_tree(member(root, key.c_str(), place), static_cast<Decision>(d), place.in(key));
  }
  if (old) {
    policy.tables = read_tables(root, {.slots = "room", .sort = "table_sort"}, place);
    policy.alternating = kSortInWindows;
  } else {
    refuse_old_members(root, place);
    if (const auto tables = root.find("tables")) {
      need_object(*tables, place.in("tables"));
      policy.tables = read_tables(*tables, {.slots = "slots_per_entry", .sort = "sort"}, place.in("tables"));
    }
    if (const auto rule = root.find("alternating"))
      policy.alternating = read_alternating(*rule, place.in("alternating"));
  }
  const std::optional<Json> costs = root.find("costs");
  if (!costs) return policy;
  for (const Decision d : {Decision::symbolic, Decision::numeric}) {
    const std::string key(kDecisionNames[static_cast<std::size_t>(d)]);
    if (const auto scores = costs->find(key))
      policy.costs[d == Decision::numeric ? 1 : 0] = read_scores(*scores, d, place.in("costs").in(key));
  }
  return policy;
}

LoadedPolicy LoadedPolicy::from_file(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in && errno == ENOMEM) throw std::bad_alloc();
  std::string content;
  try {  // by iterators: a stream's own operators keep std::bad_alloc to themselves
    content.assign(std::istreambuf_iterator<char>(in), {});
  } catch (const std::ios_base::failure&) {
    in.setstate(std::ios::badbit);
  }
  if (!in) throw Error(ErrorCode::io, file.string() + ": cannot be read");
  return from_text(content, file.string());
}

#endif

}  // namespace rowan
