// A report as one page: what there is to see is drawn here as SVG, nothing is loaded.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "tools/rowan/bench/report.hpp"
#include "tools/rowan/page.hpp"
#include "tools/rowan/units.hpp"

namespace rowan::tool::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string figures(const Json& report) {
  const Json& s = report.at("summary");
  std::string out = "<div class=figures>\n";
  if (s.value("compared", 0) > 0) {
    out += figure(fmt::format("{:.2f}×", s.at("ratio_to_best_peer").get<double>()),
                  "the best peer of each product, geomean");
    out += figure(fmt::format("{:.2f}×", s.at("least_ratio_to_best_peer").get<double>()),
                  "on the product where it is least");
    out += figure(
        fmt::format("{} of {}", s.at("compared").get<std::size_t>() - s.at("slower").size(), s.at("compared").dump()),
        "products where rowan is fastest");
  }
  if (s.contains("ratio_to_floor"))
    out += figure(fmt::format("{:.2f}×", s.at("ratio_to_floor").get<double>()), "the time to move A, B and C once");
  if (s.contains("memory"))
    out += figure(fmt::format("{:.2f}×", s.at("memory").get<double>()), "peak memory over A, B and C");
  if (s.contains("reuse") && s.at("reuse").contains("ratio_to_best_peer"))
    out += figure(fmt::format("{:.2f}×", s.at("reuse").at("ratio_to_best_peer").get<double>()),
                  "the best peer in numeric re-execution");
  return out + "</div>\n";
}

/// Fraction of products (up) solved within a factor of the fastest (right, logarithmic).
std::string profile(const Json& report) {
  constexpr double kLeft = 46, kTop = 12, kWidth = 700, kHeight = 300, kMost = 64;
  const std::vector<ProfileCurve> curves = performance_profile(report);
  const auto all = static_cast<double>(report.at("products").size());
  const auto x = [&](double ratio) { return kLeft + kWidth * std::log2(std::min(ratio, kMost)) / std::log2(kMost); };
  const auto y = [&](double share) { return kTop + kHeight * (1 - share); };
  std::string out = "<svg viewBox='0 0 1000 350' role=img aria-label='performance profile'>\n";
  for (int f = 1; f <= static_cast<int>(kMost); f *= 2)
    out += fmt::format(
        "<line class=grid x1={0:.1f} x2={0:.1f} y1={1} y2={2} /><text x={0:.1f} y={3} "
        "text-anchor=middle>{4}×</text>\n",
        x(f), kTop, kTop + kHeight, kTop + kHeight + 18, f);
  for (int percent = 0; percent <= 100; percent += 25)
    out += fmt::format(
        "<line class=grid x1={0} x2={1} y1={2:.1f} y2={2:.1f} /><text x={3} y={4:.1f} text-anchor=end>{5} %</text>\n",
        kLeft, kLeft + kWidth, y(percent / 100.0), kLeft - 6, y(percent / 100.0) + 4, percent);
  std::size_t colour = 0, line = 0;
  for (const ProfileCurve& c : curves) {
    // the second half of the colours is dashed: neighbours in the list must not look alike
    const std::string stroke = c.rowan ? "var(--rowan)" : kColours[colour % kColours.size()];
    const bool dashed = !c.rowan && colour++ >= kColours.size() / 2;
    std::string path = fmt::format("M{:.1f} {:.1f}", x(1), y(0));
    double share = 0;
    for (const double r : c.ratios) {
      if (r > kMost) break;
      path += fmt::format("H{:.1f}", x(r)), share += 1 / all, path += fmt::format("V{:.1f}", y(share));
    }
    path += fmt::format("H{:.1f}", x(kMost));
    const double legend = kTop + 10 + 22 * static_cast<double>(line++);
    out += fmt::format("<path class=curve d='{}' style='stroke:{};{}'/>\n", path, stroke,
                       c.rowan  ? "stroke-width:3"
                       : dashed ? "stroke-dasharray:6 3"
                                : "");
    out += fmt::format(
        "<line x1=765 x2=785 y1={0:.0f} y2={0:.0f} style='stroke:{1};stroke-width:3'/><text class=name x=792 "
        "y={2:.0f}>{3}</text>\n",
        legend, stroke, legend + 4, escaped(c.name));
  }
  return out + "</svg>\n";
}

