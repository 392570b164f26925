#include "tools/rowan/bench/contestant.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <unistd.h>

#include "tools/rowan/bench/child.hpp"
#include "tools/rowan/command.hpp"

namespace rowan::tool::bench {

namespace fs = std::filesystem;

std::vector<Contestant> ask_program(const std::string& path) {
  constexpr double kSeconds = 20;  // Python's start on a slow disk
  const std::string full = fs::absolute(path).string();
  std::istringstream lines(Child({full, "--contestants"}, 1).read_all(kSeconds));
  std::vector<Contestant> all;
  for (std::string line; std::getline(lines, line);) {
    try {
      const nlohmann::json json = nlohmann::json::parse(line);
      Contestant c{.name = json.at("name").get<std::string>(), .command = {full}};
      for (const auto& arg : json.value("args", nlohmann::json::array())) c.command.push_back(arg.get<std::string>());
      c.reuse = json.value("kind", "full") == "reuse";
      c.backend = json.value("backend", "host");
      c.sorted = json.value("sorted", true);
      c.rowan = fs::path(path).filename() == "rowan";
      all.push_back(std::move(c));
    } catch (const nlohmann::json::exception&) {
      throw Fault(path + " --contestants printed \"" + line.substr(0, 60) + "\", which names no contestant");
    }
  }
  return all;
}

std::vector<std::string> programs_in(const std::string& folder) {
  std::error_code failed;
  std::vector<std::string> files;
  for (const fs::directory_entry& e : fs::directory_iterator(folder, failed))
    if (e.is_regular_file() && access(e.path().c_str(), X_OK) == 0) files.push_back(e.path().string());
  if (failed) throw UsageError(folder + ": " + failed.message());
  std::sort(files.begin(), files.end());
  return files;
}

std::string own_folder() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* relative : {"../../bench/peers", "../libexec/rowan/peers"})
    if (fs::exists(here / relative / "rowan")) return (here / relative).lexically_normal().string();
  throw UsageError("the contestants that come with rowan were not found near " + here.string() +
                   ": build with ROWAN_BUILD_BENCH, or give their folder with --peers");
}

}  // namespace rowan::tool::bench
