#include "lib/device/pipeline/inspect.hpp"

#include <set>

#include "lib/host/report.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// Which of the bins reported each bin of the device is. Bins without rows are not reported, rows that go along with
/// one before them are reported in its bin; where rows are not binned, one is reported.
struct Reported {
  std::vector<int> keys = {};
  std::array<int, kBins> of_key{};

  Reported(const Tally* tally, bool binned) {
    for (int key = 0; key < kBins; key++) {
      if (tally[key].rows == 0) continue;
      if (binned && is_follower(key)) {
        of_key[static_cast<std::size_t>(key)] = of_key[static_cast<std::size_t>(leader_bin(key))];
        continue;
      }
      if (binned || keys.empty()) keys.push_back(key);
      of_key[static_cast<std::size_t>(key)] = static_cast<int>(keys.size()) - 1;
      if (!binned) keys.back() = leader_bin(key);  // that of the largest rows
    }
  }
};

/// How many rows from each row on go on with the row before, that row itself counted. `of`: a byte of each row.
template <class F>
Array<std::uint8_t> run_lengths(const Array<std::uint8_t>& of, const F& goes_on_with) {
  const auto rows = static_cast<std::int64_t>(of.size());
  Array<std::uint8_t> length(rows);
  for (std::int64_t i = rows; i-- > 0;) {
    const bool goes_on = i + 1 < rows && goes_on_with(of[i + 1]);
    length[i] = static_cast<std::uint8_t>(goes_on ? std::min(length[i + 1] + 1, 255) : 1);
  }
  return length;
}

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::string bin_label(int key, const Borders& borders) {
  if (key >= kFirstShift) {  // the host has a number for such rows
    constexpr int kHostsShift = 4;
    key = BinKey::kFirstClass + 6 * ((key - kFirstShift) / 2) + kHostsShift;
  }
  const auto few = static_cast<std::size_t>(borders.by_products);
  const int others = BinKey::kFirstClass + 6 * borders.by_products;
  if (key < others) return BinKey(key).label("nprod", {borders.upper, few + 1});
  std::size_t n = few + 1;  // without those that only fill up the array
  while (borders.upper[n - 1] != INT64_MAX) n++;
  return BinKey(key - 6 * borders.by_products).label("nnz", {borders.upper + few, n - few});
}