/// A bar for each product: how many times faster than its best peer.
std::string bars(const Json& report) {
  std::vector<const Json*> products;
  double most = 2;
  for (const Json& p : report.at("products"))
    if (p.contains("ratio_to_best_peer"))
      products.push_back(&p), most = std::max(most, p.at("ratio_to_best_peer").get<double>());
  std::stable_sort(products.begin(), products.end(), [](const Json* a, const Json* b) {
    return (*a).at("ratio_to_best_peer") > (*b).at("ratio_to_best_peer");
  });
  constexpr double kStep = 20, kLeft = 230, kWidth = 560;
  const auto length = [&](double ratio) { return kWidth * ratio / most; };
  std::string out = fmt::format("<svg viewBox='0 0 1000 {:.0f}' role=img aria-label='ratio to the best peer'>\n",
                                kStep * static_cast<double>(products.size()) + 8);
  double y = 4;
  for (const Json* p : products) {
    const double ratio = (*p).at("ratio_to_best_peer");
    out += fmt::format(
        "<text class=name x={} y={:.0f} text-anchor=end>{}</text><rect x={} y={:.0f} width={:.1f} height=13 rx=2 "
        "style='fill:var({})'/><text x={:.1f} y={:.0f}>{:.2f}× {}</text>\n",
        kLeft - 8, y + 11, escaped((*p).at("name")), kLeft, y, length(ratio), ratio < 1 ? "--bad" : "--rowan",
        kLeft + length(ratio) + 6, y + 11, ratio, escaped((*p).at("best_peer")));
    y += kStep;
  }
  out += fmt::format("<line x1={0:.1f} x2={0:.1f} y1=0 y2={1:.0f} style='stroke:var(--ink);stroke-dasharray:3 3'/>\n",
                     kLeft + length(1), y);
  return out + "</svg>\n";
}

std::string times(const Json& report, const std::string& kind) {
  std::string out = "<div class=scroll><table><tr><th>product<th>products<th>nnz(C)";
  std::vector<std::string> names;
  for (const Json& c : report.at("contestants"))
    if (c.at("kind") == kind) names.push_back(c.at("name")), out += "<th>" + escaped(names.back());
  if (names.empty()) return "";
  for (const Json& p : report.at("products")) {
    out += fmt::format("<tr><td>{}<td>{}<td>{}", escaped(p.at("name")), p.at("nprod").dump(), p.at("nnz_c").dump());
    double best = INFINITY;
    for (const Json& r : p.at("results"))
      if (r.at("kind") == kind && !r.contains("error")) best = std::min(best, r.at("min").get<double>());
    for (const std::string& n : names) {
      std::string cell = "<td>–";
      for (const Json& r : p.at("results")) {
        if (r.at("name") != n) continue;
        if (r.contains("error"))
          cell = fmt::format("<td class=bad title=\"{}\">failed", escaped(r.at("error")));
        else
          cell = fmt::format("<td{} title=\"median {}, spread {:.0f} %, {} runs\">{}",
                             r.at("min").get<double>() <= best ? " class=best" : "", print_seconds(r.at("median")),
                             100 * r.at("spread").get<double>(), r.at("runs").dump(), print_seconds(r.at("min")));
      }
      out += cell;
    }
    out += "\n";
  }
  return out + "</table></div>\n";
}

}  // namespace

std::string html(const Json& report) {
  const Json &machine = report.at("machine"), &settings = report.at("settings");
  std::string out = page_head("rowan bench", "rowan and its peers");
  out += fmt::format(
      "<p>{}, {} thread{}, rowan {}, {}. Minimum over rounds, with all phases, C's allocation and sorted columns; "
      "results compared.</p>\n",
      escaped(machine.at("processor")), settings.at("threads").dump(), settings.at("threads") == 1 ? "" : "s",
      escaped(report.at("version")), escaped(report.at("date")));
  if (const std::string peers = not_found(report); !peers.empty())
    out += "<p>Peers not found: " + escaped(peers) + ".</p>\n";
  out += figures(report);
  if (report.at("summary").value("compared", 0) > 0) {
    out +=
        "<h2>Performance profile</h2><p>On what share of the products (up) each is within a factor of the fastest "
        "(right).</p>\n" +
        profile(report);
    out += "<h2>Times faster than the best peer</h2>\n" + bars(report);
  }
  out += "<h2>Times (minimum over rounds)</h2>\n" + times(report, "full");
  if (const std::string reuse = times(report, "reuse"); !reuse.empty())
    out += "<h2>Numeric re-execution (known pattern)</h2>\n" + reuse;
  return out + "</html>\n";
}

}  // namespace rowan::tool::bench
