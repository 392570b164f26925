#include <fmt/format.h>

#include "lib/io/ending.hpp"
#include "tools/rowan/command.hpp"
#include "tools/rowan/json_text.hpp"
#include "tools/rowan/page/page.hpp"
#include "tools/rowan/printable.hpp"
#include "tools/rowan/table.hpp"
#include "tools/rowan/train/report.hpp"
#include "tools/rowan/width.hpp"

namespace rowan::tool::train {
namespace {

using Json = nlohmann::ordered_json;
using enum Table::Align;

std::string times(const Json& j, const char* key) {
  return j.contains(key) ? fmt::format("{:.3f}", j[key].get<double>()) : "-";
}

std::string judged(const Json& phase) {
  Table table({{"time over the best known"},
               {"products", right},
               {"geomean", right},
               {"p95", right},
               {"worst", right},
               {"total", right},
               {"worst on"}});
  std::string notes;
  for (const Json& p : phase["policies"]) {
    if (p["products"] == 0) continue;
    table.add({p["name"], p["products"].dump(), times(p, "geomean"), times(p, "p95"), times(p, "worst"),
               times(p, "total"), p.value("worst_product", "")});
    if (p.contains("note")) notes += p["name"].get<std::string>() + " " + p["note"].get<std::string>() + "\n";
  }
  return table.text() + fitted(notes);
}

std::string shares(const Json& importances) {
  std::string out;
  for (const auto& [name, share] : importances.items())
    out += fmt::format("{}{} {:.0f} %", out.empty() ? "" : ", ", name, 100 * share.get<double>());
  return out.empty() ? "nothing" : out;
}

std::string phase_text(const Json& report, const std::string& name) {
  const Json &phase = report["phases"][name], &sums = report["sums"][name];
  std::string out;
  out +=
      fmt::format("{} trees with {} leaves, {} of them unsure (they do not prefer anything to {}); the splits use {}\n",
                  phase["tree"]["trees"].dump(), phase["tree"]["leaves"].dump(), phase["tree"]["unsure"].dump(),
                  phase["safest"].get<std::string>(), shares(phase["importances"]));
  out += fmt::format(
      "sums of bins' times rank {} of {} pairs of whole phases correctly, {} after scaling; the sum of the best bins "
      "is "
      "{:.2f} of the phase with them\n",
      sums["ranked_alike"].dump(), sums["pairs"].dump(), sums["ranked_alike_corrected"].dump(),
      sums["sum_over_whole"].get<double>());
  return fmt::format("\n{} phase\n{}", name, judged(phase)) + fitted(out);
}

std::string ways(const Json& report) {
  if (report["ways"].empty()) return "";
  Table table({{"way of fitting"},
               {"symbolic", right},
               {"p95", right},
               {"worst", right},
               {"numeric", right},
               {"p95", right},
               {"worst", right}});
  const auto geomean = [](const Json& j) { return times(j, "geomean") + (j["kept"] == true ? "*" : " "); };
  for (const Json& w : report["ways"])
    table.add({w["name"], geomean(w["symbolic"]), times(w["symbolic"], "p95"), times(w["symbolic"], "worst"),
               geomean(w["numeric"]), times(w["numeric"], "p95"), times(w["numeric"], "worst")});
  return "\n" + table.text() + "*kept\n";
}

std::string features(const Json& report) {
  if (!report.contains("features")) return "";
  std::string out = fmt::format("\nnumeric phase, held out: with the original four features alone {}; all but",
                                times(report["features"], "four"));
  for (const auto& [name, regret] : report["features"]["without"].items())
    out += fmt::format("{} {} {:.3f}", out.ends_with("but") ? "" : ",", name, regret.get<double>());
  if (report["features"].contains("left_out"))
    for (const Json& f : report["features"]["left_out"])
      out += fmt::format("\nleft out: {}, with it {}, without {}", f["feature"].get<std::string>(), times(f, "with"),
                         times(f, "without"));
  return out + "\n";
}

std::string families(const Json& report) {
  if (!report.contains("by_family")) return "";
  Table table({{"family, held out"},
               {"products", right},
               {"geomean", right},
               {"worst", right},
               {"in force", right},
               {"hand rules", right},
               {"worst", right}});
  for (const Json& f : report["by_family"])
    table.add({f["family"], f["products"].dump(), times(f, "geomean"), times(f, "worst"), times(f, "in_force_geomean"),
               times(f, "rules_geomean"), times(f, "rules_worst")});
  return "\n" + table.text();
}

std::string sampled(const Json& report) {
  if (!report.contains("sampled")) return "";
  const Json& s = report["sampled"];
  Table table({{"measuring rows or not, held out"},
               {"products", right},
               {"fitted", right},
               {"hand rules", right},
               {"always measure", right}});
  table.add({"all", "", times(s, "fitted"), times(s, "hand rules"), times(s["always"], "measure")});
  for (const Json& f : s["by_family"])
    table.add({f["family"], f["products"].dump(), times(f, "fitted"), times(f, "hand rules"), times(f, "measure")});
  std::string out = fmt::format("kept: {}; always", s["kept"].get<std::string>());
  for (const auto& [name, regret] : s["always"].items())
    out += fmt::format("{} {} {:.3f}", out.ends_with("always") ? "" : ",", name, regret.get<double>());
  return "\n" + table.text() + fitted(out) + "\n";
}

std::string rest(const Json& report) {
  std::string out;
  if (report.contains("group"))
    out += fmt::format("\nlanes that walk a row of B, held out: fitted {}, by the average row {}; {} kept\n",
                       times(report["group"], "fitted"), times(report["group"], "by_average"),
                       report["group"]["kept"] == true ? "the fit is" : "the average is");
  if (report.contains("learning_curve")) {
    out += "\nlearning curve (products fitted to: geomean):";
    for (const Json& p : report["learning_curve"])
      out += fmt::format(" {:.0f}: {:.3f}", p["products"].get<double>(), p["geomean"].get<double>());
    out += "\n";
  }
  if (report.contains("cost")) {
    out += "predicted times of held-out bins are off by a factor of (rounds of boosting: geomean):";
    for (const Json& r : report["cost"]["by_rounds"])
      out += fmt::format(" {}: {:.2f}", r["rounds"].dump(), r["held_out_factor"].get<double>());
    out += fmt::format("; {} kept\n", report["cost"]["rounds"].dump());
  }
  return out;
}

}  // namespace

std::string text(const Json& report) {
  std::string out = fmt::format("{}: {} products of {} families, ", report["name"].get<std::string>(),
                                report["products"].dump(), report["families"].dump());
  out += report["splits"] == 0 ? "all of one family: the model could not be judged on a held-out family\n"
                               : fmt::format("judged on families held out, in {} splits\n", report["splits"].dump());
  if (report.contains("verdict")) out += "\n" + report["verdict"]["words"].get<std::string>() + "\n";
  return printable_lines(fitted(out) + families(report) + phase_text(report, "numeric") +
                         phase_text(report, "symbolic") + ways(report) + fitted(features(report)) + sampled(report) +
                         fitted(rest(report)));
}

void check_report_name(const std::string& file) {
  for (const char* ending : {".json", ".html", ".txt"})
    if (io::ending_of(file) == ending) return;
  throw UsageError(file + ": a report's name ends with .json, .html or .txt");
}

std::string render(const Json& report, const std::string& file) {
  check_report_name(file);
  const std::string ending = io::ending_of(file);
  if (ending == ".json") return json_text(report, 1);
  return ending == ".html" ? page("rowan train", {"train.js"}, report) : text(report);
}

}  // namespace rowan::tool::train
