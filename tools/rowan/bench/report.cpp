#include "tools/rowan/bench/report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tools/rowan/command.hpp"

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
  for (const Json& p : report["products"])
    for (const Json& r : p["results"]) {
      const bool timed = r.contains("min");
      const auto number = [&](const char* key) { return timed && r.contains(key) ? r[key].dump() : ""; };
      out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", quoted(p["name"]), p["rows"].dump(),
                         p["nprod"].dump(), p["nnz_c"].dump(), quoted(r["name"]), r["kind"].get<std::string>(),
                         report["settings"]["threads"].dump(), number("min"), number("median"), number("spread"),
                         number("gflops"), number("peak_bytes"), number("runs"), quoted(r.value("error", "")));
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
  for (const Json& p : report["products"]) {
    const bool compared = p.contains("ratio_to_best_peer");
    out += fmt::format("| {} | {:.1f} | {} | {} | {} | {} | {} | {} |\n", p["name"].get<std::string>(),
                       p["nprod"].get<double>() * 1e-6, p.contains("rowan") ? milliseconds(p["rowan"]) : "failed",
                       p.value("best_peer", "–"), compared ? milliseconds(p["best_peer_seconds"]) : "–",
                       times(p, "ratio_to_best_peer"), times(p, "ratio_to_floor"), times(p, "memory"));
  }
  const Json& s = report["summary"];
  if (s.value("compared", 0) > 0)
    out += fmt::format("\nGeometric mean {:.2f}×, least {:.2f}×, faster on {} of {}; {} thread(s), {}.\n",
                       s["ratio_to_best_peer"].get<double>(), s["least_ratio_to_best_peer"].get<double>(),
                       s["compared"].get<std::size_t>() - s["slower"].size(), s["compared"].dump(),
                       report["settings"]["threads"].dump(), report["machine"]["processor"].get<std::string>());
  return out;
}

std::vector<ProfileCurve> performance_profile(const Json& report) {
  std::vector<ProfileCurve> curves;
  bool rowan_taken = false;
  for (const Json& c : report["contestants"]) {
    if (c["kind"] != "full" || (c["rowan"] && rowan_taken)) continue;
    rowan_taken = rowan_taken || c["rowan"].get<bool>();
    curves.push_back({.name = c["name"], .rowan = c["rowan"], .ratios = {}});
  }
  for (const Json& p : report["products"]) {
    double best = 0;
    const auto seconds = [&](const std::string& name) {
      for (const Json& r : p["results"])
        if (r["name"] == name && !r.contains("error")) return r["min"].get<double>();
      return 0.0;
    };
    for (const ProfileCurve& c : curves)
      if (const double s = seconds(c.name); s > 0 && (best == 0 || s < best)) best = s;
    for (ProfileCurve& c : curves)
      if (const double s = seconds(c.name); s > 0) c.ratios.push_back(s / best);
  }
  for (ProfileCurve& c : curves) std::sort(c.ratios.begin(), c.ratios.end());
  return curves;
}

void check_report_name(const std::string& file) {
  for (const char* ending : {".json", ".csv", ".html", ".md", ".txt"})
    if (file.ends_with(ending)) return;
  throw UsageError(file + ": a report's name ends with .json, .csv, .html, .md or .txt");
}

std::string render(const Json& report, const std::string& file) {
  check_report_name(file);
  if (file.ends_with(".json")) return report.dump(2) + "\n";
  if (file.ends_with(".csv")) return csv(report);
  if (file.ends_with(".html")) return html(report);
  if (file.ends_with(".md")) return markdown(report);
  return text(report);
}

}  // namespace rowan::tool::bench
