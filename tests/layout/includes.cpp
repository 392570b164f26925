// Folders depend on each other one way.
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace rowan::test {
namespace {

namespace fs = std::filesystem;

/// What the files of a folder may include with quotes, besides their own folder.
const std::map<std::string, std::set<std::string>>& allowed() {
  static const std::map<std::string, std::set<std::string>> all{
      {"lib/include", {}},
      {"lib/core", {}},
      {"lib/generate", {"lib/core"}},
      {"lib/io", {"lib/core"}},
      {"accumulators/tuning", {}},
      {"lib/device", {"lib/core", "accumulators/tuning"}},
      {"lib/binning", {"lib/core", "lib/device"}},
      {"features", {"lib/core", "lib/device", "lib/binning"}},
      {"accumulators", {"lib/core", "lib/device", "lib/binning"}},
      {"models", {"lib/core", "lib/binning", "features", "accumulators"}},
      {"lib/choose", {"lib/core", "lib/binning", "features", "accumulators", "models"}},
      {"lib/host", {"lib/core", "lib/binning", "features", "accumulators", "models", "lib/choose", "lib/backends"}},
      {"lib/device/pipeline",
       {"lib/core", "lib/device", "lib/binning", "features", "accumulators", "models", "lib/choose", "lib/host",
        "lib/backends"}},
      {"lib/backends", {"lib/core", "models"}},
      {"lib/api",
       {"lib/core", "lib/binning", "features", "accumulators", "models", "lib/choose", "lib/host", "lib/backends"}},
      {"training",
       {"lib/core", "lib/binning", "features", "accumulators", "models", "lib/choose", "lib/host", "lib/backends",
        "lib/api", "lib/io"}},
      {"tools",
       {"lib/core", "lib/binning", "features", "accumulators", "models", "accumulators/tuning", "lib/choose",
        "lib/host", "lib/backends", "lib/api", "lib/io", "training"}},
  };
  return all;
}

/// The innermost folder of the table that a repository-rooted path lies in.
std::optional<std::string> folder_of(const std::string& path) {
  std::optional<std::string> innermost;
  for (const auto& [folder, may] : allowed())
    if (path.starts_with(folder + "/") && (!innermost || folder.size() > innermost->size())) innermost = folder;
  return innermost;
}

/// What a line includes with quotes.
std::optional<std::string> quoted_include(const std::string& line) {
  const auto hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return std::nullopt;
  const auto word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) return std::nullopt;
  const auto open = line.find('"', word), close = line.find('"', open + 1);
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  return line.substr(open + 1, close - open - 1);
}

/// Empty, or why the file may not have the line.
std::string fault(const std::string& file, const std::string& line) {
  const auto included = quoted_include(line);
  const auto from = folder_of(file);
  if (!included || !from) return "";
  if (*from == "lib/include") return file + ": a public header includes \"" + *included + "\"";
  const auto to = folder_of(*included);
  if (!to) return file + ": \"" + *included + "\" is not of a known folder";
  if (*to == "lib/include") return file + ": \"" + *included + "\" is public: include <rowan/...>";
  if (*to != *from && !allowed().at(*from).contains(*to)) return file + ": " + *from + " may not include " + *to;
  return "";
}

/// The family of accumulators whose folder the path lies in; "common" and files of all families are in none.
std::string family_of(const std::string& path) {
  const std::string folder = "accumulators/";
  const auto end = path.find('/', folder.size());
  if (!path.starts_with(folder) || end == std::string::npos) return "";
  const std::string family = path.substr(folder.size(), end - folder.size());
  return family == "common" ? "" : family;
}

/// Empty, or which other family's file this one includes.
std::string family_fault(const std::string& file, const std::string& line) {
  const auto included = quoted_include(line);
  const std::string from = family_of(file), to = included ? family_of(*included) : "";
  return from.empty() || to.empty() || from == to ? "" : file + ": " + from + " includes a file of " + to;
}

}  // namespace

