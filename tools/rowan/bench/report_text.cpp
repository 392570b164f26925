// A report on a terminal.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "tools/rowan/bench/report.hpp"
#include "tools/rowan/printable.hpp"
#include "tools/rowan/table.hpp"
#include "tools/rowan/units.hpp"
#include "tools/rowan/width.hpp"

namespace rowan::tool::bench {
namespace {

using Json = nlohmann::ordered_json;
using enum Table::Align;

std::string count(double n) {
  if (n < 1e4) return fmt::format("{:.0f}", n);
  if (n < 1e6) return fmt::format("{:.0f} k", n * 1e-3);
  if (n < 1e9) return fmt::format("{:.1f} M", n * 1e-6);
  return fmt::format("{:.2f} G", n * 1e-9);
}

std::string times(const Json& j, const char* key) {
  return j.contains(key) ? fmt::format("{:.2f}x", j[key].get<double>()) : "-";
}

const Json* result(const Json& product, const std::string& name) {
  for (const Json& r : product.at("results"))
    if (r.at("name") == name) return &r;
  return nullptr;
}

std::string time_of(const Json& product, const std::string& name) {
  const Json* r = result(product, name);
  if (r == nullptr) return "-";
  return r->contains("error") ? "failed" : print_seconds((*r).at("min"));
}

std::vector<std::string> names_of(const Json& report, const std::string& kind) {
  std::vector<std::string> names;
  for (const Json& c : report.at("contestants"))
    if (c.at("kind") == kind) names.push_back(c.at("name"));
  return names;
}

std::string overview(const Json& report) {
  Table table({{"product"},
               {"products", right},
               {"nnz(C)", right},
               {"rowan", right},
               {"spread", right},
               {"GFLOPS", right},
               {"of floor", right},
               {"memory", right},
               {"best peer"},
               {"time", right},
               {"ratio", right}});
  for (const Json& p : report.at("products")) {
    const Json* rowan = result(p, "rowan");
    const bool ran = rowan != nullptr && !rowan->contains("error");
    table.add({p.at("name"), count(p.at("nprod")), count(p.at("nnz_c")), time_of(p, "rowan"),
               ran ? fmt::format("{:.0f} %", 100 * (*rowan).at("spread").get<double>()) : "-",
               ran ? fmt::format("{:.2f}", (*rowan).at("gflops").get<double>()) : "-", times(p, "ratio_to_floor"),
               times(p, "memory"), p.value("best_peer", "-"),
               p.contains("best_peer") ? print_seconds(p.at("best_peer_seconds")) : "-",
               times(p, "ratio_to_best_peer")});
  }
  return table.text();
}

/// Times of all contestants; the longer list goes down the table.
std::string all_contestants(const Json& report, const std::string& kind) {
  const std::vector<std::string> names = names_of(report, kind);
  if (names.empty()) return "";
  const Json& products = report.at("products");
  const bool by_product = products.size() >= names.size();
  std::vector<Table::Column> columns{{kind == "reuse" ? "numeric re-execution" : "all contestants"}};
  if (by_product)
    for (const std::string& n : names) columns.push_back({n, right});
  else
    for (const Json& p : products) columns.push_back({p.at("name"), right});
  Table table(columns);
  for (std::size_t row = 0; row < (by_product ? products.size() : names.size()); row++) {
    std::vector<std::string> cells{by_product ? products[row].at("name").get<std::string>() : names[row]};
    for (std::size_t column = 1; column < columns.size(); column++)
      cells.push_back(by_product ? time_of(products[row], names[column - 1])
                                 : time_of(products[column - 1], names[row]));
    table.add(cells);
  }
  return "\n" + table.text();
}

std::string stages(const Json& report) {
  const std::vector<std::string> names{"prepare", "features", "binning", "deciding", "symbolic", "numeric"};
  std::vector<Table::Column> columns{{"rowan's stages"}};
  for (const std::string& n : names) columns.push_back({n, right});
  columns.push_back({"cost of choosing", right});
  Table table(columns);
  bool any = false;
  for (const Json& p : report.at("products")) {
    const Json* rowan = result(p, "rowan");
    if (rowan == nullptr || !rowan->contains("stages")) continue;
    any = true;
    const Json& s = (*rowan).at("stages");
    const double total = s.value("total", 0.0);
    std::vector<std::string> cells{p.at("name")};
    for (const std::string& n : names) cells.push_back(print_seconds(s.value(n, 0.0)));
    const double choosing = s.value("features", 0.0) + s.value("binning", 0.0) + s.value("deciding", 0.0);
    cells.push_back(total > 0 ? fmt::format("{:.1f} %", 100 * choosing / total) : "-");
    table.add(cells);
  }
  return any ? "\n" + table.text() : "";
}

std::string faults(const Json& report) {
  std::string out;
  for (const Json& p : report.at("products"))
    for (const Json& r : p.at("results"))
      if (r.contains("error"))
        out += fmt::format("{}: {} {}\n", p.at("name").get<std::string>(), r.at("name").get<std::string>(),
                           r.at("error").get<std::string>());
  for (const Json& f : report.at("failed"))
    out += fmt::format("{}: {}\n", f.at("product").get<std::string>(), f.at("error").get<std::string>());
  return out.empty() ? "" : "\n" + out;
}

/// Times that say little: beside other work, or of products that are over too soon.
std::string noisy(const Json& report) {
  constexpr double kNoisy = 0.2;
  int all = 0, many = 0;
  double most = 0;
  std::string worst;
  for (const Json& p : report.at("products"))
    for (const Json& r : p.at("results")) {
      if (!r.contains("spread")) continue;
      const double spread = r.at("spread");
      all++, many += spread > kNoisy ? 1 : 0;
      if (spread > most)
        most = spread, worst = r.at("name").get<std::string>() + " on " + p.at("name").get<std::string>();
    }
  if (many == 0) return "";
  return fmt::format(
      "\nwarning: {} of {} measurements spread by more than 20 %, {} by {:.0f} %: ratios near 1 say nothing there; "
      "measure longer (--seconds, --rounds) or without other work\n",
      many, all, worst, 100 * most);
}

std::string one_by_one(const Json& report) {
  std::string names;
  for (const Json& p : report.at("products"))
    if (!p.value("interleaved", p.value("by_turns", true)))
      names += (names.empty() ? "" : ", ") + p.at("name").get<std::string>();
  return names.empty() ? "" : "\none contestant after another, not interleaved: " + names + "\n";
}

std::string verdict(const Json& s, const std::string& what) {
  if (s.value("compared", 0) == 0) return "";
  std::string out = fmt::format("{}: {:.2f}x the best peer of each product (geomean of {}), least {:.2f}x\n", what,
                                s.at("ratio_to_best_peer").get<double>(), s.at("compared").get<int>(),
                                s.at("least_ratio_to_best_peer").get<double>());
  for (const Json& name : s.at("slower")) out += "slower than the best peer: " + name.get<std::string>() + "\n";
  return out;
}

std::string closing(const Json& report) {
  const Json& s = report.at("summary");
  std::string out = "\n" + verdict(s, "rowan");
  if (s.contains("ratio_to_floor"))
    out += fmt::format(
        "{:.2f}x the floor (A, B and C moved once at {:.1f} GB/s), {:.2f}x C's first touch at {:.1f} GB/s\n",
        s.at("ratio_to_floor").get<double>(), report.at("machine").at("copy_rate").get<double>() * 1e-9,
        s.at("ratio_to_touch_floor").get<double>(), report.at("machine").at("first_touch_rate").get<double>() * 1e-9);
  if (s.contains("memory")) out += fmt::format("{:.2f}x the memory of A, B and C\n", s.at("memory").get<double>());
  if (s.contains("reuse")) {
    out += verdict(s.at("reuse"), "numeric re-execution");
    if (s.at("reuse").contains("ratio_to_full"))
      out += fmt::format("numeric re-execution: {:.2f}x rowan's full multiplication\n",
                         s.at("reuse").at("ratio_to_full").get<double>());
  }
  Table table({{"times slower than rowan"}, {"geomean", right}, {"products", right}, {"memory / rowan's", right}});
  for (const auto& [name, o] : s.at("slower_than_rowan").items())
    table.add({name, fmt::format("{:.2f}x", o.at("geomean").get<double>()), std::to_string(o.at("products").get<int>()),
               times(o, "memory")});
  return fitted(out) + "\n" + table.text();
}

}  // namespace

std::string text(const Json& report) {
  const std::string peers = not_found(report);
  return printable_lines(overview(report) + all_contestants(report, "full") + all_contestants(report, "reuse") +
                         stages(report) + fitted(noisy(report) + one_by_one(report) + faults(report)) +
                         fitted(peers.empty() ? "" : "\npeers not found: " + peers + "\n") + closing(report));
}

}  // namespace rowan::tool::bench
