// Folders depend on each other one way.
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/layout/sources.hpp"

namespace rowan::test {
namespace {

using Folders = std::set<std::string>;

Folders together(std::initializer_list<Folders> parts) {
  Folders all;
  for (const Folders& part : parts) all.insert(part.begin(), part.end());
  return all;
}

/// What the files of a folder may include with quotes, besides their own folder.
const std::map<std::string, Folders>& allowed() {
  // device code stands on three folders that are one layer: simt.hpp picks the platform, the emulator is one of them
  static const Folders device{"lib/device/runtime", "lib/device/simt", "lib/device/emulated"};
  static const Folders accumulator{"lib/core", "lib/binning", "accumulators", "accumulators/common"};
  static const Folders on_device = together({accumulator,
                                             {"lib/device/runtime", "lib/device/simt", "lib/binning/device",
                                              "accumulators/common/device", "accumulators/tuning"}});
  // what a product is made of, down to where policies choose
  static const Folders choosing{"lib/core", "lib/binning", "features", "accumulators", "models", "lib/choose"};
  // ... and what the library's users see of it
  static const Folders inside = together({choosing, {"lib/host", "lib/backends"}});
  static const std::map<std::string, Folders> all{
      {"lib/include", {}},
      {"lib/core", {}},
      {"lib/generate", {"lib/core"}},
      {"lib/io", {"lib/core"}},
      {"lib/device/runtime", together({device, {"lib/core", "accumulators/tuning"}})},
      {"lib/device/simt", together({device, {"lib/core"}})},
      {"lib/device/emulated", together({device, {"lib/core"}})},
      {"lib/binning", {"lib/core"}},
      {"lib/binning/device",
       {"lib/core", "lib/binning", "lib/device/runtime", "lib/device/simt", "accumulators/tuning"}},
      {"features", {"lib/core", "lib/binning"}},
      {"features/device",
       {"lib/core", "lib/binning", "lib/binning/device", "features", "lib/device/runtime", "lib/device/simt",
        "accumulators/tuning"}},
      // its own files are the lists of candidates: they alone know every accumulator
      {"accumulators",
       {"lib/core", "lib/binning", "accumulators/direct", "accumulators/sort", "accumulators/dense",
        "accumulators/hash"}},
      {"accumulators/device",
       {"lib/core", "lib/binning", "accumulators", "accumulators/common", "accumulators/common/device",
        "accumulators/tuning", "lib/device/runtime", "lib/device/simt", "lib/binning/device",
        "accumulators/direct/device", "accumulators/sort/device", "accumulators/dense/device",
        "accumulators/hash/device"}},
      // numbers of kernels, by architecture: they lean on nothing
      {"accumulators/tuning", {"lib/core", "lib/device/runtime"}},
      {"accumulators/common", {"lib/core", "lib/binning", "accumulators"}},
      // a launch carries the rules of hash's tables
      {"accumulators/common/device", together({on_device, {"accumulators/hash"}})},
      // no accumulator includes another
      {"accumulators/direct", accumulator},
      {"accumulators/sort", accumulator},
      {"accumulators/dense", accumulator},
      {"accumulators/hash", accumulator},
      {"accumulators/direct/device", together({on_device, {"accumulators/direct"}})},
      {"accumulators/sort/device", together({on_device, {"accumulators/sort"}})},
      {"accumulators/dense/device", together({on_device, {"accumulators/dense"}})},
      {"accumulators/hash/device", together({on_device, {"accumulators/hash"}})},
      // a policy says how hash's tables are made (accumulators/hash/table_rules.hpp)
      {"models", {"lib/core", "lib/binning", "features", "accumulators", "accumulators/hash"}},
      {"lib/choose", {"lib/core", "lib/binning", "features", "accumulators", "models"}},
      {"lib/backends", {"lib/core", "models", "lib/choose"}},
      {"lib/host", together({choosing, {"lib/backends"}})},
      // rows in shift runs are left to direct-shift
      {"lib/host/replay", together({choosing, {"lib/host", "accumulators/common", "accumulators/direct"}})},
      {"lib/host/galerkin", together({choosing, {"lib/host", "accumulators/common"}})},
      {"lib/device/pipeline", together({inside,
                                        device,
                                        {"lib/binning/device", "features/device", "accumulators/device",
                                         "accumulators/common/device", "accumulators/tuning"}})},
      {"lib/c", {}},  // C++'s public interface in C's words
      {"lib/api", together({inside, {"lib/host/replay", "lib/host/galerkin"}})},
      {"mpi", {}},  // on the public interface, and these on its own and rowan's
      {"petsc", {}},
      {"hypre", {}},
      {"training", together({inside, {"lib/api", "lib/io"}})},
      {"tools", together({inside, {"lib/api", "lib/io", "training", "accumulators/tuning"}})},
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

}  // namespace

TEST_CASE("sources include only what lies before them") {
  std::size_t files = 0;
  for (const char* top : {"lib", "features", "accumulators", "models", "mpi", "petsc", "hypre", "training", "tools"})
    for (const Source& source : sources_in(top)) {
      files++;
      CHECK_MESSAGE(folder_of(source.path), source.path, " is in no known folder");
      std::istringstream in(source.text);
      for (std::string line; std::getline(in, line);)
        if (quoted_include(line)) CHECK_EQ(fault(source.path, line), "");
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
  CHECK(forbidden("accumulators/sort/host.cpp", R"(#include "accumulators/direct/recipe.hpp")"));
  CHECK(forbidden("accumulators/sort/device/sort.cpp", R"(#include "accumulators/hash/device/hash.hpp")"));
  CHECK(forbidden("accumulators/sort/host.cpp", R"(#include "accumulators/sort/device/sort.hpp")"));
  CHECK(forbidden("accumulators/common/prefetch.hpp", R"(#include "accumulators/dense/layout.hpp")"));
  CHECK(forbidden("accumulators/tuning/default.hpp", R"(#include "accumulators/hash/candidate.hpp")"));
  CHECK(forbidden("features/rows.cpp", R"(#include "features/device/measure.hpp")"));
  CHECK(forbidden("lib/choose/choose.cpp", R"(#include "lib/host/settings.hpp")"));
  CHECK(forbidden("lib/host/multiply.cpp", R"(#include "accumulators/hash/candidate.hpp")"));
  CHECK(forbidden("lib/host/multiply.cpp", R"(#include "lib/host/replay/replay.hpp")"));
  CHECK(forbidden("lib/device/pipeline/engine.cpp", R"(#include "accumulators/hash/device/hash.hpp")"));
  CHECK(forbidden("lib/device/simt/scope.hpp", R"(#include "lib/device/pipeline/engine.hpp")"));
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
  CHECK_EQ(fault("accumulators/candidates.hpp", R"(#include "accumulators/hash/candidate.hpp")"), "");
  CHECK_EQ(fault("accumulators/hash/device/hash.hpp", R"(#include "accumulators/hash/candidate.hpp")"), "");
  CHECK_EQ(fault("lib/api/inspect.cpp", R"(#include "models/print.hpp")"), "");
  CHECK_EQ(fault("tools/rowan/main.cpp", R"(#include "tools/rowan/commands.hpp")"), "");
  CHECK_EQ(fault("lib/core/validate.cpp", R"(// #include "lib/api/state.hpp")"), "");
  CHECK_EQ(fault("bench/any.cpp", R"(#include "lib/api/state.hpp")"), "");
}

}  // namespace rowan::test
