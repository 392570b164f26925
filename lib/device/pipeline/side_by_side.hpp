#pragma once
// What devices that work side by side have of the host, and what they did together.
#include <algorithm>

#include "lib/core/parallel.hpp"
#include <rowan/options.hpp>

namespace rowan::device::inline ROWAN_BACKEND {

/// Of the host's threads, for each of the devices.
[[nodiscard]] inline int threads_each(const rowan::Options& options, std::size_t devices) {
  return std::max(1, Team(options.threads).size() / static_cast<int>(devices));
}

/// Adds one device's statistics to those of all: of a stage's times the longest counts; names and the method are the
/// first device's that had rows.
inline void add_side_by_side(const Stats& its, Stats& all) {
  for (double Stats::*const stage : {&Stats::prepare, &Stats::features, &Stats::binning, &Stats::deciding,
                                     &Stats::symbolic, &Stats::numeric, &Stats::transfer})
    all.*stage = std::max(all.*stage, its.*stage);
  if (all.policy.empty()) all.policy = its.policy, all.device = its.device, all.method = its.method;
  if (all.method_reason.empty()) all.method_reason = its.method_reason;
  all.binned |= its.binned, all.small_product |= its.small_product;
  all.nprod += its.nprod, all.nnz += its.nnz;
  all.bytes_c += its.bytes_c, all.bytes_temporary += its.bytes_temporary;
}

/// Adds one product's statistics to those of all that a worker made one after another; its first device's share too.
inline void add_one_after_another(const Stats& its, Stats& all) {
  for (double Stats::*const stage : {&Stats::prepare, &Stats::features, &Stats::binning, &Stats::deciding,
                                     &Stats::symbolic, &Stats::numeric, &Stats::transfer})
    all.*stage += its.*stage;
  if (all.policy.empty()) all.policy = its.policy, all.device = its.device, all.method = its.method;
  all.binned |= its.binned, all.small_product |= its.small_product;
  all.nprod += its.nprod, all.nnz += its.nnz;
  all.bytes_temporary = std::max(all.bytes_temporary, its.bytes_temporary);
  if (all.devices.empty()) all.devices.resize(1);
  DeviceShare& share = all.devices.front();
  const DeviceShare& more = its.devices.front();
  share.device = more.device, share.seconds += more.seconds;
  share.rows += more.rows, share.nprod += more.nprod, share.nnz += more.nnz;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