template <class T>
Inspection inspect_on_host(const Pair<T>& pair, const std::string& force) {
  Engine& engine = pair.engine();
  const hipStream_t stream = pair.stream();
  Measured measured = measure(engine, pair.a(), pair.b(), stream, nullptr);
  const auto symbolic_keys = fetched(measured.at.key, pair.a().m.rows, stream);
  const MethodChoice method = measured.method;
  const Counted<T> counted = count(engine, pair.a(), pair.b(), std::move(measured), stream, nullptr);
  const DeviceRecord& found = counted.record;
  const std::int64_t rows = counted.c.rows, columns = counted.c.cols;
  const Policy& policy = engine.policy();
  const Tally* const tally = found.bins[kNumeric];
  Rules rules = engine.rules(columns, sizeof(T));
  rules.short_classes = method.classes;
  const Slots& symbolic = found.slots[kSymbolic];
  const Slots numeric = decide_slots(Phase::numeric, rules, policy.trees, tally, found.sorted_b);
  const bool binned = numeric.binned;
  const Borders borders = make_borders(Phase::numeric, rules);

  Tally whole = sum_of(found.bins[kSymbolic]);
  whole.rows = rows;
  Inspection result{.policy = std::string(policy.name),
                    .policy_kind = std::string(policy.kind),
                    .binned = binned,
                    .method = method.method,
                    .method_reason = method.reason,
                    .rows = rows,
                    .cols = columns,
                    .nprod = found.nprod(),
                    .nnz = counted.c.nnz,
                    .features = named(features_of(whole, columns, 0)),
                    .bins = {},
                    .row = Array<RowReport>(rows)};
  const Reported reported(tally, binned);
  const Tally all = sum_of(tally);
  for (const int key : reported.keys) {
    const auto at = static_cast<std::size_t>(key);
    const Tally mine = decisive(tally, key, binned, all);
    const RowExtent extent = extent_of(mine, found.sorted_b);
    DecidedBin bin{.label = bin_label(key, borders),
                   .features = features_of(mine, columns, 0),
                   .requested = numeric.requested[at],
                   .chosen = numeric.chosen[at],
                   .empty = key == BinKey::kEmpty,
                   .feasible = {}};
    if (bin.empty) bin.requested = bin.chosen = 0;
    if (numeric.list.of_bin[at] != kNoSlot) bin.group_size = numeric.group[numeric.list.of_bin[at]];
    for (std::size_t id = 0; id < kCandidates.size(); id++)
      bin.feasible[id] = feasible(Phase::numeric, rules, static_cast<CandidateId>(id), extent);
    result.bins.push_back(report(bin, policy, force));
    if (const int slot = numeric.list.of_bin[at]; slot != kNoSlot && numeric.chosen[at] == kLastResort)
      result.bins.back().how.push_back(
          "sorted by " + std::string(hash::sorted_by(query_of(Phase::numeric, rules, extent), numeric.rows(slot))));
  }

  const auto a_ptr = fetched(pair.a().m.ptr, rows + 1, stream),
             c_ptr = fetched(counted.c.row_ptr.data(), rows + 1, stream);
  const auto keys = fetched(counted.at.key, rows, stream);
  const auto facts = fetched(counted.at.facts, rows, stream);
  auto relation = Array<std::uint8_t>::zeroed(rows), place = Array<std::uint8_t>::zeroed(rows);
  if (counted.at.relation != nullptr) relation = fetched(counted.at.relation, rows, stream);
  if (counted.at.place != nullptr) place = fetched(counted.at.place, rows, stream);
  const auto runs = run_lengths(relation, [](std::uint8_t of) { return of == kSameAsPrevious; }),
             shifts = run_lengths(place, follows);
  std::vector<std::set<std::string>> counters(result.bins.size());
  auto handed_on = Array<std::uint8_t>::zeroed(rows);
  if (counted.at.handed != nullptr) {
    const std::int32_t n = fetched(&counted.at.cleared->handed, 1, stream)[0];
    for (const std::int32_t row : fetched(counted.at.handed, n, stream)) handed_on[row] = 1;
  }
  struct Hashed {
    std::int64_t rows = 0, handed = 0;
  };
  std::vector<Hashed> hashed(result.bins.size());
  for (std::int64_t i = 0; i < rows; i++) {
    const int bin = reported.of_key[keys[i]];
    const auto at = static_cast<std::size_t>(bin);
    const CRow& f = facts[i];
    if (const std::uint8_t before = symbolic_keys[i]; before != BinKey::kEmpty) {
      const CandidateId counter = symbolic.chosen[before];
      counters[at].emplace(kCandidates[counter].name);
      if (handed_on[i] != 0) counters[at].emplace(dense::OnDevice::kName);
      hashed[at].rows += counter == kLastResort ? 1 : 0, hashed[at].handed += handed_on[i];
    }
    BinReport& of = result.bins[at];
    of.rows++, of.nprod += f.nprod, of.nnz += c_ptr[i + 1] - c_ptr[i];
    result.row[i] = {.row = i,
                     .bin = bin,
                     .a_nnz = a_ptr[i + 1] - a_ptr[i],
                     .nprod = f.nprod,
                     .nnz = c_ptr[i + 1] - c_ptr[i],
                     .span = f.nprod == 0 ? 0 : f.span(),
                     .b_row_max = f.b_max,
                     .run = runs[i],
                     .shift = shifts[i]};
  }
  for (std::size_t b = 0; b < counters.size(); b++)
    if (!counters[b].empty()) result.bins[b].symbolic_candidate = joined(counters[b]);
  if (const int most = policy.tables.collisions; most != 0)
    for (std::size_t b = 0; b < hashed.size(); b++)
      if (hashed[b].rows != 0)
        result.bins[b].how.push_back(std::to_string(hashed[b].handed) + " of " + std::to_string(hashed[b].rows) +
                                     " rows abandoned to dense-rank when counted, above " + std::to_string(most) +
                                     " collisions a product");
  return result;
}

template Inspection inspect_on_host(const Pair<float>&, const std::string&);
template Inspection inspect_on_host(const Pair<double>&, const std::string&);

}  // namespace rowan::device::inline ROWAN_BACKEND
