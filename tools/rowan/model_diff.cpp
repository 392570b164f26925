#include "tools/rowan/model_diff.hpp"

#include <map>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/embedded.hpp"
#include "tools/rowan/bench/product.hpp"
#include "tools/rowan/command.hpp"
#include "tools/rowan/json_text.hpp"
#include "tools/rowan/measured.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/progress.hpp"
#include "tools/rowan/table.hpp"
#include "tools/rowan/train/sources.hpp"
#include "tools/rowan/writer.hpp"
#include <rowan/rowan.hpp>

namespace rowan::tool {
namespace {

using Json = nlohmann::ordered_json;

Context context_of(const std::string& which, const std::string& backend) {
  Options options{.backend = backend_named(backend)};
  (embedded_policy(which) != nullptr ? options.policy : options.model) = which;
  return Context(options);
}

std::string matrix_choice(const Inspection& i) {
  return std::string(i.binned ? "bins" : "all rows alike") + ", " + method_name(i.method);
}

struct Change {
  std::int64_t rows = 0, nprod = 0;
};

/// Rows that would go elsewhere, by their bin in `before` and both accumulators.
Json difference(const std::string& name, const Inspection& before, const Inspection& after) {
  std::map<std::tuple<int, std::string, std::string>, Change> changes;
  Change all;
  for (std::int64_t i = 0; i < before.rows; i++) {
    const RowReport& row = before.row[i];
    if (row.nprod == 0) continue;
    const std::string& from = before.bins[static_cast<std::size_t>(row.bin)].candidate;
    const std::string& to = after.bins[static_cast<std::size_t>(after.row[i].bin)].candidate;
    if (from == to) continue;
    Change& c = changes[{row.bin, from, to}];
    c.rows++, c.nprod += row.nprod;
    all.rows++, all.nprod += row.nprod;
  }
  Json j{{"product", name}, {"nprod", before.nprod}, {"rows", before.rows}};
  j["rows_differ"] = all.rows, j["nprod_differ"] = all.nprod;
  if (matrix_choice(before) != matrix_choice(after))
    j["matrix"] = {{"before", matrix_choice(before)}, {"after", matrix_choice(after)}};
  j["bins"] = Json::array();
  for (const auto& [key, c] : changes)
    j["bins"].push_back({{"bin", before.bins[static_cast<std::size_t>(std::get<0>(key))].label},
                         {"before", std::get<1>(key)},
                         {"after", std::get<2>(key)},
                         {"rows", c.rows},
                         {"nprod", c.nprod}});
  return j;
}

bool differs(const Json& product) {
  return product["rows_differ"] != 0 || product.contains("matrix");
}

std::string text(const Json& products) {
  using enum Table::Align;
  Table table({{"product"}, {"bin"}, {"before"}, {"after"}, {"rows", right}, {"% of nprod", right}});
  std::size_t n = 0;
  for (const Json& p : products) {
    if (!differs(p)) continue;
    n++;
    if (p.contains("matrix")) table.add({p["product"], "", p["matrix"]["before"], p["matrix"]["after"], "", ""});
    for (const Json& b : p["bins"])
      table.add({p["product"], b["bin"], b["before"], b["after"], b["rows"].dump(),
                 fmt::format("{:.1f}", 100 * b["nprod"].get<double>() / p["nprod"].get<double>())});
  }
  const std::string head = fmt::format("{} of {} products would be multiplied differently\n", n, products.size());
  return n == 0 ? head : head + table.text();
}

}  // namespace

int diff_models(const DiffSettings& s) {
  const Context before = context_of(s.before, s.backend), after = context_of(s.after, s.backend);
  std::vector<train::Source> sources;
  const auto add = [&](const std::vector<train::Source>& some) {
    sources.insert(sources.end(), some.begin(), some.end());
  };
  for (const std::string& p : s.products) add(train::sources_of(p));
  for (const std::string& set : s.sets) add(train::sources_of_set(set, s.folder));
  if (sources.empty()) throw UsageError("no products to compare on: give matrices or --set");
  Json products = Json::array();
  {
    Progress progress("comparing");
    const auto tell = progress.callback();
    for (const train::Source& source : sources) {
      if (tell) tell(static_cast<double>(products.size()) / static_cast<double>(sources.size()));
      const bench::Product p = bench::load_product(source.product, s.folder);
      products.push_back(
          difference(p.name, before.inspect(p.a.view(), p.view_b()), after.inspect(p.a.view(), p.view_b())));
    }
  }
  say(s.json ? json_text(products) : text(products));
  return kOk;
}

}  // namespace rowan::tool
