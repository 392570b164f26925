#include "tools/rowan/bench/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace rowan::tool::bench {
namespace {

using Json = nlohmann::ordered_json;

/// The fastest right and sorted result among rowan itself (its first contestant of the kind) or its peers; null if
/// there is none.
const Json* fastest(const Json& results, const std::string& kind, bool rowan) {
  const Json* best = nullptr;
  for (const Json& r : results) {
    if (r["kind"] != kind || r["rowan"] != rowan || !r.value("sorted", true)) continue;
    if (!r.contains("error") && (best == nullptr || r["min"] < (*best)["min"])) best = &r;
    if (rowan) return best;  // the others are rowan with something forced
  }
  return best;
}

Json against(const Json& results, const std::string& kind) {
  const Json* rowan = fastest(results, kind, true);
  const Json* peer = fastest(results, kind, false);
  Json j = Json::object();
  if (rowan != nullptr) j["rowan"] = (*rowan)["min"];
  if (peer != nullptr) j["best_peer"] = (*peer)["name"], j["best_peer_seconds"] = (*peer)["min"];
  if (rowan != nullptr && peer != nullptr)
    j["ratio_to_best_peer"] = (*peer)["min"].get<double>() / (*rowan)["min"].get<double>();
  return j;
}

double rowan_seconds(const Json& product, const std::string& kind) {
  if (kind != "reuse") return product.value("rowan", 0.0);
  return product.contains("reuse") ? product["reuse"].value("rowan", 0.0) : 0.0;
}

/// A geometric mean that grows.
struct Mean {
  double logs = 0;
  int n = 0;
  void add(double ratio) { logs += std::log(ratio), n++; }
  [[nodiscard]] double value() const { return std::exp(logs / n); }
};

/// Geometric mean of what `value` finds in the products that have it.
template <class F>
void add_geomean(Json& summary, const char* name, const Json& products, const F& value) {
  Mean mean;
  for (const Json& p : products)
    if (const double v = value(p); v > 0) mean.add(v);
  if (mean.n != 0) summary[name] = mean.value();
}

Json ratios(const Json& products) {
  Json s = Json::object(), slower = Json::array();
  int compared = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const Json& p : products) {
    const double r = p.value("ratio_to_best_peer", 0.0);
    if (r <= 0) continue;
    compared++, least = std::min(least, r);
    if (r < 1) slower.push_back(p.value("name", ""));
  }
  s["compared"] = compared;
  if (compared == 0) return s;
  add_geomean(s, "ratio_to_best_peer", products, [](const Json& p) { return p.value("ratio_to_best_peer", 0.0); });
  s["least_ratio_to_best_peer"] = least, s["slower"] = slower;
  return s;
}

/// Each peer, and each way of rowan's own, over rowan: how many times slower, on how many products, and their peaks of
/// memory.
Json others(const Json& products) {
  struct Other {
    std::string name;
    Mean time = {}, memory = {};
  };
  std::vector<Other> all;  // as they were met
  for (const Json& p : products) {
    const Json* own = fastest(p["results"], "full", true);
    const double own_peak = own == nullptr ? 0 : own->value("peak_bytes", 0.0);
    for (const Json& r : p["results"]) {
      const double rowan = rowan_seconds(p, r["kind"]), peak = r.value("peak_bytes", 0.0);
      if (r.contains("error") || rowan <= 0) continue;
      const std::string name = r["name"];
      auto o = std::find_if(all.begin(), all.end(), [&](const Other& other) { return other.name == name; });
      if (o == all.end()) o = all.insert(o, {.name = name});
      o->time.add(r["min"].get<double>() / rowan);
      if (r["kind"] == "full" && peak > 0 && own_peak > 0) o->memory.add(peak / own_peak);
    }
  }
  Json j = Json::object();
  for (const Other& o : all) {
    j[o.name] = {{"products", o.time.n}, {"geomean", o.time.value()}};
    if (o.memory.n != 0) j[o.name]["memory"] = o.memory.value();
  }
  return j;
}

}  // namespace

void judge(Json& p) {
  p.update(against(p["results"], "full"));
  const Json* rowan = fastest(p["results"], "full", true);
  if (rowan != nullptr) {
    const double seconds = (*rowan)["min"], peak = rowan->value("peak_bytes", 0.0);  // p's growth moves it
    if (p.contains("floor")) {
      p["ratio_to_floor"] = seconds / p["floor"].get<double>();
      p["ratio_to_touch_floor"] = seconds / p["touch_floor"].get<double>();
    }
    if (peak > 0) p["memory"] = peak / p["bytes"].get<double>();
  }
  Json reuse = against(p["results"], "reuse");
  if (reuse.empty()) return;
  reuse["name"] = p["name"];
  if (p.contains("rowan") && reuse.contains("rowan"))
    reuse["ratio_to_full"] = p["rowan"].get<double>() / reuse["rowan"].get<double>();
  p["reuse"] = reuse;
}

Json summarize(const Json& products) {
  Json s = Json::object();
  s["products"] = products.size();
  s.update(ratios(products));
  for (const char* name : {"ratio_to_floor", "ratio_to_touch_floor", "memory"})
    add_geomean(s, name, products, [&](const Json& p) { return p.value(name, 0.0); });
  Json reuse = Json::array();
  for (const Json& p : products)
    if (p.contains("reuse")) reuse.push_back(p["reuse"]);
  if (!reuse.empty()) {
    s["reuse"] = ratios(reuse);
    add_geomean(s["reuse"], "ratio_to_full", reuse, [](const Json& p) { return p.value("ratio_to_full", 0.0); });
  }
  s["slower_than_rowan"] = others(products);
  return s;
}

}  // namespace rowan::tool::bench