TEST_CASE("no family of accumulators includes another's files on the host") {
  const fs::path root = ROWAN_SOURCE_DIR;
  for (const auto& entry : fs::recursive_directory_iterator(root / "accumulators")) {
    const std::string file = fs::relative(entry.path(), root).generic_string();
    if (!entry.is_regular_file() || file.find("/device/") != std::string::npos) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) CHECK_EQ(family_fault(file, line), "");
  }
  CHECK_NE(family_fault("accumulators/sort/host.cpp", R"(#include "accumulators/direct/recipe.hpp")"), "");
  CHECK_EQ(family_fault("accumulators/sort/host.cpp", R"(#include "accumulators/common/prefetch.hpp")"), "");
  CHECK_EQ(family_fault("accumulators/sort/host.cpp", R"(#include "accumulators/candidate.hpp")"), "");
}

TEST_CASE("sources include only what lies before them") {
  const fs::path root = ROWAN_SOURCE_DIR;
  std::size_t files = 0;
  for (const auto& [folder, may] : allowed()) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      files++;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);)
        CHECK_EQ(fault(fs::relative(entry.path(), root).generic_string(), line), "");
    }
  }
  CHECK_GT(files, 50U);
}

TEST_CASE("the checker finds what is forbidden") {
  const auto forbidden = [](const std::string& file, const std::string& line) { return !fault(file, line).empty(); };
  CHECK(forbidden("lib/core/validate.cpp", R"(#include "lib/binning/bins.hpp")"));
  CHECK(forbidden("lib/binning/bins.cpp", R"(  #  include "features/feature.hpp"  // why not)"));
  CHECK(forbidden("features/measure.cpp", R"(#include "accumulators/candidates.hpp")"));
  CHECK(forbidden("features/measure.cpp", R"(#include "models/policy.hpp")"));
  CHECK(forbidden("accumulators/hash/host.cpp", R"(#include "features/feature.hpp")"));
  CHECK(forbidden("accumulators/hash/host.cpp", R"(#include "models/policy.hpp")"));
  CHECK(forbidden("models/load.cpp", R"(#include "lib/host/phase_runner.hpp")"));
  CHECK(forbidden("lib/host/phase_runner.hpp", R"(#include "lib/api/state.hpp")"));
  CHECK(forbidden("lib/io/read.cpp", R"(#include "lib/binning/bins.hpp")"));
  CHECK(forbidden("lib/generate/rmat.cpp", R"(#include "lib/io/output.hpp")"));
  CHECK(forbidden("lib/api/plan.cpp", R"(#include "lib/io/source.hpp")"));
  CHECK(forbidden("lib/api/plan.cpp", R"(#include "tools/rowan/main.hpp")"));
  CHECK(forbidden("lib/include/rowan/csr.hpp", R"(#include "lib/core/pattern.hpp")"));
  CHECK(forbidden("lib/core/memory.cpp", R"(#include "lib/include/rowan/memory.hpp")"));
  CHECK(forbidden("lib/core/memory.cpp", R"(#include "pattern.hpp")"));
}

TEST_CASE("the checker lets through what is allowed") {
  CHECK_EQ(fault("lib/core/validate.cpp", R"(#include "lib/core/prepared.hpp")"), "");
  CHECK_EQ(fault("lib/core/validate.cpp", "#include <rowan/error.hpp>"), "");
  CHECK_EQ(fault("models/policy.hpp", R"(#include "accumulators/candidates.hpp")"), "");
  CHECK_EQ(fault("lib/api/inspect.cpp", R"(#include "models/print.hpp")"), "");
  CHECK_EQ(fault("tools/rowan/main.cpp", R"(#include "tools/rowan/commands.hpp")"), "");
  CHECK_EQ(fault("lib/core/validate.cpp", R"(// #include "lib/api/state.hpp")"), "");
  CHECK_EQ(fault("bench/any.cpp", R"(#include "lib/api/state.hpp")"), "");
}

}  // namespace rowan::test
