// An inspection as a page.
#include "tools/rowan/page/page.hpp"

#include <algorithm>

#include "accumulators/candidates.hpp"
#include "features/feature.hpp"
#include "tools/rowan/inspect/inspected.hpp"
#include "tools/rowan/inspect/raster.hpp"
#include "tools/rowan/inspect/trees.hpp"
#include "tools/rowan/page/packed.hpp"

namespace rowan::tool {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostRows = std::int64_t{1} << 21;  // about 20 MB of a page; --rows shows others

Json json_of(const Raster& r) {
  return {{"rows", r.rows},
          {"cols", r.cols},
          {"nnz", r.nnz},
          {"cells_down", r.down},
          {"cells_across", r.across},
          {"kinds", packed(r.kind)},
          {"amounts", packed(r.amount)}};
}

/// One number of each row that is shown.
template <class Of>
Json column(const char* name, const Shown& shown, std::int64_t last, const Of& of) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(static_cast<std::size_t>(last - shown.rows.first));
  for (std::int64_t i = shown.rows.first; i < last; i++) numbers.push_back(of(shown.inspection.row[i]));
  Json out{{"name", name}};
  out.update(packed(numbers));
  return out;
}

Json rows_of(const Shown& shown) {
  const std::int64_t last = std::min(shown.rows.last, shown.rows.first + kMostRows);
  const auto add = [&](const char* name, auto of) { return column(name, shown, last, of); };
  return {
      {"first", shown.rows.first},
      {"count", last - shown.rows.first},
      {"columns",
       {add("bin", [](const RowReport& r) { return std::int64_t{r.bin}; }),
        add("a_nnz", [](const RowReport& r) { return r.a_nnz; }),
        add("nprod", [](const RowReport& r) { return r.nprod; }), add("nnz", [](const RowReport& r) { return r.nnz; }),
        add("span", [](const RowReport& r) { return r.span; }),
        add("b_row_max", [](const RowReport& r) { return r.b_row_max; }),
        add("run", [](const RowReport& r) { return std::int64_t{r.run}; }),
        add("shift", [](const RowReport& r) { return std::int64_t{r.shift}; })}}};
}

}  // namespace

void print_page(Writer& out, const Shown& shown, const Pictured& pictured) {
  const Inspection& in = shown.inspection;
  Json data{{"name", pictured.name}, {"inspection", json_of(in)}, {"colours", Json::object()}};
  for (std::size_t id = 0; id < kCandidates.size(); id++) data["colours"][kCandidates[id].name] = colour_of(id);
  for (const FeatureInfo& f : kFeatures) data["meanings"][f.name] = f.meaning;
  const std::vector<std::uint8_t> by_bin = candidates_of_bins(in);
  const auto kind_of = [&](std::int64_t row) { return by_bin[static_cast<std::size_t>(in.row[row].bin)]; };
  data["spy"]["a"] = json_of(raster_of(pictured.a, kCandidates.size(), kind_of));
  if (pictured.c) data["spy"]["c"] = json_of(raster_of(pictured.c->view(), kCandidates.size(), kind_of));
  if (pictured.done)
    data["done"] = json(*pictured.done), data["times"] = pictured.times;
  else
    data["done_missing"] = "There was no memory for C: its picture and the time of each stage are missing.";
  if (auto trees = trees_of(pictured.common, in))
    data["decision"] = std::move(*trees);
  else
    data["decision_missing"] = pictured.common.force.empty() ? "The policy's trees are not known here."
                                                             : "The accumulator was forced: no tree was asked.";
  data["rows"] = rows_of(shown);
  out.print("{}", page("rowan inspect", {"rows.js", "spy.js", "tree.js", "inspect.js"}, data));
}

}  // namespace rowan::tool
