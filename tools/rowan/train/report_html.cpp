// A training's report as one page, with plots drawn here as SVG.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tools/rowan/page.hpp"
#include "tools/rowan/train/report.hpp"

namespace rowan::tool::train {
namespace {

using Json = nlohmann::ordered_json;

/// A plot's frame: places on paper, lines and labels of both axes.
class Plot {
 public:
  struct Axis {
    double least, most;
    bool logarithmic = false;
    std::string name;
  };
  Plot(Axis x, Axis y) : x_(std::move(x)), y_(std::move(y)) {}

  [[nodiscard]] double x(double v) const { return kLeft + kWidth * share(x_, v); }
  [[nodiscard]] double y(double v) const { return kTop + kHeight * (1 - share(y_, v)); }
  [[nodiscard]] std::string frame(const std::string& label) const {
    std::string out = fmt::format("<svg viewBox='0 0 1000 400' role=img aria-label='{}'>\n", escaped(label));
    for (const double v : ticks(x_))
      out += fmt::format(
          "<line class=grid x1={0:.1f} x2={0:.1f} y1={1} y2={2} /><text x={0:.1f} y={3} text-anchor=middle>{4:.4g}"
          "</text>\n",
          x(v), kTop, kTop + kHeight, kTop + kHeight + 18, v);
    for (const double v : ticks(y_))
      out += fmt::format(
          "<line class=grid x1={0} x2={1} y1={2:.1f} y2={2:.1f} /><text x={3} y={4:.1f} text-anchor=end>{5:.4g}"
          "</text>\n",
          kLeft, kLeft + kWidth, y(v), kLeft - 6, y(v) + 4, v);
    return out +
           fmt::format("<text class=name x={} y={} text-anchor=end>{}</text><text class=name x={} y=12>{}</text>\n",
                       kLeft + kWidth, kTop + kHeight + 36, escaped(x_.name), kLeft, escaped(y_.name));
  }
  [[nodiscard]] static std::string legend(std::size_t line, const std::string& colour, const std::string& name) {
    const double at = kTop + 10 + 22 * static_cast<double>(line);
    return fmt::format(
        "<rect x=790 y={:.0f} width=14 height=6 style='fill:{}'/><text class=name x=812 y={:.0f}>{}</text>\n", at - 3,
        colour, at + 4, escaped(name));
  }

 private:
  static constexpr double kLeft = 70, kTop = 24, kWidth = 690, kHeight = 320;

  static double share(const Axis& a, double v) {
    v = std::clamp(v, a.least, a.most);
    return a.logarithmic ? std::log(v / a.least) / std::log(a.most / a.least) : (v - a.least) / (a.most - a.least);
  }
  static std::vector<double> ticks(const Axis& a) {
    constexpr int kLines = 5, kMostPowers = 8;
    std::vector<double> at;
    if (!a.logarithmic) {
      const double range = a.most - a.least, power = std::pow(10, std::floor(std::log10(range / kLines)));
      double step = power;
      for (const double round : {2.0, 5.0, 10.0})
        if (step * kLines < range) step = round * power;
      for (int i = static_cast<int>(std::ceil(a.least / step)); i * step <= a.most; i++) at.push_back(i * step);
      return at;
    }
    const double powers = std::log10(a.most / a.least);
    if (powers < 2) {
      for (const double v : {0.1, 0.125, 0.25, 0.5, 1.0, 1.1, 1.25, 1.5, 2.0, 4.0, 8.0, 10.0})
        if (v >= a.least && v <= a.most) at.push_back(v);
      return at;
    }
    const int step = std::max(1, static_cast<int>(std::ceil(powers / kMostPowers)));
    const int least = static_cast<int>(std::ceil(std::log10(a.least)));
    for (int e = least; e <= std::log10(a.most); e += step) at.push_back(std::pow(10, e));
    return at;
  }

