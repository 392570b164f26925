#include "tools/rowan/measured.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "models/policy.hpp"
#include "tools/rowan/table.hpp"
#include "tools/rowan/units.hpp"

namespace rowan::tool {
namespace {

struct Stage {
  const char* name;
  double Stats::*seconds;
  const char* what;
};
constexpr std::array kStages{
    Stage{"prepare", &Stats::prepare, "checks, transposes"},
    Stage{"features", &Stats::features, "products, spans and runs of rows"},
    Stage{"binning", &Stats::binning, "groups of similar rows"},
    Stage{"deciding", &Stats::deciding, "the policy"},
    Stage{"symbolic", &Stats::symbolic, "sizes of C's rows"},
    Stage{"numeric", &Stats::numeric, "C"},
};

/// Facts under each other: names to the left.
std::string facts(const std::vector<std::vector<std::string>>& lines) {
  Table table({{}, {}});
  for (const auto& line : lines) table.add(line);
  return table.text();
}

std::vector<std::vector<std::string>> facts_of(const Size& s) {
  return {{"C", fmt::format("{} x {}, {} entries", print_count(s.rows), print_count(s.cols), print_count(s.nnz))},
          {"products",
           fmt::format("{}, {:.3g} an entry of C (compression ratio)", print_count(s.nprod), s.compression_ratio())}};
}

std::string stage_table(const Done& done) {
  using enum Table::Align;
  Table table({{"stage", left}, {"ms", right}, {"%", right}, {}});
  const auto line = [&](const char* name, double seconds, const std::string& what) {
    table.add({name, fmt::format("{:.3f}", seconds * 1e3), fmt::format("{:.1f}", done.percent(seconds)), what});
  };
  for (const Stage& s : kStages) line(s.name, done.stats.*s.seconds, s.what);
  if (!done.stats.device.empty()) line("transfer", done.stats.transfer, "C to the host; A and B are sent in prepare");
  if (done.blocks) line("waiting", done.stats.sink, "for blocks of C that are being written");
  line("total", done.stats.total, "");
  line("choosing", done.choosing(), "features + binning + deciding");
  if (done.counting > 0) line("products", done.counting, "part of choosing: only counting, measured again");
  return table.text();
}

std::string text(const WrittenBlocks& w) {
  const double speed = w.writing > 0 ? static_cast<double>(w.bytes) / w.writing : 0;
  return fmt::format("{} of rows{}, {} written, {} a second{}", print_count(w.blocks),
                     w.first_row == 0 ? "" : " from row " + print_count(w.first_row) + " on", print_size(w.bytes),
                     print_size(static_cast<std::int64_t>(speed)),
                     w.counting > 0 ? "; rows counted first in " + print_seconds(w.counting) : "");
}

std::string way_name(const GalerkinStats& s) {
  return s.fused ? "fused" : "two products";
}

struct GalerkinStage {
  std::string name;
  double seconds;
  const char* what;
};
std::vector<GalerkinStage> stages_of(const GalerkinStats& s) {
  std::vector<GalerkinStage> stages{{"prepare", s.prepare, "checks, transposes"}, {"choosing", s.choosing, "sizes"}};
  if (s.fused) {
    stages.push_back({"numeric", s.numeric, "C"});
  } else {
    stages.push_back({"A P", s.ap.total, "a multiplication"});
    stages.push_back({"R (A P)", s.rap.total, "another"});
  }
  stages.push_back({"total", s.total, ""});
  return stages;
}

nlohmann::ordered_json json(const Size& s) {
  return {{"rows", s.rows},
          {"cols", s.cols},
          {"nnz", s.nnz},
          {"nprod", s.nprod},
          {"compression_ratio", s.compression_ratio()}};
}

}  // namespace

double Size::compression_ratio() const {
  return nnz == 0 ? 0 : static_cast<double>(nprod) / static_cast<double>(nnz);
}

double Done::percent(double seconds) const {
  return stats.total > 0 ? 100 * seconds / stats.total : 0;
}

double Done::gflops() const {
  const double seconds = stats.total - stats.sink;
  return seconds > 0 ? 2e-9 * static_cast<double>(stats.nprod) / seconds : 0;
}

std::string method_name(Method method) {
  return std::string(kMethodNames[static_cast<std::size_t>(method)]);
}

std::string summary(const Done& d) {
  return fmt::format("C is {} x {} with {} entries from {} products, {}, {:.3g} GFLOPS\n", print_count(d.size.rows),
                     print_count(d.size.cols), print_count(d.size.nnz), print_count(d.size.nprod),
                     print_seconds(d.stats.total), d.gflops());
}

/// What each of several devices did.
std::string devices_table(const Stats& s) {
  if (s.devices.size() < 2) return "";
  using enum Table::Align;
  Table table({{"device", right},
               {"rows", right},
               {"products", right},
               {"entries of C", right},
               {"B from others", right},
               {"ms at work", right}});
  for (const DeviceShare& share : s.devices)
    table.add({share.device == DeviceShare::kHost ? "host" : std::to_string(share.device), print_count(share.rows),
               print_count(share.nprod), print_count(share.nnz), print_size(share.bytes_from_others),
               fmt::format("{:.3f}", share.seconds * 1e3)});
  return "\n" + table.text();
}

std::string text(const Done& d) {
  auto lines = facts_of(d.size);
  const Stats& s = d.stats;
  if (s.small_product) {
    lines.push_back({"policy", s.policy + ", not used: a small product is multiplied without choosing"});
  } else {
    lines.push_back({"policy", s.policy + (s.binned                                ? ", rows in bins"
                                           : s.sampled && !s.method_reason.empty() ? ", not asked, all rows alike"
                                           : s.sampled                             ? ", all rows alike, by a sample"
                                                                                   : ", all rows alike")});
    lines.push_back({"method", method_name(s.method) +
                                   (s.method_reason.empty() ? ": the policy's choice" : ": " + s.method_reason)});
  }
  if (s.device.empty())
    lines.push_back({"threads", std::to_string(s.threads)});
  else
    lines.push_back({"device", s.device});
  if (!s.place_reason.empty()) lines.push_back({"place", s.place_reason});
  lines.push_back(
      {"memory", print_size(s.bytes_c) + " for C, at most " + print_size(s.bytes_temporary) + " temporary"});
  lines.push_back({"speed", fmt::format("{:.3g} GFLOPS, two operations a product", d.gflops())});
  if (d.blocks) lines.push_back({"blocks", text(*d.blocks)});
  lines.push_back({"files", print_seconds(d.read) + " reading, " + print_seconds(d.write) + " writing"});
  return facts(lines) + "\n" + stage_table(d) + devices_table(s);
}

std::string text(const Foreseen& f) {
  auto lines = facts_of(f.size);
  lines.push_back({"memory", print_size(f.bytes_c) + " for C, at most " + print_size(f.bytes_temporary) +
                                 " temporary, together " + print_size(f.bytes())});
  if (f.limit != 0)
    lines.push_back({"limit", print_size(f.limit) + (f.bytes() <= f.limit ? ": enough" : ": may not be enough")});
  return facts(lines);
}

nlohmann::ordered_json json(const Done& d) {
  nlohmann::ordered_json out = json(d.size), seconds;
  const Stats& s = d.stats;
  out.update({{"policy", s.policy},
              {"binned", s.binned},
              {"sampled", s.sampled},
              {"small_product", s.small_product},
              {"method", method_name(s.method)},
              {"method_reason", s.method_reason},
              {"threads", s.threads},
              {"device", s.device},
              {"place_reason", s.place_reason},
              {"bytes_c", s.bytes_c},
              {"bytes_temporary", s.bytes_temporary},
              {"gflops", d.gflops()},
              {"choosing", {{"seconds", d.choosing()}, {"percent", d.percent(d.choosing())}}}});
  if (d.counting > 0)
    out["choosing"].update({{"seconds_counting", d.counting},
                            {"percent_without_counting", d.percent(std::max(0.0, d.choosing() - d.counting))}});
  if (d.blocks)
    out["blocks"] = {{"number", d.blocks->blocks},           {"bytes", d.blocks->bytes},
                     {"first_row", d.blocks->first_row},     {"seconds_counting", d.blocks->counting},
                     {"seconds_writing", d.blocks->writing}, {"seconds_waiting", s.sink}};
  for (const Stage& stage : kStages) seconds[stage.name] = s.*stage.seconds;
  seconds.update({{"transfer", s.transfer}, {"total", s.total}, {"read", d.read}, {"write", d.write}});
  out["seconds"] = seconds;
  out["devices"] = nlohmann::ordered_json::array();
  for (const DeviceShare& share : s.devices)
    out["devices"].push_back({{"device", share.device},
                              {"rows", share.rows},
                              {"products", share.nprod},
                              {"entries", share.nnz},
                              {"seconds", share.seconds},
                              {"bytes_from_others", share.bytes_from_others}});
  return out;
}

std::string summary(const GalerkinDone& d) {
  return fmt::format("C is {} x {} with {} entries from {} products, {}, {}\n", print_count(d.size.rows),
                     print_count(d.size.cols), print_count(d.size.nnz), print_count(d.size.nprod),
                     print_seconds(d.stats.total), way_name(d.stats));
}

std::string text(const GalerkinDone& d) {
  using enum Table::Align;
  const GalerkinStats& s = d.stats;
  const std::string lines =
      facts({{"C", fmt::format("{} x {}, {} entries", print_count(d.size.rows), print_count(d.size.cols),
                               print_count(d.size.nnz))},
             {"products", fmt::format("{} of A P, {} of R (A P)", print_count(s.nprod_ap), print_count(s.nprod_rap))},
             {"way", way_name(s) + ": " + s.reason},
             {"rows twice", fmt::format("{} of A P", print_count(s.rows_twice))},
             {"threads", std::to_string(s.threads)},
             {"memory", print_size(s.bytes_c) + " for C, at most " + print_size(s.bytes_temporary) + " temporary"},
             {"files", print_seconds(d.read) + " reading, " + print_seconds(d.write) + " writing"}});
  Table table({{"stage", left}, {"ms", right}, {"%", right}, {}});
  for (const auto& [name, seconds, what] : stages_of(s))
    table.add({name, fmt::format("{:.3f}", seconds * 1e3),
               fmt::format("{:.1f}", s.total > 0 ? 100 * seconds / s.total : 0.0), what});
  return lines + "\n" + table.text();
}

nlohmann::ordered_json json(const GalerkinDone& d) {
  const GalerkinStats& s = d.stats;
  nlohmann::ordered_json seconds, out{{"rows", d.size.rows},
                                      {"cols", d.size.cols},
                                      {"nnz", d.size.nnz},
                                      {"nprod_ap", s.nprod_ap},
                                      {"nprod_rap", s.nprod_rap},
                                      {"fused", s.fused},
                                      {"reason", s.reason},
                                      {"rows_twice", s.rows_twice},
                                      {"threads", s.threads},
                                      {"bytes_c", s.bytes_c},
                                      {"bytes_temporary", s.bytes_temporary}};
  for (const auto& [name, value, what] : stages_of(s))
    seconds[name == "R (A P)" ? "rap" : name == "A P" ? "ap" : name] = value;
  seconds.update({{"read", d.read}, {"write", d.write}});
  out["seconds"] = seconds;
  return out;
}

nlohmann::ordered_json json(const Foreseen& f) {
  nlohmann::ordered_json out = json(f.size);
  out.update({{"bytes_c", f.bytes_c}, {"bytes_temporary", f.bytes_temporary}, {"bytes_total", f.bytes()}});
  if (f.limit != 0) out.update({{"memory_limit", f.limit}, {"fits", f.bytes() <= f.limit}});
  return out;
}

}  // namespace rowan::tool
