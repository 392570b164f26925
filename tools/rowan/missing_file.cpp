#include "tools/rowan/missing_file.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "lib/core/spelling.hpp"

namespace rowan::tool {

namespace fs = std::filesystem;

namespace {

/// A file in the same folder that was probably meant by `path`; empty where none is close.
std::string nearest_file(const std::string& path) {
  constexpr std::size_t kMostNames = 10'000;  // a guess is not worth more of a large folder
  const fs::path wanted(path);
  const fs::path folder = wanted.parent_path();
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator file(folder.empty() ? "." : folder, error), end;
       !error && file != end && names.size() != kMostNames; file.increment(error))
    if (!file->is_directory(error)) names.push_back(file->path().filename().string());
  std::sort(names.begin(), names.end());  // of equally close ones the first, whatever the folder's order
  const std::string name = nearest(wanted.filename().string(), names);
  return name.empty() ? "" : (folder / name).string();
}

}  // namespace

std::string missing_file_hint(std::string_view message, const std::string& path) {
  if (path.empty() || !message.starts_with(path)) return "";
  const std::string_view said = message.substr(path.size());
  const bool unread = said.starts_with(": cannot be opened") || said.starts_with(": cannot be read") ||
                      said.starts_with(" is not a file");
  std::error_code ignored;
  if (!unread || fs::exists(path, ignored)) return "";
  const std::string meant = nearest_file(path);
  return meant.empty() ? "" : "; did you mean \"" + meant + "\"?";
}

}  // namespace rowan::tool
