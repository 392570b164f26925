#include "tools/rowan/train/sources.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "lib/io/ending.hpp"
#include "tools/rowan/bench/product.hpp"
#include "tools/rowan/command.hpp"
#include <rowan/generate.hpp>
#include <rowan/io.hpp>

namespace rowan::tool::train {
namespace {

namespace fs = std::filesystem;

/// "cage12.mtx.gz" -> "cage12".
std::string stem(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.substr(0, name.find('.', 1));
}

std::string family_of(const std::string& product) {
  if (const auto spec = generator_spec(product)) return std::string(spec->substr(0, spec->find(':')));
  return stem(product);
}

/// The operands' names, without what says transpose.
std::vector<std::string> operands_of(const std::string& product) {
  std::vector<std::string> names;
  constexpr std::string_view kTimes = " * ";
  const std::size_t times = product.find(kTimes);
  names.push_back(product.substr(0, times));
  if (times != std::string::npos) names.push_back(product.substr(times + kTimes.size()));
  for (std::string& name : names)
    if (name.ends_with('\'')) name.pop_back();
  return names;
}

/// Whether it can be made or is a file. Throws Error{invalid_argument} for what cannot be made.
bool is_there(const std::string& name, const std::string& folder) {
  std::error_code ignored;
  const auto spec = generator_spec(name);
  if (spec) static_cast<void>(generated_size(*spec));
  return spec || fs::exists(name, ignored) || (!folder.empty() && fs::exists(fs::path(folder) / name, ignored));
}

}  // namespace

std::vector<Source> sources_of(const std::string& argument) {
  std::error_code ignored;
  if (!fs::is_directory(argument, ignored)) {
    for (const std::string& name : operands_of(argument))
      if (!is_there(name, "")) throw UsageError(name + " is neither a matrix file nor a folder");
    return {{argument, family_of(operands_of(argument).front())}};
  }
  std::vector<Source> list;
  for (const auto& entry : fs::recursive_directory_iterator(argument))
    if (entry.is_regular_file() && io::is_matrix_name(entry.path().string())) {
      // as the paths stand: a family is the folder that the user put a file or its symbolic link into
      const fs::path inside = entry.path().lexically_relative(argument);
      list.push_back({entry.path().string(), inside.has_parent_path() ? inside.begin()->string() : stem(inside)});
    }
  if (list.empty()) throw UsageError(argument + " has no matrix files (.mtx, .bin, .rowan, each plain or .gz)");
  std::sort(list.begin(), list.end(), [](const Source& a, const Source& b) { return a.product < b.product; });
  return list;
}

std::vector<Source> sources_of_set(const std::string& path, const std::string& folder) {
  std::vector<Source> list;
  std::string family;
  for (const std::string& line : bench::read_set(path)) {
    if (line.starts_with('[') && line.ends_with(']')) {
      family = line.substr(1, line.size() - 2);
      continue;
    }
    for (const std::string& name : operands_of(line)) {
      if (!is_there(name, folder))
        throw UsageError(
            fmt::format("{}: \"{}\" was not found{}", path, name, folder.empty() ? "; give its folder with --in" : ""));
    }
    list.push_back({line, family.empty() ? family_of(operands_of(line).front()) : family});
  }
  if (list.empty()) throw UsageError(path + " names no products");
  return list;
}

}  // namespace rowan::tool::train
