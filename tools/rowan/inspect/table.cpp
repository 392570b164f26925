// An inspection for people.
#include "tools/rowan/table.hpp"

#include <algorithm>

#include <fmt/ranges.h>

#include "models/print.hpp"
#include "tools/rowan/inspect/inspected.hpp"
#include "tools/rowan/printable.hpp"
#include "tools/rowan/units.hpp"
#include "tools/rowan/width.hpp"

namespace rowan::tool {
namespace {

using enum Table::Align;

void print_facts(Writer& out, const Inspection& in) {
  std::string text = fmt::format("C is {} x {} with {} entries from {} products\n", print_count(in.rows),
                                 print_count(in.cols), print_count(in.nnz), print_count(in.nprod));
  text += fmt::format("policy {} ({}), {}, {}{}\n", printable(in.policy), printable(in.policy_kind),
                      in.binned                                 ? "rows in bins"
                      : in.sampled && !in.method_reason.empty() ? "not asked, all rows alike"
                      : in.sampled                              ? "all rows alike, by a sample of them"
                                                                : "all rows alike",
                      method_name(in.method), in.method_reason.empty() ? "" : " (" + in.method_reason + ")");
  if (!in.device.empty()) text += "on the device " + printable(in.device) + "\n";
  if (!in.place_reason.empty()) text += printable(in.place_reason) + "\n";
  if (in.small_product)
    text += "a small product is multiplied without choosing: below is what the policy would choose\n";
  out.print("{}\n", fitted(text));
  Table table({{"feature"}, {"value", right}});
  for (const auto& [name, value] : in.features) table.add({name, shortest(value)});
  out.print("{}\n", table.text());
}

/// What each of several devices would do.
void print_shares(Writer& out, const Inspection& in) {
  if (in.shares.empty()) return;
  Table table({{"device", right},
               {"rows", right},
               {"nprod", right},
               {"nnz", right},
               {"B from others", right},
               {"predicted", right},
               {"measured", right}});
  for (const ShareReport& s : in.shares)
    table.add({std::to_string(s.device), print_count(s.rows), print_count(s.nprod), print_count(s.nnz),
               print_size(s.bytes_from_others), print_seconds(s.predicted),
               s.seconds > 0 ? print_seconds(s.seconds) : "-"});
  out.print("{}rows as DeviceGroup::distribute cuts them; predicted without rows of B from others\n\n", table.text());
}

/// Whether lanes walk rows of B in groups: on devices.
bool has_groups(const Inspection& in) {
  return std::any_of(in.bins.begin(), in.bins.end(), [](const BinReport& b) { return b.group_size != 1; });
}

void print_bins(Writer& out, const Inspection& in) {
  const bool differs =
      std::any_of(in.bins.begin(), in.bins.end(), [](const BinReport& b) { return b.requested != b.candidate; });
  const bool grouped = has_groups(in);
  std::vector<Table::Column> columns{{"", right},      {"bin"},        {"rows", right},
                                     {"nprod", right}, {"nnz", right}, {"accumulator"}};
  if (grouped) columns.push_back({"G", right});
  if (differs) columns.push_back({"requested"});
  Table table(columns), reasons({{"", right}, {"why"}});
  for (std::size_t b = 0; b < in.bins.size(); b++) {
    const BinReport& bin = in.bins[b];
    std::vector<std::string> cells{std::to_string(b),    bin.label,    print_count(bin.rows), print_count(bin.nprod),
                                   print_count(bin.nnz), bin.candidate};
    if (grouped) cells.push_back(std::to_string(bin.group_size));
    if (differs) cells.push_back(bin.requested == bin.candidate ? "" : bin.requested);
    table.add(cells);
    reasons.add({std::to_string(b), fmt::format("{}{}{}", fmt::join(bin.why, ", "), bin.how.empty() ? "" : "; ",
                                                fmt::join(bin.how, ", "))});
  }
  out.print("{}", table.text());
  if (grouped) out.print("G: lanes that walk one row of B\n");
  out.print("\n{}", reasons.text());
}

/// A line a bin and a column a candidate: `cell(bin, candidate, chosen)`.
template <class Cell>
std::string candidate_table(const Inspection& in, const Cell& cell) {
  std::vector<Table::Column> columns{{"", right}, {"bin"}};
  for (const CandidateReport& c : in.bins.front().candidates) columns.push_back({c.name, right});
  Table table(columns);
  for (std::size_t b = 0; b < in.bins.size(); b++) {
    const BinReport& bin = in.bins[b];
    std::vector<std::string> cells{std::to_string(b), bin.label};
    for (const CandidateReport& c : bin.candidates) cells.push_back(cell(bin, c, c.name == bin.candidate));
    table.add(cells);
  }
  return table.text();
}

/// The fastest of a bin is starred, the chosen one in brackets.
void print_times(Writer& out, const Inspection& in) {
  if (in.bins.empty()) return;
  const auto cell = [](const BinReport& bin, const CandidateReport& candidate, bool chosen) {
    double best = 0;
    for (const CandidateReport& c : bin.candidates)
      if (c.seconds > 0 && (best == 0 || c.seconds < best)) best = c.seconds;
    std::string text = candidate.feasible && candidate.seconds > 0 ? print_seconds(candidate.seconds) : "-";
    if (chosen) text = fmt::format("[{}]", text);
    return text + (candidate.seconds > 0 && candidate.seconds == best ? "*" : " ");
  };
  out.print("\n{}{}",
            fitted("Time of each bin's rows in the whole product, on one thread; [chosen], fastest*, - cannot "
                   "take them\n"),
            candidate_table(in, cell));
  out.print("{}", fitted(fmt::format("These choices take {:.3f} times the time of the best of each bin (regret)\n",
                                     regret_of(in))));
  out.print("\n{}", fitted("The whole product with one accumulator for all rows that it can take\n"));
  Table table({{"accumulator"}, {"time", right}});
  for (const CandidateReport& c : in.forced)
    if (c.feasible) table.add({c.name, print_seconds(c.seconds)});
  out.print("{}", table.text());
}

/// Predicted times over the fastest's; the chosen one in brackets. Nothing where the policy predicts none.
void print_predictions(Writer& out, const Inspection& in) {
  const bool any = std::ranges::any_of(in.bins, [](const BinReport& bin) {
    return std::ranges::any_of(bin.candidates, [](const CandidateReport& c) { return c.predicted > 0; });
  });
  if (!any) return;
  const auto cell = [](const BinReport&, const CandidateReport& c, bool chosen) {
    const std::string text = c.predicted > 0 ? fmt::format("{:.2f}", c.predicted) : "-";
    return chosen ? fmt::format("[{}]", text) : text + " ";
  };
  out.print("\n{}{}", fitted("Predicted time over the fastest's; [chosen], - cannot take them or not predicted\n"),
            candidate_table(in, cell));
}

void print_rows(Writer& out, const Shown& shown) {
  out.print("\n{:>9} {:<12} {:>3} {:>7} {:>9} {:>8} {:>8} {:>6} {:>3} {:>5}\n", "row", "accumulator", "bin", "A's nnz",
            "nprod", "nnz", "span", "B's", "run", "shift");
  for (std::int64_t i = shown.rows.first; i < shown.rows.last; i++) {
    const RowReport& r = shown.inspection.row[i];
    const BinReport& bin = shown.inspection.bins[static_cast<std::size_t>(r.bin)];
    out.print("{:>9} {:<12} {:>3} {:>7} {:>9} {:>8} {:>8} {:>6} {:>3} {:>5}\n", r.row, bin.candidate, r.bin, r.a_nnz,
              r.nprod, r.nnz, r.span, r.b_row_max, r.run, r.shift);
  }
  out.print("B's: entries of the longest row of B that the row meets\n");
}

}  // namespace

void print_table(Writer& out, const Shown& shown) {
  print_facts(out, shown.inspection);
  print_shares(out, shown.inspection);
  print_bins(out, shown.inspection);
  print_predictions(out, shown.inspection);
  if (shown.measured) print_times(out, shown.inspection);
  if (shown.rows_asked) print_rows(out, shown);
}

}  // namespace rowan::tool
