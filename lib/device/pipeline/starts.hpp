#pragma once
// A phase's launches: one for each queue that has rows, and in which order they are started.
#include <utility>
#include <vector>

#include "lib/device/pipeline/decide.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// A queue that has rows, and what they sum up to.
struct QueueLaunch {
  int queue;
  Tally rows;
  std::int64_t with_followers = 0;  // how many rows

  [[nodiscard]] double bundle_rows_avg() const noexcept {
    return static_cast<double>(with_followers) / static_cast<double>(rows.rows);
  }
};

/// Launches that are started by one call: one of them, or all that a candidate launches together.
struct Start {
  std::pair<CandidateId, int> name;  // the candidate, and which of its launches
  std::vector<QueueLaunch> launches = {};
  Offset longest = 0;  // products of a row
};

/// Those of a phase with the longest rows first (OpSparse, section 5.5): no block takes longer, and rows of others fill
/// the device meanwhile. `but`: of every queue, whether it is left out; null: none is.
[[nodiscard]] std::vector<Start> starts_of(Phase phase, const KernelQueues& queues, const Tally* bins,
                                           std::int64_t b_nnz, const bool* but = nullptr);

}  // namespace rowan::device::inline ROWAN_BACKEND
