#pragma once
// Runs decided rows: consecutive rows of one choice go to their candidate together.
#include <array>

#include "lib/host/decide.hpp"
#include "lib/host/workspace.hpp"

namespace rowan {

/// Everything that the rows of one phase need; shared by all workers, read only.
template <class T>
class PhaseRunner {
 public:
  using Workspace = rowan::Workspace;

  PhaseRunner(const Operand<T>& a, const Operand<T>& b, const Measured& measured, const Record& record, Phase phase)
      : a_(a), b_(b), measured_(measured), record_(record) {
    for (std::size_t k = 0; k < record.decisions.size(); k++) {
      const BinDecision& d = record.decisions[k];
      by_bin_[k] = d.bin.key.empty() ? kAny : phase == Phase::symbolic ? d.symbolic.chosen : d.numeric.chosen;
      if (by_bin_[k] == kAny) continue;
      any_counts_first_ |= kCandidates[by_bin_[k]].counts_first;
      extents_[by_bin_[k]].add(d.extent);
    }
    if (phase == Phase::numeric)
      for (const CandidateId id : record.raced) extents_[id].add(record.decisions[0].extent);
  }

  /// Counts rows [first, last) into nnz[first ..].
  void symbolic(Workspace& workspace, std::int64_t first, std::int64_t last, Offset* nnz) const {
    for_segments(first, last, [&](CandidateId id, std::int64_t from, std::int64_t to) {
      const Extent& extent = extents_[id];
      kCandidates[id].symbolic({.a = a_,
                                .b = b_,
                                .rows = measured_.rows.data(),
                                .b_run = measured_.b->run.data(),
                                .extent = extent,
                                .scratch = workspace.of(id, extent, sizeof(T)),
                                .first = from,
                                .last = to,
                                .nnz = nnz});
    });
  }

  /// Whether to count rows [first, last), of `bound` entries at most, before they are multiplied costs little. Rows
  /// that are not measured have nothing to count by.
  [[nodiscard]] bool counts_first(std::int64_t first, std::int64_t last, std::int64_t bound) const {
    if (!any_counts_first_ || record_.sampled) return false;
    constexpr std::int64_t kShare = 32;  // one product of so many, at most, is in other rows: edges of grids
    std::int64_t others = 0;
    for_segments(first, last, [&](CandidateId id, std::int64_t from, std::int64_t to) {
      if (!kCandidates[id].counts_first)
        for (std::int64_t i = from; i < to; i++) others += measured_.rows[i].nprod;
    });
    return others * kShare <= bound;
  }

  /// Multiplies rows [first, last) straight to their places, around the caches and nothing behind them: what may write
  /// behind its rows goes by way of the buffer `room_col`, `room_val`.
  void numeric_in_place(Workspace& workspace, std::int64_t first, std::int64_t last, Offset* nnz, Column* col, T* val,
                        Column* room_col, T* room_val) const {
    for_segments(first, last, [&](CandidateId id, std::int64_t from, std::int64_t to) {
      const bool direct = kCandidates[id].counts_first;
      const std::int64_t n =
          run(workspace, id, from, to, nnz, direct ? col : room_col, direct ? val : room_val, direct);
      if (!direct) std::copy_n(room_col, n, col), std::copy_n(room_val, n, val);
      col += n, val += n;
    });
  }

  /// Multiplies rows [first, last) to `col` and `val`, one after another; returns the entries written. `streamed`: as
  /// NumericTask's.
  std::int64_t numeric(Workspace& workspace, std::int64_t first, std::int64_t last, Offset* nnz, Column* col, T* val,
                       bool streamed = false) const {
    if (!record_.raced.empty()) return race(workspace, first, last, nnz, col, val, streamed);
    std::int64_t k = 0;
    for_segments(first, last, [&](CandidateId id, std::int64_t from, std::int64_t to) {
      k += run(workspace, id, from, to, nnz, col + k, val + k, streamed);
    });
    return k;
  }

  /// Scratch of one worker, at most.
  [[nodiscard]] std::int64_t scratch_bytes() const {
    std::int64_t zeroed = 0, plain = 0, persistent = 0;
    for (std::size_t id = 0; id < kCandidates.size(); id++) {
      if (extents_[id].nprod_max == 0) continue;  // not chosen
      const ScratchBytes need = kCandidates[id].scratch(extents_[id], sizeof(T));
      zeroed = std::max(zeroed, static_cast<std::int64_t>(need.zeroed));
      plain = std::max(plain, static_cast<std::int64_t>(need.plain));
      persistent += static_cast<std::int64_t>(need.persistent);
    }
    return zeroed + plain + persistent + Workspace::kOverhead;
  }

 private:
  /// The rows are one block.
  std::int64_t race(Workspace& workspace, std::int64_t first, std::int64_t last, Offset* nnz, Column* col, T* val,
                    bool streamed) const {
    using Clock = std::chrono::steady_clock;
    const std::size_t who = workspace.race.next(record_.raced.size());
    const auto start = Clock::now();
    const std::int64_t k = run(workspace, record_.raced[who], first, last, nnz, col, val, streamed);
    const std::chrono::duration<double> took = Clock::now() - start;
    workspace.race.took(who, took.count(), a_.ptr[last] - a_.ptr[first] + last - first);
    return k;
  }
  std::int64_t run(Workspace& workspace, CandidateId id, std::int64_t first, std::int64_t last, Offset* nnz,
                   Column* col, T* val, bool streamed) const {
    const Extent& extent = extents_[id];
    return kCandidates[id].numeric.of<T>()({.a = a_,
                                            .b = b_,
                                            .rows = measured_.rows.data(),
                                            .b_run = measured_.b->run.data(),
                                            .extent = extent,
                                            .scratch = workspace.of(id, extent, sizeof(T)),
                                            .first = first,
                                            .last = last,
                                            .nnz = nnz,
                                            .col = col,
                                            .val = val,
                                            .any_order = record_.any_order,
                                            .streamed = streamed});
  }

  static constexpr CandidateId kAny = 255;  // rows without products: they go along with their neighbours

  template <class F>
  void for_segments(std::int64_t first, std::int64_t last, const F& f) const {
    const auto of = [&](std::int64_t row) { return by_bin_[static_cast<std::size_t>(record_.bins.of(row))]; };
    for (std::int64_t from = first; from < last;) {
      CandidateId id = of(from);
      std::int64_t to = record_.bins.same_bin(from, last);
      while (to < last) {
        const CandidateId next = of(to);
        if (next != id && next != kAny && id != kAny) break;
        if (id == kAny) id = next;
        to = record_.bins.same_bin(to, last);
      }
      f(id == kAny ? CandidateId{0} : id, from, to);
      from = to;
    }
  }

  const Operand<T>& a_;
  const Operand<T>& b_;
  const Measured& measured_;
  const Record& record_;
  std::array<CandidateId, BinKey::kCount> by_bin_{};
  bool any_counts_first_ = false;
  std::array<Extent, kCandidates.size()> extents_{};
};

}  // namespace rowan
