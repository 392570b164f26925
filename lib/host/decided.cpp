#include "lib/host/decided.hpp"

#include "lib/host/timer.hpp"

namespace rowan {

Decided decide(const Pattern& a, const Pattern& b, const Settings& settings, const Team& team, Stats& stats,
               KnownFacts known) {
  Decided d;
  {
    const Timer timer(stats.features);
    d.measured = measure(a, b, team, std::move(known));
    if (settings.policy.uses(Feature::compression_ratio))
      d.measured.compression_ratio = sample_compression(a, b, d.measured);
  }
  {
    const Timer timer(stats.deciding);
    d.record = decide_matrix(d.measured, settings.policy);
  }
  {
    const Timer timer(stats.binning);
    bin(d.measured, d.record);
  }
  {
    const Timer timer(stats.deciding);
    decide_bins(d.measured, settings.options.force, d.record, d.record.requested_method == Method::two_phase);
  }
  stats.policy = settings.policy.name, stats.binned = d.record.binned, stats.method = d.record.requested_method;
  stats.nprod = d.measured.all.nprod;
  return d;
}

}  // namespace rowan
