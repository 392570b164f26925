#include "tools/rowan/forced.hpp"

#include <exception>
#include <set>

#include <fmt/ranges.h>

#include "accumulators/candidates.hpp"
#include "tools/rowan/terminal.hpp"
#include "tools/rowan/writer.hpp"

namespace rowan::tool {
namespace {

/// "hash" of "hash:8".
std::string accumulator_of(const std::string& force) {
  return force.substr(0, force.find(':'));
}

bool takes_all(const Candidate& c) {
  return c.max_nprod == kNoLimit && c.max_span == kNoLimit && c.max_a_nnz == kNoLimit && c.max_columns == kNoLimit &&
         c.max_b_area == kNoLimit && c.min_b_uses == 0 && !c.needs_sorted_b && !c.needs_runs && !c.needs_shifts &&
         !c.counts_only && c.on_host && c.max_span_per_product == kNoLimit && c.max_widest_per_product == kNoLimit;
}

}  // namespace

void tell_unused_force(const Inspection& inspection, const std::string& force) {
  if (force.empty() || quiet()) return;
  const std::string wanted = accumulator_of(force);
  std::set<std::string> took;
  for (const BinReport& bin : inspection.bins) {
    if (bin.nprod == 0) continue;
    if (bin.candidate == wanted || bin.accumulator == wanted || bin.candidate == bin.requested) return;
    took.insert(bin.candidate);
  }
  if (!took.empty())
    say_error(fmt::format("rowan: --force {}: it took no row; {} did (rowan inspect shows why)\n", force,
                          fmt::join(took, ", ")));
}

void tell_unused_force(const Context& context, const Operands& in, const std::string& force) {
  if (force.empty() || quiet()) return;
  const auto candidate = candidate_named(accumulator_of(force));
  if (candidate && takes_all(kCandidates[*candidate])) return;
  try {
    tell_unused_force(context.inspect(in.a, in.b), force);
  } catch (const std::exception&) {
    return;  // no memory to look again: the product is written all the same
  }
}

}  // namespace rowan::tool
