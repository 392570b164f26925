#include "lib/device/pipeline/inspect.hpp"

#include <set>

#include "lib/core/values.hpp"
#include "lib/device/pipeline/few_columns.hpp"
#include "lib/device/pipeline/heavy.hpp"
#include "lib/device/pipeline/pair.hpp"
#include "lib/device/pipeline/small.hpp"
#include "lib/host/report.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// Which of the bins reported each bin of the device is. Bins without rows are not reported, followers are
/// reported in their leader's bin; where rows are not binned, one is reported.
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

/// How many rows from each row on go on with the row before, that row itself counted. `of`: what is known of each row.
template <class V, class F>
Array<std::uint8_t> run_lengths(const Array<V>& of, const F& goes_on_with) {
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

std::string bin_label(int bin, const Borders& borders) {
  if (bin == kHeavyBin) return "nprod from " + std::to_string(borders.heavy) + " on, over many blocks";
  if (!has_class(bin)) return BinKey(bin).label();
  const auto [row_class, kind, wide] = parts_of(leader_bin(bin));
  const BinKey::Kind as_on_host = in_shift_bundle(kind) ? BinKey::Kind::shift : numbered_as(kind);
  const auto few = static_cast<std::size_t>(borders.by_products);
  if (row_class < borders.by_products)
    return BinKey({row_class, as_on_host, wide}).label("nprod", {borders.upper, few + 1});
  std::size_t n = few + 1;  // without those that only fill up the array
  while (borders.upper[n - 1] != INT64_MAX) n++;
  return BinKey({row_class - borders.by_products, as_on_host, wide}).label("nnz", {borders.upper + few, n - few});
}

template <class T>
Inspection inspect(Engine& engine, const Resident<T>& a, const Resident<T>& b, const std::string& force,
                   hipStream_t stream) {
  const bool small = small_product(engine, a, b, 0, stream, nullptr).has_value();
  const bool few_columns = !small && few_columns_product(engine, a, b, 0, stream, nullptr).has_value();
  MeasuredProduct measured = measure_product(engine, a, b, stream, nullptr, heavy_room(0));
  const auto symbolic_keys = fetched(measured.at.key, a.m.rows, stream);
  const MethodChoice method = measured.method;
  const std::int64_t heavy = measured.rules.heavy;
  const CountedProduct<T> counted = count_product(engine, a, b, std::move(measured), stream, nullptr);
  const DeviceRecord& found = *counted.record;
  const std::int64_t rows = counted.c.rows, columns = counted.c.cols;
  const Policy& policy = engine.policy();
  const Tally* const tally = found.bins[kNumeric];
  Rules rules = engine.rules(columns, sizeof(T));
  rules.short_classes = method.classes, rules.heavy = heavy;
  const KernelQueues& symbolic = found.queues[kSymbolic];
  const KernelQueues numeric = decide_queues(Phase::numeric, rules, policy.trees, tally, found.sorted_b);
  const bool binned = numeric.binned;
  const Borders borders = make_borders(Phase::numeric, rules);

  Tally whole = sum_of(found.bins[kSymbolic]);
  whole.rows = rows;
  Inspection result{.policy = std::string(policy.name),
                    .policy_kind = std::string(policy.kind),
                    .binned = binned,
                    .method = method.method,
                    .method_reason = few_columns ? kFewColumnsReason : method.reason,
                    .device = engine.info().name,
                    .small_product = small,
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
    const RowExtent extent = row_extent_of(mine, found.sorted_b);
    DecidedBin bin{.label = bin_label(key, borders),
                   .features = features_of(mine, columns, 0),
                   .choice = numeric.choice[at],
                   .empty = key == BinKey::kEmpty,
                   .feasible = {}};
    if (bin.empty) bin.choice = {};
    if (numeric.list.of_key[at] != kNoQueue) bin.group_size = numeric.group[numeric.list.of_key[at]];
    for (std::size_t id = 0; id < kCandidates.size(); id++)
      bin.feasible[id] = feasible(Phase::numeric, rules, static_cast<CandidateId>(id), extent);
    result.bins.push_back(report(bin, policy, force));
    if (const int queue = numeric.list.of_key[at]; queue != kNoQueue)
      with_queue(Phase::numeric, queue, [&](auto candidate, int) {
        const SizeQuery query = query_of(Phase::numeric, rules, extent);
        if constexpr (requires { candidate.sorted_by(query, numeric.rows(queue)); })
          result.bins.back().how.push_back("sorted by " + std::string(candidate.sorted_by(query, numeric.rows(queue))));
      });
  }

  const auto a_ptr = fetched(a.m.ptr, rows + 1, stream), c_ptr = fetched(counted.c.row_ptr.data(), rows + 1, stream);
  const auto keys = fetched(counted.at.key, rows, stream);
  const auto c_rows = fetched(counted.at.c_rows, rows, stream);
  auto relation = Array<std::uint8_t>::zeroed(rows);
  auto shift_mark = Array<ShiftMark>::zeroed(rows);
  if (counted.at.relation != nullptr) relation = fetched(counted.at.relation, rows, stream);
  if (counted.at.shift_mark != nullptr) shift_mark = fetched(counted.at.shift_mark, rows, stream);
  const auto runs = run_lengths(relation, [](std::uint8_t of) { return of == kSameAsPrevious; }),
             shifts = run_lengths(shift_mark, [](ShiftMark of) { return of.is_follower(); });
  std::vector<std::set<std::string>> counters(result.bins.size());
  auto is_abandoned = Array<std::uint8_t>::zeroed(rows);
  if (counted.at.abandoned != nullptr) {
    const std::int32_t n = fetched(&counted.at.zeroed->abandoned, 1, stream)[0];
    for (const std::int32_t row : fetched(counted.at.abandoned, n, stream)) is_abandoned[row] = 1;
  }
  constexpr std::string_view kTaker = kCandidates[candidate_that(&Candidate::takes_abandoned)].name;
  struct Hashed {
    std::int64_t rows = 0, abandoned = 0;
  };
  std::vector<Hashed> hashed(result.bins.size());
  for (std::int64_t i = 0; i < rows; i++) {
    const int bin = reported.of_key[keys[i]];
    const auto at = static_cast<std::size_t>(bin);
    const CRow& f = c_rows[i];
    if (const int before = bin_of_key(symbolic_keys[i], heavy); before != BinKey::kEmpty) {
      const CandidateId counter = symbolic.choice[before].chosen;
      counters[at].emplace(kCandidates[counter].name);
      if (is_abandoned[i] != 0) counters[at].emplace(kTaker);
      hashed[at].rows += kCandidates[counter].abandons_rows ? 1 : 0, hashed[at].abandoned += is_abandoned[i];
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
  for (std::size_t bin = 0; bin < counters.size(); bin++)
    if (!counters[bin].empty()) result.bins[bin].symbolic_candidate = joined(counters[bin]);
  if (const int most = policy.tables.collisions; most != 0)
    for (std::size_t bin = 0; bin < hashed.size(); bin++)
      if (hashed[bin].rows != 0)
        result.bins[bin].how.push_back(std::to_string(hashed[bin].abandoned) + " of " +
                                       std::to_string(hashed[bin].rows) + " rows abandoned to " + std::string(kTaker) +
                                       " when counted, above " + std::to_string(most) + " collisions a product");
  return result;
}

#define ROWAN_INSTANTIATE(T) \
  template Inspection inspect(Engine&, const Resident<T>&, const Resident<T>&, const std::string&, hipStream_t);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
