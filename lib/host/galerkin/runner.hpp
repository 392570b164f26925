#pragma once
// Runs chunks of C = R·A·P: what all workers share, and what each keeps.
#include <atomic>
#include <optional>

#include "accumulators/common/positions.hpp"
#include "lib/host/galerkin/fused_rows.hpp"
#include "lib/host/galerkin/sizes.hpp"

namespace rowan::fused {

/// What one worker keeps; made when it first computes.
template <class T>
struct FusedWorkspace {
  std::optional<MiddleRows<T>> middle;
  Array<std::byte> positions_of_middle, positions, old;
};

template <class T>
class FusedRunner {
 public:
  using Workspace = FusedWorkspace<T>;

  FusedRunner(const Operand<T>& r, const Operand<T>& a, const Operand<T>& p, const GalerkinSizes& sizes)
      : r_(r), a_(a), p_(p), sizes_(sizes) {}

  /// As PhaseRunner's: rows [first, last) of C, one after another; returns the entries written.
  std::int64_t numeric(Workspace& workspace, std::int64_t first, std::int64_t last, Offset* nnz, Column* col, T* val,
                       bool /*streamed*/ = false) const {
    FusedCounts counts;
    const std::int64_t n = fused_rows(task(workspace, first, last, counts, nnz, col, val));
    rows_made_ += counts.rows_made, nprod_ += counts.nprod;
    return n;
  }
  /// Of one worker, at most.
  [[nodiscard]] static std::int64_t scratch_bytes(const Pattern& a, const Pattern& p, const GalerkinSizes& s) {
    return MiddleRows<T>::bytes(a.rows, s.longest_middle, bound_of_middle(a, s)) +
           2 * static_cast<std::int64_t>(ColumnPositions::bytes(p.cols)) +
           s.longest * static_cast<std::int64_t>(sizeof(T)) + kOverhead;
  }
  /// Rows of A·P that were made, some of them again.
  [[nodiscard]] std::int64_t rows_made() const noexcept { return rows_made_; }
  /// Products of R with them.
  [[nodiscard]] std::int64_t nprod() const noexcept { return nprod_; }

 private:
  static constexpr std::int64_t kOverhead = 256;

  /// Entries of A·P, at most.
  static std::int64_t bound_of_middle(const Pattern& a, const GalerkinSizes& s) {
    return std::min(s.nprod_ap, a.rows * s.longest_middle);
  }
  /// Entries of A·P that a row of C looks back on, about; the ring grows where they are more.
  [[nodiscard]] std::int64_t looks_back() const {
    constexpr double kCompression = 2;  // of A·P, at least mostly
    const auto rows = static_cast<double>(std::max<std::int64_t>(a_.rows, 1));
    const double products = static_cast<double>(sizes_.nprod_ap) / rows;
    return static_cast<std::int64_t>(products * static_cast<double>(sizes_.window) / kCompression) + 1;
  }

  FusedTask<T> task(Workspace& w, std::int64_t first, std::int64_t last, FusedCounts& counts, Offset* nnz, Column* col,
                    T* val) const {
    if (!w.middle) {
      w.middle.emplace(a_.rows, sizes_.longest_middle, looks_back(), bound_of_middle(a_, sizes_));
      w.positions_of_middle = Array<std::byte>::zeroed(ColumnPositions::bytes(p_.cols));
      w.positions = Array<std::byte>::zeroed(ColumnPositions::bytes(p_.cols));
      w.old = Array<std::byte>(static_cast<std::size_t>(sizes_.longest) * sizeof(T));
    }
    return {.r = r_,
            .a = a_,
            .p = p_,
            .first = first,
            .last = last,
            .longest_middle = sizes_.longest_middle,
            .longest = sizes_.longest,
            .most_ahead = sizes_.window,
            .middle = *w.middle,
            .positions_of_middle = w.positions_of_middle.data(),
            .positions = w.positions.data(),
            .old = w.old.data(),
            .counts = counts,
            .nnz = nnz,
            .col = col,
            .val = val};
  }

  const Operand<T>& r_;
  const Operand<T>& a_;
  const Operand<T>& p_;
  const GalerkinSizes& sizes_;
  mutable std::atomic<std::int64_t> rows_made_ = 0, nprod_ = 0;
};

}  // namespace rowan::fused
