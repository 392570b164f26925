// An inspection for programs: CSV and JSON.
#include <nlohmann/json.hpp>

#include "tools/rowan/inspect/few_digits.hpp"
#include "tools/rowan/inspect/inspected.hpp"

namespace rowan::tool {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::vector<std::pair<std::string, float>>& features) {
  Json out = Json::object();
  for (const auto& [name, value] : features) out[name] = few_digits(value);
  return out;
}

Json json_of(const CandidateReport& c) {
  const auto known = [](double number) { return number > 0 ? Json(number) : Json(); };
  return {{"name", c.name}, {"feasible", c.feasible}, {"predicted", known(c.predicted)}, {"seconds", known(c.seconds)}};
}

Json json_of(const BinReport& bin, std::size_t index) {
  Json out{{"index", index}, {"label", bin.label}, {"rows", bin.rows}, {"nprod", bin.nprod}, {"nnz", bin.nnz}};
  out["features"] = json_of(bin.features);
  out["accumulator"] = bin.accumulator;
  out["candidate"] = bin.candidate;
  out["symbolic_candidate"] = bin.symbolic_candidate;
  out["group_size"] = bin.group_size;
  out["requested"] = bin.requested;
  out["why"] = bin.why;
  if (!bin.how.empty()) out["how"] = bin.how;
  out["candidates"] = Json::array();
  for (const CandidateReport& c : bin.candidates) out["candidates"].push_back(json_of(c));
  return out;
}

Json json_of(const ShareReport& s) {
  return {{"device", s.device},
          {"first_row", s.first},
          {"rows", s.rows},
          {"nprod", s.nprod},
          {"nnz", s.nnz},
          {"bytes_from_others", s.bytes_from_others},
          {"predicted", s.predicted},
          {"seconds", s.seconds > 0 ? Json(s.seconds) : Json()}};
}

}  // namespace

Json json_of(const Inspection& in) {
  Json out{{"policy", in.policy},
           {"policy_kind", in.policy_kind},
           {"binned", in.binned},
           {"method", method_name(in.method)},
           {"method_reason", in.method_reason},
           {"device", in.device},
           {"place_reason", in.place_reason},
           {"sampled", in.sampled},
           {"small_product", in.small_product}};
  out["rows_total"] = in.rows;
  out["cols"] = in.cols;
  out["nprod"] = in.nprod;
  out["nnz"] = in.nnz;
  out["features"] = json_of(in.features);
  out["bins"] = Json::array();
  for (std::size_t b = 0; b < in.bins.size(); b++) out["bins"].push_back(json_of(in.bins[b], b));
  if (!in.shares.empty()) out["shares"] = Json::array();
  for (const ShareReport& share : in.shares) out["shares"].push_back(json_of(share));
  if (!in.forced.empty()) out["forced"] = Json::array();
  for (const CandidateReport& c : in.forced)
    if (c.feasible) out["forced"].push_back({{"name", c.name}, {"seconds", c.seconds}});
  if (const double regret = regret_of(in); regret > 0) out["regret"] = regret;
  return out;
}

double regret_of(const Inspection& in) {
  double chosen = 0, best = 0;
  for (const BinReport& bin : in.bins) {
    double least = 0;
    for (const CandidateReport& c : bin.candidates) {
      if (c.seconds > 0 && (least == 0 || c.seconds < least)) least = c.seconds;
      if (c.name == bin.candidate) chosen += c.seconds;
    }
    best += least;
  }
  return best > 0 ? chosen / best : 0;
}

void print_csv(Writer& out, const Shown& shown) {
  out.print("row,accumulator,candidate,bin,group_size,a_nnz,nprod,nnz,span,b_row_max,run,shift\n");
  for (std::int64_t i = shown.rows.first; i < shown.rows.last; i++) {
    const RowReport& r = shown.inspection.row[i];
    const BinReport& bin = shown.inspection.bins[static_cast<std::size_t>(r.bin)];
    out.print("{},{},{},{},{},{},{},{},{},{},{},{}\n", r.row, bin.accumulator, bin.candidate, r.bin, bin.group_size,
              r.a_nnz, r.nprod, r.nnz, r.span, r.b_row_max, r.run, r.shift);
  }
}

void print_json(Writer& out, const Shown& shown) {
  std::string head = json_of(shown.inspection).dump(2);
  head.resize(head.size() - 2);  // the closing brace comes behind the rows
  out.print("{},\n  \"rows\": [", head);
  for (std::int64_t i = shown.rows.first; i < shown.rows.last; i++) {
    const RowReport& r = shown.inspection.row[i];
    const BinReport& bin = shown.inspection.bins[static_cast<std::size_t>(r.bin)];
    out.print(R"({}{{"row":{},"accumulator":"{}","candidate":"{}","bin":{},"group_size":{},)",
              i == shown.rows.first ? "\n    " : ",\n    ", r.row, bin.accumulator, bin.candidate, r.bin,
              bin.group_size);
    out.print(R"("a_nnz":{},"nprod":{},"nnz":{},"span":{},"b_row_max":{},"run":{},"shift":{}}})", r.a_nnz, r.nprod,
              r.nnz, r.span, r.b_row_max, r.run, r.shift);
  }
  out.print("\n  ]\n}}\n");
}

}  // namespace rowan::tool