  Axis x_, y_;
};

std::string figures(const Json& report) {
  std::string out = "<div class=figures>\n";
  const auto number = [](const Json& j) { return fmt::format("{:.3f}×", j.get<double>()); };
  for (const Json& p : report["phases"]["numeric"]["policies"])
    if (p["kind"] == "model")
      out += figure(number(p["geomean"]), "the best known time on families held out, geomean") +
             figure(number(p["p95"]), "95 of 100 products are within") + figure(number(p["worst"]), "at worst");
  out += figure(report["products"].dump(), "products of " + report["families"].dump() + " families");
  return out + "</div>\n";
}

std::string policy_table(const Json& phase) {
  std::string out =
      "<div class=scroll><table><tr><th>choices<th>products<th>geomean<th>p95<th>worst<th>total<th "
      "class=word>worst on\n";
  for (const Json& p : phase["policies"]) {
    if (p["products"] == 0) continue;
    out += fmt::format("<tr{}><td>{}<td>{}<td>{:.3f}<td>{:.3f}<td>{:.3f}<td>{:.3f}<td class=word>{}\n",
                       p["kind"] == "model" ? " class=best" : "", escaped(p["name"]), p["products"].dump(),
                       p["geomean"].get<double>(), p["p95"].get<double>(), p["worst"].get<double>(),
                       p["total"].get<double>(), escaped(p.value("worst_product", "")));
  }
  return out + "</table></div>\n";
}

/// Share of products (up) whose time is within a factor of the best known (right).
std::string regret_curves(const Json& report) {
  constexpr double kMost = 2;
  const Plot plot({1, kMost, true, "time over the best known"}, {0, 1, false, "share of products"});
  std::string out = plot.frame("regret");
  std::size_t line = 0;
  for (const auto& [key, name, colour] :
       {std::tuple{"model", "model, held out", "var(--rowan)"}, std::tuple{"rules", "hand rules", kColours[0]}}) {
    std::vector<double> ratios;
    for (const Json& p : report["by_product"])
      if (p.contains(key)) ratios.push_back(p[key].get<double>());
    if (ratios.empty()) continue;
    std::sort(ratios.begin(), ratios.end());
    std::string path = fmt::format("M{:.1f} {:.1f}", plot.x(1), plot.y(0));
    for (std::size_t i = 0; i < ratios.size() && ratios[i] <= kMost; i++)
      path += fmt::format("H{:.1f}V{:.1f}", plot.x(ratios[i]),
                          plot.y(static_cast<double>(i + 1) / static_cast<double>(ratios.size())));
    out += fmt::format("<path class=curve d='{}H{:.1f}' style='stroke:{}'/>\n", path, plot.x(kMost), colour) +
           Plot::legend(line++, colour, name);
  }
  return out + "</svg>\n";
}

/// Bins over the two features that choices rest on most: inside what was fastest, around it what is chosen.
std::string choice_map(const Json& map) {
  if (map.is_null() || map["points"].empty()) return "";
  double least[2] = {INFINITY, INFINITY}, most[2] = {0, 0};
  for (const Json& p : map["points"])
    for (std::size_t a = 0; a < 2; a++) {
      const double v = p[a];
      if (v > 0) least[a] = std::min(least[a], v), most[a] = std::max(most[a], v);
    }
  for (std::size_t a = 0; a < 2; a++)
    if (!(least[a] < most[a])) least[a] = 0.5, most[a] = 2;
  const Plot plot({least[0], most[0], true, map["x"]}, {least[1], most[1], true, map["y"]});
  std::string out = plot.frame("choices");
  std::vector<std::string> names;
  const auto colour = [&](const std::string& name) {
    auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) at = names.insert(names.end(), name);
    return std::string(kColours[static_cast<std::size_t>(at - names.begin()) % kColours.size()]);
  };
  for (const Json& p : map["points"])
    out += fmt::format("<circle cx={:.1f} cy={:.1f} r=4 style='fill:{};stroke:{};stroke-width:1.5;opacity:.75'/>\n",
                       plot.x(p[0]), plot.y(p[1]), colour(p[2]), colour(p[3]));
  for (std::size_t i = 0; i < names.size(); i++) out += Plot::legend(i, colour(names[i]), names[i]);
  return "<h2>Choice map</h2><p>Bins over the two features that choices use most. Inside: the fastest; around it: "
         "the model's choice.</p>\n" +
         out + "</svg>\n";
}

std::string predictions(const Json& report) {
  if (!report.contains("predictions") || report["predictions"].empty()) return "";
  constexpr double kLeast = 0.1, kMost = 10;
  const Plot plot({kLeast, kMost, true, "predicted time over the safest's"}, {kLeast, kMost, true, "measured"});
  std::string out = plot.frame("predicted against measured");
  constexpr std::size_t kPoints = 3000;  // more only make the page slow
  const Json& all = report["predictions"];
  const std::size_t step = all.size() / kPoints + 1;
  for (std::size_t i = 0; i < all.size(); i += step)
    out += fmt::format("<circle cx={:.1f} cy={:.1f} r=2 style='fill:var(--rowan);opacity:.5'/>\n", plot.x(all[i][0]),
                       plot.y(all[i][1]));
  out += fmt::format("<path class=curve d='M{:.1f} {:.1f}L{:.1f} {:.1f}' style='stroke:var(--ink)'/>\n", plot.x(kLeast),
                     plot.y(kLeast), plot.x(kMost), plot.y(kMost));
  return "<h2>Predicted against measured</h2><p>Times of accumulators over the safest's, in bins of families held "
         "out.</p>\n" +
         out + "</svg>\n";
}

std::string learning_curve(const Json& report) {
  if (!report.contains("learning_curve")) return "";
  double most = 1.05, products = 1;
  for (const Json& p : report["learning_curve"])
    most = std::max(most, p["geomean"].get<double>()), products = std::max(products, p["products"].get<double>());
  const Plot plot({0, products, false, "products fitted to"}, {1, most, false, "geomean over the best known"});
  std::string path;
  for (const Json& p : report["learning_curve"])
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", plot.x(p["products"]), plot.y(p["geomean"]));
  return "<h2>Learning curve</h2>\n" + plot.frame("learning curve") +
         fmt::format("<path class=curve d='{}' style='stroke:var(--rowan)'/>\n</svg>\n", path);
}

std::string family_table(const Json& report) {
  if (!report.contains("by_family")) return "";
  std::string out =
      "<h2>Families, each held out</h2><div "
      "class=scroll><table><tr><th>family<th>products<th>geomean<th>worst<th>hand "
      "rules<th>worst\n";
  for (const Json& f : report["by_family"])
    out += fmt::format("<tr><td>{}<td>{}<td>{:.3f}<td>{:.3f}<td>{:.3f}<td>{:.3f}\n", escaped(f["family"]),
                       f["products"].dump(), f["geomean"].get<double>(), f["worst"].get<double>(),
                       f["rules_geomean"].get<double>(), f["rules_worst"].get<double>());
  return out + "</table></div>\n";
}

std::string way_table(const Json& report) {
  if (report["ways"].empty()) return "";
  std::string out =
      "<h2>Ways of fitting</h2><div class=scroll><table><tr><th>way<th>symbolic<th>p95<th>worst<th>numeric<th>p95<th>"
      "worst<th class=word>\n";
  for (const Json& w : report["ways"]) {
    out += fmt::format("<tr><td>{}", escaped(w["name"]));
    for (const char* phase : {"symbolic", "numeric"})
      out += fmt::format("<td>{:.3f}{}<td>{:.3f}<td>{:.3f}", w[phase]["geomean"].get<double>(),
                         w[phase]["kept"] == true ? " (kept)" : "", w[phase]["p95"].get<double>(),
                         w[phase]["worst"].get<double>());
    out += fmt::format("<td class=word>{}\n", escaped(w["about"]));
  }
  return out + "</table></div>\n";
}

std::string feature_table(const Json& report) {
  if (!report.contains("features")) return "";
  std::string out = fmt::format(
      "<h2>Features</h2><p>Numeric phase, families held out: with the original four alone {:.3f}; without one of the "
      "others:</p><div class=scroll><table><tr><th class=word>left out<th>geomean\n",
      report["features"]["four"].get<double>());
  for (const auto& [name, regret] : report["features"]["without"].items())
    out += fmt::format("<tr><td class=word>{}<td>{:.3f}\n", escaped(name), regret.get<double>());
  return out + "</table></div>\n";
}

std::string sampled_table(const Json& report) {
  if (!report.contains("sampled")) return "";
  const Json& s = report["sampled"];
  std::string out = fmt::format(
      "<h2>Measuring rows or not</h2><p>Whole products, time over the best, families held out; {} kept.</p><div "
      "class=scroll><table><tr><th class=word>family<th>products<th>fitted<th>hand rules<th>always measure\n",
      s["kept"] == "fitted" ? "the fit is" : "the hand rules are");
  out += fmt::format("<tr><td class=word>all<td><td>{:.3f}<td>{:.3f}<td>{:.3f}\n", s["fitted"].get<double>(),
                     s["hand rules"].get<double>(), s["always"]["measure"].get<double>());
  for (const Json& f : s["by_family"])
    out += fmt::format("<tr><td class=word>{}<td>{}<td>{:.3f}<td>{:.3f}<td>{:.3f}\n", escaped(f["family"]),
                       f["products"].dump(), f["fitted"].get<double>(), f["hand rules"].get<double>(),
                       f["measure"].get<double>());
  return out + "</table></div>\n";
}

std::string lanes(const Json& report) {
  if (!report.contains("group")) return "";
  const Json& g = report["group"];
  return fmt::format(
      "<p>Lanes that walk a row of B, numeric phase held out: fitted {:.3f}, by the average row {:.3f}; {} kept.</p>\n",
      g["fitted"].get<double>(), g["by_average"].get<double>(), g["kept"] == true ? "the fit is" : "the average is");
}

}  // namespace

std::string html(const Json& report) {
  std::string out = page_head("rowan train", report["name"].get<std::string>() + ": a model and how good it is");
  out += fmt::format(
      "<p>{}, {}. {}.</p>\n", escaped(report["machine"]), escaped(report["date"]),
      report["splits"] == 0
          ? "All products are of one family: the model could not be judged on a held-out family"
          : fmt::format("Judged on families that the fit did not see, in {} splits", report["splits"].dump()));
  out += figures(report);
  out += "<h2>Time over the best known</h2>\n" + regret_curves(report);
  out += "<h2>Numeric phase</h2>\n" + policy_table(report["phases"]["numeric"]);
  out += "<h2>Symbolic phase</h2>\n" + policy_table(report["phases"]["symbolic"]);
  out += way_table(report) + feature_table(report) + lanes(report) + sampled_table(report) + family_table(report) +
         choice_map(report["map"]) + predictions(report) + learning_curve(report);
  return out + "</html>\n";
}

}  // namespace rowan::tool::train
