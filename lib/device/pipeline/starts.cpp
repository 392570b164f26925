#include "lib/device/pipeline/starts.hpp"

#include <algorithm>

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

QueueLaunch launch_of(const KernelQueues& queues, int queue, const Tally* bins, std::int64_t b_nnz) {
  QueueLaunch launch{queue, {}};
  Tally& rows = launch.rows;
  for (int bin = 0; bin < kBins; bin++)
    if (queues.list.of_key[bin] == queue) {
      rows.add(bins[bin]);
      launch.with_followers += with_followers(bins, bin).rows;
    }
  // distinct columns of a row of C are columns of B, each with an entry there
  rows.bound_max = std::min(rows.bound_max, b_nnz);
  return launch;
}

}  // namespace

std::vector<Start> starts_of(Phase phase, const KernelQueues& queues, const Tally* bins, std::int64_t b_nnz,
                             const bool* but) {
  std::vector<Start> starts;
  for (int queue = queues_of(phase) - 1; queue >= 0; queue--) {  // largest kernels first
    if (queues.rows(queue) == 0 || (but != nullptr && but[queue])) continue;
    with_queue(phase, queue, [&](auto candidate, int kernel) {
      std::pair<CandidateId, int> name(detail::kIdOf<decltype(candidate)>, -1 - kernel);
      if constexpr (requires { candidate.launch_of(phase, kernel); }) name.second = candidate.launch_of(phase, kernel);
      const auto at = std::ranges::find(starts, name, &Start::name);
      Start& start = at != starts.end() ? *at : starts.emplace_back(Start{.name = name});
      start.launches.push_back(launch_of(queues, queue, bins, b_nnz));
      start.longest = std::max(start.longest, start.launches.back().rows.nprod_max);
    });
  }
  std::ranges::stable_sort(starts, [](const Start& one, const Start& other) {
    return kShapes.launch.largest_first ? one.longest > other.longest : one.longest < other.longest;
  });
  return starts;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
