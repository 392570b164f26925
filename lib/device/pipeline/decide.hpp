#pragma once
// Decisions for devices: the policies, features and candidates of the host, and which kernel (queue) follows from a
// choice. The host makes them, between the phases.
#include <algorithm>
#include <string>

#include "accumulators/device/candidates.hpp"
#include "features/formulas.hpp"
#include "lib/binning/device/lists.hpp"
#include "lib/choose/choose.hpp"
#include "lib/choose/extent.hpp"
#include <rowan/options.hpp>

namespace rowan::device::inline ROWAN_BACKEND {

/// Whether any leaf of a candidates' tree names it.
[[nodiscard]] inline bool ranks(const Tree& tree, CandidateId id) {
  return std::find(tree.ranked.begin(), tree.ranked.end(), id) != tree.ranked.end();
}

inline constexpr std::uint8_t kNotForced = 255;
inline constexpr CandidateId kOnePhase = candidate_that(&Candidate::one_phase);  // has short rows in one phase

/// What all decisions of a multiply have in common.
struct Rules {
  std::uint8_t forced = kNotForced;
  int forced_group = 0;  // 0: none
  std::int64_t columns = 0;
  std::size_t value_bytes = 8, shared_limit = 0;
  int wave = 32;
  bool short_rows = false;  // make_borders
  int short_classes = 0;    // rows of so many classes are in one phase, and get no kernel else: one_phase.hpp
  int room[2] = {};         // of hash tables, by phase: places for 100 entries
  std::int64_t heavy = 0;   // products of a heavy row, at least (heavy.hpp); 0: none is
  TableRules tables = {};
};

/// Borders of the row classes: those of the hash tables, which other candidates share. Rules::short_rows: rows that
/// sort can take have classes of their own, and the smallest tables, which are left to few of the others, share one.
[[nodiscard]] constexpr Borders make_borders(Phase phase, const Rules& rules) noexcept {
  Borders b{};
  b.narrow_span = dense::kNarrowSpan;
  if (rules.heavy != 0) b.heavy = rules.heavy;
  if (rules.short_rows)
    for (const std::int64_t border : sort::kBorders) b.upper[b.by_products++] = border;
  const auto fill = [&b](const auto& sizes) {
    const auto room = kBinBorders.size() - static_cast<std::size_t>(b.by_products);
    const std::size_t skipped = sizes.size() > room ? sizes.size() - room : 0;
    for (std::size_t i = static_cast<std::size_t>(b.by_products); i < kBinBorders.size(); i++) {
      const std::size_t k = i - static_cast<std::size_t>(b.by_products) + skipped;
      b.upper[i] = k < sizes.size() ? sizes[k] : INT64_MAX;
    }
  };
  const int room = rules.room[static_cast<std::size_t>(phase)];
  if (phase == Phase::symbolic)
    fill(hash::borders_of(hash::kSymbolic, room));
  else
    fill(hash::borders_of(hash::kNumeric, room));
  return b;
}
static_assert(hash::kSymbolic.size() < kBinBorders.size() && hash::kNumeric.size() < kBinBorders.size());

[[nodiscard]] constexpr RowExtent row_extent_of(const Tally& t, bool sorted_b) noexcept {
  return {rowan::extent_of(t, sorted_b), t.b_row_max};
}

[[nodiscard]] constexpr SizeQuery query_of(Phase phase, const Rules& rules, const RowExtent& e) noexcept {
  return {e.bound_max,        e.span_max,  rules.value_bytes,
          rules.shared_limit, e.nprod_max, e.sorted_b,
          e.a_nnz_max,        e.b_row_max, rules.room[static_cast<std::size_t>(phase)],
          rules.tables};
}

[[nodiscard]] constexpr bool feasible(Phase phase, const Rules& rules, CandidateId id, const RowExtent& e) noexcept {
  const Candidate& c = kCandidates[id];
  return on_devices(id) && (phase == Phase::symbolic || !c.counts_only) && c.takes(e) &&
         kernels_take(phase, id, query_of(phase, rules, e));
}

[[nodiscard]] constexpr Choice choice_for(Phase phase, const Rules& rules, const Tree& tree,
                                          const FeatureVector& features, const RowExtent& extent) noexcept {
  return choose(
      ranking(tree, features, rules.forced == kNotForced ? std::nullopt : std::optional<CandidateId>(rules.forced)),
      [&](CandidateId id) { return feasible(phase, rules, id, extent); },
      [&](CandidateId requested) { return refusal(phase, requested); }, [] { return kLastResort; });
}

/// What was decided for one bin, and which kernel follows from it.
struct DeviceBinDecision {
  Choice choice = {};
  std::int32_t queue = kNoQueue;  // kNoQueue: no rows, or nothing to do
  std::int32_t threads = 1;
  std::int32_t group = 0;  // lanes that walk one row of B; 0: by the average row
};

/// `bin` as `t` sums it up.
[[nodiscard]] constexpr DeviceBinDecision decide_bin(Phase phase, const Rules& rules,
                                                     const std::array<Tree, kDecisions>& trees, int bin, const Tally& t,
                                                     bool sorted_b) noexcept {
  const RowExtent extent = row_extent_of(t, sorted_b);
  const Tree& tree = trees[static_cast<std::size_t>(decision_of(phase))];
  const FeatureVector features = features_of(t, rules.columns, 0);
  const Choice choice = choice_for(phase, rules, tree, features, extent);
  const int group = rules.forced_group != 0
                        ? rules.forced_group
                        : group_of(evaluate(trees[static_cast<std::size_t>(Decision::group)], features)[0]);
  QueueChoice queue = queue_for(phase, choice.chosen, query_of(phase, rules, extent));
  // the rows of a run are counted once, and multiplied together by what needs runs
  const Candidate& chosen = kCandidates[choice.chosen];
  if (is_follower(bin) && (phase == Phase::symbolic || chosen.needs_runs || chosen.needs_shifts)) queue = {};
  return {choice, queue.queue, queue.threads < rules.wave ? queue.threads : rules.wave, group};
}

/// What decides for a bin: its own sums and its followers', or those of all rows where they are not binned.
[[nodiscard]] constexpr Tally decisive(const Tally* tally, int bin, bool binned, const Tally& all) noexcept {
  if (!binned) return all;
  return with_followers(tally, leader_bin(bin));
}

/// Whether each bin is decided for itself; else all rows alike, as `all` sums
/// them up.
[[nodiscard]] constexpr bool decide_binning(const Rules& rules, const std::array<Tree, kDecisions>& trees,
                                            const Tally& all) noexcept {
  const Tree& tree = trees[static_cast<std::size_t>(Decision::use_binning)];
  return evaluate(tree, features_of(all, rules.columns, 0))[0] != 0;
}

/// All bins with rows that kernels look at.
[[nodiscard]] constexpr Tally sum_of(const Tally* tally) noexcept {
  Tally all;
  for (int b = BinKey::kDirect; b < kBins; b++)
    if (tally[b].rows != 0) all.add(tally[b]);
  return all;
}

/// Where rows are in a list by key: rows [0, rows[0]) from begin[0] on, then rows[1] from begin[1] on ...
struct ListPieces {
  int count = 0;
  std::int64_t begin[RowList::kPieces] = {}, rows[RowList::kPieces] = {};

