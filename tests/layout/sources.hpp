#pragma once
// The repository's own sources, as text.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace rowan::test {

struct Source {
  std::string path;  // from the repository's root
  std::string text;
};

/// Every .hpp and .cpp file below a folder.
inline std::vector<Source> sources_in(const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path root = ROWAN_SOURCE_DIR;
  std::vector<Source> all;
  if (!fs::exists(root / folder)) return all;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    std::ifstream in(entry.path());
    all.push_back({fs::relative(entry.path(), root).generic_string(),
                   std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>())});
  }
  return all;
}

}  // namespace rowan::test
