#include "models/print.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "models/embedded.hpp"
#include "models/loaded.hpp"
#include "tests/support/policies.hpp"

namespace rowan::test {
namespace {

std::string printed(const std::string& numeric) {
  const LoadedPolicy p = LoadedPolicy::from_text(policy_text({.numeric = numeric}), "test");
  return print_tree(p.view().tree(Decision::numeric), Decision::numeric);
}

}  // namespace

TEST_CASE("rules are printed as rules of the same meaning") {
  CHECK_EQ(printed(always("hash")), "  hash\n");
  CHECK_EQ(printed(R"([{"when": ["nprod_max < 33"], "then": "sort"}, {"then": ["dense", "hash"]}])"),
           "  if nprod_max < 33: sort\n  else: dense, else hash\n");
  CHECK_EQ(printed(R"([{"when": ["nprod_max < 129", "span_density >= 0.05"], "then": "sort"},)"
                   R"( {"when": ["run_ratio >= 0.5"], "then": "dense-run"}, {"then": "hash"}])"),
           "  if nprod_max < 129 and span_density >= 0.05: sort\n"
           "  if run_ratio < 0.5: hash\n"
           "  else: dense-run\n");
}

TEST_CASE("trees are printed nested") {
  CHECK_EQ(printed(R"({"nodes": [{"feature": "nprod_max", "threshold": 100, "less": 1, "other": 2},)"
                   R"({"feature": "rows", "threshold": 5, "less": 3, "other": 4},)"
                   R"({"feature": "columns", "threshold": 7.5, "less": 5, "other": 6},)"
                   R"({"then": "sort"}, {"then": "hash"}, {"then": "direct"}, {"then": "dense-rank"}]})"),
           "  if nprod_max < 100:\n"
           "    if rows < 5: sort\n"
           "    else: hash\n"
           "  else:\n"
           "    if columns < 7.5: direct\n"
           "    else: dense-rank\n");
}

TEST_CASE("predicted times are printed as factors") {
  std::string text = policy_text();
  text.replace(
      text.rfind('}'), 1,
      R"(, "costs": {"symbolic": {"relative_to": "hash", "trees": [{"of": "sort", "nodes": [)"
      R"({"feature": "nprod_max", "threshold": 33, "less": 1, "other": 2}, {"value": -0.6931472}, {"value": 0}]}]}}})");
  const LoadedPolicy p = LoadedPolicy::from_text(text, "test");
  CHECK_NE(print_policy(p.view()).find(
               "\npredicted time of sort, symbolic:\n  if nprod_max < 33: 0.5 x hash\n  else: 1 x hash\n"),
           std::string::npos);
}

TEST_CASE("a path names what was compared with what, and where it went") {
  const LoadedPolicy p = LoadedPolicy::from_text(
      policy_text({.numeric = R"([{"when": ["nprod_max < 33"], "then": "sort"}, {"when": ["run_ratio >= 0.5"],)"
                              R"( "then": "dense-run"}, {"then": "hash"}])"}),
      "test");
  FeatureVector f{};
  f[index(Feature::nprod_max)] = 96, f[index(Feature::run_ratio)] = 0.75F;
  const Policy policy = p.view();
  CHECK_EQ(print_path(policy.tree(Decision::numeric), Decision::numeric, f),
           std::vector<std::string>{"nprod_max 96 >= 33", "run_ratio 0.75 >= 0.5"});
  CHECK(print_path(policy.tree(Decision::method), Decision::method, f).empty());
}

TEST_CASE("a path keeps the tightest comparison of a feature on either side") {
  const LoadedPolicy p =
      LoadedPolicy::from_text(policy_text({.numeric = R"([{"when": ["nprod_max < 33"], "then": "sort"}, {"when":)"
                                                      R"( ["nprod_max < 65"], "then": "dense-run"}, {"when":)"
                                                      R"( ["nprod_max < 200"], "then": "hash"}, {"then": "hash"}])"}),
                              "test");
  FeatureVector f{};
  f[index(Feature::nprod_max)] = 96;
  CHECK_EQ(print_path(p.view().tree(Decision::numeric), Decision::numeric, f),
           std::vector<std::string>{"nprod_max 96 >= 65", "nprod_max 96 < 200"});
}

TEST_CASE("scores are printed tree by tree, and their path with the best two") {
  const LoadedPolicy p = LoadedPolicy::from_text(
      policy_text({.numeric = R"({"relative_to": "dense-window", "trees": [{"of": "sort", "nodes": [)"
                              R"({"feature": "nprod_max", "threshold": 33, "less": 1, "other": 2}, {"value": -0.5},)"
                              R"( {"value": 1}]}, {"of": "sort", "nodes": [{"feature": "rows", "threshold": 4,)"
                              R"( "less": 1, "other": 2}, {"value": 0.25}, {"value": 0}]},)"
                              R"( {"of": "hash", "nodes": [{"value": 2}]}]})"}),
      "test");
  const Tree tree = p.view().tree(Decision::numeric);
  CHECK_EQ(print_tree(tree, Decision::numeric),
           "  the least score, the sum of these trees\n"
           "  sort:\n    if nprod_max < 33: -0.5\n    else: 1\n"
           "  sort, to be added:\n    if rows < 4: 0.25\n    else: 0\n"
           "  hash:\n    2\n");
  FeatureVector f{};
  f[index(Feature::nprod_max)] = 20, f[index(Feature::rows)] = 3;
  CHECK_EQ(print_path(tree, Decision::numeric, f),
           std::vector<std::string>{"sort -0.25", "dense-window 0", "nprod_max 20 < 33", "rows 3 < 4"});
}

TEST_CASE("a number is printed in as few digits as tell it apart") {
  CHECK_EQ(shortest(129), "129");
  CHECK_EQ(shortest(0.1F), "0.1");
  CHECK_EQ(shortest(0.076F), "0.076");
}

TEST_CASE("a policy is printed with what it is and all its decisions") {
  for (const Policy& p : embedded_policies()) {
    const std::string text = print_policy(p);
    CHECK(text.starts_with(std::string(p.name) + " (" + std::string(p.kind) + ")\n" + std::string(p.about)));
    for (const std::string_view decision : kDecisionNames)
      CHECK_NE(text.find("\n" + std::string(decision) + ":\n"), std::string::npos);
    const bool own_slots = p.tables.slots_per_entry != SlotsPerEntry{};
    CHECK_EQ(text.find("slots of a hash table for 100 entries") != std::string::npos, own_slots);
    CHECK_EQ(text.find("alternating bins, on hosts: rows of sort between rows of dense-window go there") !=
                 std::string::npos,
             p.alternating.has_value());
    const bool own_sort = p.tables.sort != TableSort::by_size;
    CHECK_EQ(text.find("how hash tables are sorted: " + std::string(name_of(p.tables.sort))) != std::string::npos,
             own_sort);
    CHECK_EQ(text.find("whose hash tables the library sorts") != std::string::npos, p.tables.library_rows != 0);
    CHECK_EQ(text.find("hands a row that it counts to dense-rank") != std::string::npos, p.tables.collisions != 0);
  }
}

}  // namespace rowan::test
