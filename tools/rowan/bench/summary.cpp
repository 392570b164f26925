#include "tools/rowan/bench/summary.hpp"

#include <cmath>
#include <string>

namespace rowan::tool::bench {
namespace {

using Json = nlohmann::ordered_json;

/// The fastest right result among rowan itself (its first contestant of the kind) or its peers; null if there is none.
const Json* fastest(const Json& results, const std::string& kind, bool rowan) {
  const Json* best = nullptr;
  for (const Json& r : results) {
    if (r["kind"] != kind || r["rowan"] != rowan) continue;
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

/// Geometric mean of what `value` finds in the products that have it.
template <class F>
void add_geomean(Json& summary, const char* name, const Json& products, const F& value) {
  double logs = 0;
  int n = 0;
  for (const Json& p : products)
    if (const double v = value(p); v > 0) logs += std::log(v), n++;
  if (n != 0) summary[name] = std::exp(logs / n);
}

Json ratios(const Json& products) {
  Json s = Json::object(), slower = Json::array();
  int compared = 0;
  double least = INFINITY;
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

}  // namespace

void judge(Json& p) {
  p.update(against(p["results"], "full"));
  const Json* rowan = fastest(p["results"], "full", true);
  if (rowan != nullptr && p.contains("floor")) {
    const double seconds = (*rowan)["min"], peak = (*rowan)["peak_bytes"];  // p's growth moves what rowan points at
    p["ratio_to_floor"] = seconds / p["floor"].get<double>();
    p["ratio_to_touch_floor"] = seconds / p["touch_floor"].get<double>();
    p["memory"] = peak / p["bytes"].get<double>();
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
  // each peer, and each way of rowan's own, over rowan: how many times slower, and on how many products
  Json others = Json::object();
  for (const Json& p : products) {
    for (const Json& r : p["results"]) {
      const double rowan = rowan_seconds(p, r["kind"]);
      if (r.contains("error") || rowan <= 0) continue;
      Json& o = others[r["name"].get<std::string>()];
      if (o.is_null()) o = {{"products", 0}, {"logs", 0.0}};
      o["products"] = o["products"].get<int>() + 1;
      o["logs"] = o["logs"].get<double>() + std::log(r["min"].get<double>() / rowan);
    }
  }
  s["slower_than_rowan"] = Json::object();
  for (const auto& [name, o] : others.items())
    s["slower_than_rowan"][name] = {{"products", o["products"]},
                                    {"geomean", std::exp(o["logs"].get<double>() / o["products"].get<int>())}};
  return s;
}

}  // namespace rowan::tool::bench