  /// Behind those that are there; false where that would be one piece too many.
  constexpr bool add(std::int64_t from, std::int64_t n) noexcept {
    if (count != 0 && begin[count - 1] + rows[count - 1] == from) {
      rows[count - 1] += n;
      return true;
    }
    if (count == RowList::kPieces) return false;
    begin[count] = from, rows[count++] = n;
    return true;
  }
  [[nodiscard]] constexpr RowList of(const std::int32_t* whole, std::int64_t all) const noexcept {
    RowList list{whole + begin[0], all};
    for (int k = 1; k < count; k++) {
      list.begin[k - 1] = static_cast<std::int32_t>(k == 1 ? rows[0] : list.begin[k - 2] + rows[k - 1]);
      list.skip[k - 1] = static_cast<std::int32_t>(begin[k] - begin[k - 1] - rows[k - 1]);
    }
    return list;
  }
};

/// The queues of a phase, and what was decided for its bins.
struct KernelQueues {
  ListLayout list = {};
  ListPieces pieces[kMaxQueues] = {};     // of a list by key
  bool by_key = false;                    // whether the list is one by key; else `list` says where queues are
  std::int32_t group[kMaxQueues] = {};    // lanes that walk one row of B
  std::uint8_t decided[kMaxQueues] = {};  // whether the policy or force said how many
  Choice choice[kBins] = {};              // for the record
  std::int32_t only = -1;                 // the queue that has all rows, else -1
  bool binned = true;

