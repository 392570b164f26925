#include "lib/choose/alternating.hpp"

#include <algorithm>
#include <optional>

namespace rowan {
namespace {

/// How many rows of `from` follow one another, on average, where rows of `to` are between them: by 64 samples of 64
/// rows. Empty where none are between.
std::optional<double> consecutive_rows(const Record& record, const Alternating& rule, std::int64_t rows) {
  constexpr std::int64_t kSample = 64, kSamples = 64;
  const auto is_either = [&](CandidateId id) { return id == rule.from || id == rule.to; };
  std::int64_t of_from = 0, changes = 0;
  for (std::int64_t first = 0; first < rows; first += std::max(kSample, rows / kSamples)) {
    std::optional<CandidateId> before;
    for (std::int64_t i = first; i < std::min(rows, first + kSample); i++) {
      const BinDecision& d = record.decisions[static_cast<std::size_t>(record.bins.of(i))];
      if (d.bin.key.empty()) continue;
      const CandidateId id = d.numeric.chosen;
      of_from += id == rule.from ? 1 : 0;
      changes += before && *before != id && is_either(id) && is_either(*before) ? 1 : 0;
      before = id;
    }
  }
  if (changes == 0) return std::nullopt;
  return 2.0 * static_cast<double>(of_from) / static_cast<double>(changes);
}

/// Whether a bin's rows, `consecutive` at a time, cost more with `from` than with `to`. Each stretch of them ends in a
/// batch that is not full, and a batch takes as many steps for one row as for a full one.
bool better_apart(const Tally& t, const Alternating& rule, double consecutive) {
  const double steps = kCandidates[rule.from].batch_steps(t.nprod / t.rows) / consecutive;
  return steps * static_cast<double>(rule.words_per_step) > kCandidates[rule.to].scanned_words(t.span / t.rows);
}

}  // namespace

void merge_alternating_bins(Record& record, std::int64_t rows) {
  if (!record.policy.alternating || record.decisions.size() < 2) return;
  const Alternating& rule = *record.policy.alternating;
  const Candidate& to = kCandidates[rule.to];
  for (bool changed = true; changed;) {
    const auto consecutive = consecutive_rows(record, rule, rows);
    if (!consecutive) return;
    changed = false;
    for (BinDecision& d : record.decisions) {
      Choice& choice = d.numeric;
      if (choice.chosen != rule.from || d.bin.key.empty() || d.bin.key.wide() || !to.feasible(d.extent) ||
          !record.scratch.allows(to, d.extent) || !better_apart(d.bin.tally, rule, *consecutive))
        continue;
      choice = {choice.requested, rule.to, choice.requested == rule.from ? Instead::isolated : Instead::limits};
      changed = true;
    }
  }
}

}  // namespace rowan
