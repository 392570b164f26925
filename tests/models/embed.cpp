// The compiled-in policies are the JSON files and nothing else.
#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/embedded.hpp"
#include "models/loaded.hpp"
#include "models/print.hpp"
#include "tests/lib/io/errors.hpp"
#include "tests/support/policies.hpp"

namespace rowan::test {
namespace {

const std::filesystem::path kRoot = ROWAN_SOURCE_DIR;

/// As models/embed.sh has them: the default first, then by name.
std::vector<std::string> policy_files() {
  const std::string first = "models/policies/host-trained.json";
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(kRoot / "models/policies"))
    if (file.path().extension() == ".json") files.push_back("models/policies/" + file.path().filename().string());
  std::sort(files.begin(), files.end(), [&](const std::string& x, const std::string& y) {
    return (x == first) != (y == first) ? x == first : x < y;
  });
  return files;
}

TEST_CASE("models/generated/policies.hpp is what models/embed.sh makes of models/policies") {
  std::deque<LoadedPolicy> policies;  // the views point into them
  std::vector<NamedPolicy> named;
  for (const std::string& file : policy_files()) {
    policies.push_back(LoadedPolicy::from_file(kRoot / file));
    named.push_back({file, policies.back().view()});
  }
  std::ifstream header(kRoot / "models/generated/policies.hpp");
  const std::string content{std::istreambuf_iterator<char>(header), {}};
  CHECK_MESSAGE(content == embed_header(named), "run models/embed.sh");
}

TEST_CASE("a policy that is compiled in names accumulators, which mean the same on every backend") {
  for (const Policy& p : embedded_policies())
    for (const Decision d : {Decision::symbolic, Decision::numeric})
      CHECK(std::ranges::none_of(p.tree(d).ranked, is_family));
  const LoadedPolicy family = LoadedPolicy::from_text(policy_text({.numeric = always("dense")}), "F");
  const NamedPolicy named[] = {{"F", family.view()}};
  CHECK_EQ(error_of([&] { static_cast<void>(embed_header(named)); }),
           "invalid_argument: F: numeric: \"dense\" is a family; a policy that is compiled in must name accumulators");
}

TEST_CASE("every compiled-in policy decides as its file does") {
  const auto files = policy_files();
  REQUIRE(embedded_policies().size() == files.size());
  for (std::size_t i = 0; i < files.size(); i++) {
    const LoadedPolicy loaded = LoadedPolicy::from_file(kRoot / files[i]);
    const Policy compiled = embedded_policies()[i], read = loaded.view();
    CHECK(print_policy(compiled) == print_policy(read));
    CHECK(compiled.alternating == read.alternating);
    CHECK(compiled.tables == read.tables);
    for (std::size_t d = 0; d < kDecisions; d++) {
      CHECK(std::ranges::equal(compiled.trees[d].nodes, read.trees[d].nodes));
      CHECK(std::ranges::equal(compiled.trees[d].ranked, read.trees[d].ranked));
      CHECK(std::ranges::equal(compiled.trees[d].roots, read.trees[d].roots));
    }
    for (std::size_t c = 0; c < compiled.costs.size(); c++) {
      CHECK(std::ranges::equal(compiled.costs[c].nodes, read.costs[c].nodes));
      CHECK(std::ranges::equal(compiled.costs[c].roots, read.costs[c].roots));
      CHECK(std::ranges::equal(compiled.costs[c].ranked, read.costs[c].ranked));
    }
  }
}

}  // namespace
}  // namespace rowan::test