  [[nodiscard]] std::int64_t rows(int queue) const noexcept { return list.begin[queue + 1] - list.begin[queue]; }
  /// Whether a list has to be written: not where one kernel takes all rows, or none any.
  [[nodiscard]] bool listed() const noexcept { return only < 0 && list.begin[kMaxQueues] != 0; }
  /// The rows of a queue; `whole`: the list, where there is one.
  [[nodiscard]] RowList of(int queue, const std::int32_t* whole, const Cancelled& cancelled = {}) const noexcept {
    RowList list_of{nullptr, rows(queue)};
    if (listed())
      list_of = by_key ? pieces[queue].of(whole, rows(queue)) : RowList{whole + list.begin[queue], rows(queue)};
    list_of.cancelled = cancelled;
    return list_of;
  }
  /// Finds the queues' rows in a list by key, where they are a few pieces of it. `rows_of_key`: of every key.
  constexpr void find_by_key(const std::int64_t* rows_of_key) noexcept {
    std::int64_t from = 0;
    by_key = true;
    for (int place = 0; place < kKeys; place++) {
      const int key = key_at(place);
      const std::int64_t n = rows_of_key[key];
      if (const int queue = list.of_key[key]; n != 0 && queue != kNoQueue)
        by_key = by_key && pieces[queue].add(from, n);
      from += n;
    }
  }
};

/// The queues that follow from the bins' decisions. `heavy`: as in Rules.
[[nodiscard]] constexpr KernelQueues make_queues(const Tally* tally, const DeviceBinDecision* bins, bool binned,
                                                 std::int64_t heavy = 0) noexcept {
  KernelQueues out;
  std::int64_t rows[kMaxQueues] = {}, entries[kMaxQueues] = {}, met[kMaxQueues] = {}, total = 0;
  int threads[kMaxQueues] = {}, group[kMaxQueues] = {};
  for (int b = 0; b < kBins; b++) {
    out.list.of_key[b] = kNoQueue;
    total += tally[b].rows;
    if (b < BinKey::kDirect || tally[b].rows == 0) continue;
    const DeviceBinDecision& d = bins[b];
    out.choice[b] = d.choice;
    out.list.of_key[b] = static_cast<std::uint8_t>(d.queue);
    if (d.queue == kNoQueue) continue;
    rows[d.queue] += tally[b].rows, entries[d.queue] += tally[b].nprod, met[d.queue] += tally[b].a_nnz;
    threads[d.queue] = d.threads;
    if (group[d.queue] < d.group) group[d.queue] = d.group;  // bins of one kernel have one launch
  }
  out.binned = binned;
  for (int key = kBins; key < kKeys; key++) out.list.of_key[key] = out.list.of_key[bin_of_key(key, heavy)];
  for (int s = 0; s < kMaxQueues; s++) {
    out.list.begin[s + 1] = out.list.begin[s] + rows[s];
    const int most = threads[s] < 1 ? 1 : threads[s];
    out.decided[s] = group[s] != 0 ? 1 : 0;
    out.group[s] = group[s] == 0 ? group_size(entries[s], met[s], most) : group[s] < most ? group[s] : most;
    if (rows[s] != 0 && rows[s] == total) out.only = s;
  }
  return out;
}

/// Whether the bin's rows are short: of the classes that the one-phase kernel takes.
[[nodiscard]] constexpr bool is_short(int bin, int classes) noexcept {
  return has_class(bin) && class_of(bin) < classes;
}
[[nodiscard]] constexpr Tally sum_of_short(const Tally* tally, int classes) noexcept {
  Tally t;
  for (int b = 0; b < kBins; b++)
    if (is_short(b, classes) && tally[b].rows != 0) t.add(tally[b]);
  return t;
}

/// One phase or two, and what one phase has to know. `tally`: the symbolic phase's bins.
struct MethodChoice {
  Method method = Method::two_phase;
  std::string reason = {};  // why it is not what the policy asks for, else empty
  int most = 0;             // products of a short row
  int classes = 0;          // of short rows
  double short_products = 0;
  double short_entries = 0;      // about
  std::int64_t short_bound = 0;  // entries that short rows have at most
  std::int64_t others = 0;       // rows with products that are not short
};

/// Entries that the short rows have, going by the sample; more than there are where nothing is known of them.
[[nodiscard]] inline double expected_entries(const Tally* tally, int classes, const sort::ShortSample& sample) {
  double entries = 0;
  int from = 0;
  for (std::size_t k = 0; k < sort::kShortLimits.size() && from < classes; k++) {
    const int upto = sort::kShortLimits[k].classes;
    const auto products = static_cast<double>(sum_of_short(tally, upto).nprod - sum_of_short(tally, from).nprod);
    const auto& [seen, found] = sample.part[k];
    entries += seen == 0 ? products : products * static_cast<double>(found) / static_cast<double>(seen);
    from = upto;
  }
  return entries;
}

[[nodiscard]] inline MethodChoice choose_method(const Rules& rules, const std::array<Tree, kDecisions>& trees,
                                                const Tally* tally, const sort::ShortSample& sample) {
  // products that fall together: where they are many, rows are summed up faster by other accumulators
  constexpr double kMostTogether = 4;
  MethodChoice choice;
  const Tally all = sum_of(tally);
  const std::int64_t light = all.nprod - tally[kHeavyBin].nprod;  // heavy rows have their own way in any case
  const Tree& tree = trees[static_cast<std::size_t>(Decision::method)];
  if (static_cast<Method>(evaluate(tree, features_of(all, rules.columns, 0))[0]) == Method::two_phase) return choice;
  const auto refused = [&](std::string reason) {
    choice.reason = std::move(reason);
    return choice;
  };
  if (rules.forced != kNotForced) return refused("an accumulator is forced");
  if (!rules.short_rows || !decide_binning(rules, trees, all))
    return refused("rows with few products are no bins of their own");
  for (const sort::ShortLimit& limit : sort::kShortLimits) {
    const Tally few = sum_of_short(tally, limit.classes);
    if (few.nprod == 0 || static_cast<double>(few.nprod) < limit.least_share * static_cast<double>(light)) {
      choice.reason = "rows of at most " + std::to_string(limit.most) + " products have " + std::to_string(few.nprod) +
                      " of " + std::to_string(light) + " products";
      continue;
    }
    if (few.span_max > limit.columns)
      return refused("columns of a row with few products lie " + std::to_string(few.span_max) + " apart");
    const double entries = expected_entries(tally, limit.classes, sample),
                 together = static_cast<double>(few.nprod) / entries;
    if (limit.most > sort::kMostShort && together > kMostTogether)
      return refused("about " + std::to_string(static_cast<int>(together)) + " products fall together");
    return {.method = Method::one_phase,
            .most = static_cast<int>(few.nprod_max),
            .classes = limit.classes,
            .short_products = static_cast<double>(few.nprod),
            .short_entries = entries,
            .short_bound = few.bound,
            .others = all.rows - few.rows};
  }
  return choice;
}

/// Everything of the queues.
[[nodiscard]] inline KernelQueues decide_queues(Phase phase, const Rules& rules,
                                                const std::array<Tree, kDecisions>& trees, const Tally* tally,
                                                bool sorted_b) {
  const Tally all = sum_of(tally);
  const bool binned = decide_binning(rules, trees, all);
  DeviceBinDecision bins[kBins];
  for (int b = BinKey::kDirect; b < kBins; b++)
    if (is_short(b, rules.short_classes))
      bins[b].choice = {.requested = kOnePhase, .chosen = kOnePhase};
    else if (b == kHeavyBin)
      bins[b] = {.choice = {.requested = detail::kIdOf<dense::DeviceRank>, .chosen = detail::kIdOf<dense::DeviceRank>},
                 .queue = heavy_queue(phase)};
    else if (tally[b].rows != 0)
      bins[b] = decide_bin(phase, rules, trees, b, decisive(tally, b, binned, all), sorted_b);
  return make_queues(tally, bins, binned, rules.heavy);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
