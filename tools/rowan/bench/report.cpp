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
      const auto number = [&](const char* key) { return timed ? r[key].dump() : ""; };
      out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", quoted(p["name"]), p["rows"].dump(),
                         p["nprod"].dump(), p["nnz_c"].dump(), quoted(r["name"]), r["kind"].get<std::string>(),
                         report["settings"]["threads"].dump(), number("min"), number("median"), number("spread"),
                         number("gflops"), number("peak_bytes"), number("runs"), quoted(r.value("error", "")));
    }
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
  for (const char* ending : {".json", ".csv", ".html", ".txt"})
    if (file.ends_with(ending)) return;
  throw UsageError(file + ": a report's name ends with .json, .csv, .html or .txt");
}

std::string render(const Json& report, const std::string& file) {
  check_report_name(file);
  if (file.ends_with(".json")) return report.dump(2) + "\n";
  if (file.ends_with(".csv")) return csv(report);
  if (file.ends_with(".html")) return html(report);
  return text(report);
}

}  // namespace rowan::tool::bench
