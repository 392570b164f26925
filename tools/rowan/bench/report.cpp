#include "tools/rowan/bench/report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lib/io/ending.hpp"
#include "tools/rowan/command.hpp"
#include "tools/rowan/json_text.hpp"
#include "tools/rowan/page/page.hpp"
#include "tools/rowan/printable.hpp"

namespace rowan::tool::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& text) {
  std::string s = "\"";
  for (const char c : text) s += c == '"' ? "\"\"" : std::string(1, c);
  return s + "\"";
}

}  // namespace

std::string csv(const Json& report) {
  std::string out = "product,rows,nprod,nnz_c,contestant,kind,threads,min,median,spread,gflops,peak_bytes,runs,error\n";
  for (const Json& p : report.at("products"))
    for (const Json& r : p.at("results")) {
      const bool timed = r.contains("min");
      const auto number = [&](const char* key) { return timed && r.contains(key) ? r[key].dump() : ""; };
      out +=
          fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", quoted(p.at("name")), p.at("rows").dump(),
                      p.at("nprod").dump(), p.at("nnz_c").dump(), quoted(r.at("name")), r.at("kind").get<std::string>(),
                      report.at("settings").at("threads").dump(), number("min"), number("median"), number("spread"),
                      number("gflops"), number("peak_bytes"), number("runs"), quoted(r.value("error", "")));
    }
  return out;
}

std::string not_found(const Json& report) {
  std::string out;
  std::vector<std::string> reasons;
  const Json peers = report.value("not_found", Json::array());
  for (const Json& p : peers)
    if (const auto why = p.at("why").get<std::string>();
        std::find(reasons.begin(), reasons.end(), why) == reasons.end())
      reasons.push_back(why);
  for (const std::string& why : reasons) {
    std::string names;
    for (const Json& p : peers)
      if (p.at("why") == why) names += (names.empty() ? "" : ", ") + p.at("name").get<std::string>();
    out += fmt::format("{}{} ({})", out.empty() ? "" : "; ", names, why);
  }
  return out;
}

std::string markdown(const Json& report) {
  const auto milliseconds = [](const Json& seconds) { return fmt::format("{:.3g}", seconds.get<double>() * 1e3); };
  const auto times = [](const Json& p, const char* key) {
    return p.contains(key) ? fmt::format("{:.2f}", p[key].get<double>()) : std::string("–");
  };
  std::string out =
      "| product | products (M) | rowan (ms) | best peer | (ms) | ratio | × floor | memory |\n"
      "|---|--:|--:|---|--:|--:|--:|--:|\n";
  for (const Json& p : report.at("products")) {
    const bool compared = p.contains("ratio_to_best_peer");
    out += fmt::format("| {} | {:.1f} | {} | {} | {} | {} | {} | {} |\n", p.at("name").get<std::string>(),
                       p.at("nprod").get<double>() * 1e-6, p.contains("rowan") ? milliseconds(p.at("rowan")) : "failed",
                       p.value("best_peer", "–"), compared ? milliseconds(p.at("best_peer_seconds")) : "–",
                       times(p, "ratio_to_best_peer"), times(p, "ratio_to_floor"), times(p, "memory"));
  }
  const Json& s = report.at("summary");
  if (s.value("compared", 0) > 0)
    out += fmt::format("\nGeometric mean {:.2f}×, least {:.2f}×, faster on {} of {}; {} thread(s), {}.\n",
                       s.at("ratio_to_best_peer").get<double>(), s.at("least_ratio_to_best_peer").get<double>(),
                       s.at("compared").get<std::size_t>() - s.at("slower").size(), s.at("compared").dump(),
                       report.at("settings").at("threads").dump(),
                       report.at("machine").at("processor").get<std::string>());
  if (const std::string peers = not_found(report); !peers.empty()) out += "\nPeers not found: " + peers + ".\n";
  return printable_lines(out);
}

void check_report_name(const std::string& file) {
  for (const char* ending : {".json", ".csv", ".html", ".md", ".txt"})
    if (io::ending_of(file) == ending) return;
  throw UsageError(file + ": a report's name ends with .json, .csv, .html, .md or .txt");
}

std::string render(const Json& report, const std::string& file) {
  check_report_name(file);
  const std::string ending = io::ending_of(file);
  if (ending == ".json") return json_text(report);
  if (ending == ".csv") return csv(report);
  if (ending == ".html") return page("rowan bench", {"bench.js"}, report);
  if (ending == ".md") return markdown(report);
  return text(report);
}

}  // namespace rowan::tool::bench
