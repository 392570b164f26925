// Families in policies, and the candidates that they stand for where a policy is in force.
#include <doctest/doctest.h>

#include "models/loaded.hpp"
#include "models/print.hpp"
#include "tests/support/policies.hpp"

namespace rowan::test {
namespace {

LoadedPolicy with_dense(const std::string& numeric) {
  return LoadedPolicy::from_text(policy_text({.symbolic = always("dense"), .numeric = numeric}), "F");
}
std::string printed(const LoadedPolicy& policy, Decision d = Decision::numeric) {
  return print_tree(policy.view().tree(d), d);
}
bool on_host(CandidateId id) {
  return kCandidates[id].on_host;
}
bool no_window(CandidateId id) {
  return kCandidates[id].name != "dense-window";
}

}  // namespace

TEST_CASE("a policy keeps a family's name until it is in force on a backend") {
  const LoadedPolicy policy = with_dense(R"([{"then": ["direct", "dense", "dense-run", "hash"]}])");
  CHECK_EQ(printed(policy), "  direct, else dense, else dense-run, else hash\n");
  LoadedPolicy host = policy, device = policy, nowhere = policy;
  host.resolve(on_host), device.resolve(no_window), nowhere.resolve([](CandidateId) { return false; });
  CHECK_EQ(printed(host), "  direct, else dense-window, else dense-run, else hash\n");
  CHECK_EQ(printed(host, Decision::symbolic), "  dense-window\n");
  CHECK_EQ(printed(device), "  direct, else dense-rank, else dense-run, else hash\n");
  CHECK_EQ(printed(device, Decision::symbolic), "  dense-rank\n");
  CHECK_EQ(printed(nowhere, Decision::symbolic), "  dense-window\n");
}

TEST_CASE("scores of a family count for the candidate that it stands for, in predicted times, too") {
  const std::string scores = R"({"relative_to": "dense-window", "trees": [{"of": "dense", "nodes": [{"value": 2}]},)"
                             R"( {"of": "dense-rank", "nodes": [{"value": 1}]}, {"of": "sort", "nodes": [)"
                             R"({"value": 2.5}]}]})";
  std::string text = policy_text({.numeric = scores});
  text.replace(text.rfind('}'), 1, R"(, "costs": {"numeric": )" + scores + "}}");
  const auto numeric = [&](bool (*has)(CandidateId)) {
    LoadedPolicy policy = LoadedPolicy::from_text(text, "F");
    policy.resolve(has);
    const Policy p = policy.view();
    std::string all;
    for (const std::uint8_t id : evaluate(p.tree(Decision::numeric), FeatureVector{}))
      all += std::string(kCandidates[id].name) + " " + shortest(score(p.tree(Decision::numeric), id, {})) + " " +
             shortest(*predict(p.costs[1], id, {})) + ", ";
    return all;
  };
  CHECK_EQ(numeric(on_host), "dense-rank 1 1, dense-window 2 2, sort 2.5 2.5, ");
  CHECK_EQ(numeric(no_window), "dense-window 0 0, sort 2.5 2.5, dense-rank 3 3, ");
}

}  // namespace rowan::test
