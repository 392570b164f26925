#pragma once
// rowan model diff: where two policies choose differently.
#include <string>
#include <vector>

namespace rowan::tool {

struct DiffSettings {
  std::string before, after;  // names of policies that are compiled in, or files
  std::vector<std::string> products, sets;
  std::string folder, backend = "host";  // where they choose
  bool json = false;
};

/// Prints, for every product, the rows whose accumulator differs, by bin. Returns the exit code.
[[nodiscard]] int diff_models(const DiffSettings& settings);

}  // namespace rowan::tool
