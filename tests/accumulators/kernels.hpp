#pragma once
// Calls one candidate's kernels as the pipeline would, on any rows, and checks its promises about memory.
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "accumulators/candidates.hpp"
#include "lib/host/decide.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"

namespace rowan::test {

/// Exactly so many bytes at a cache line's border, so that a sanitizer sees what reaches over; null if none are wanted.
class Memory {
 public:
  explicit Memory(std::size_t bytes, std::uint32_t fill)
      : bytes_(bytes), data_(new (std::align_val_t(64)) std::byte[bytes]) {
    for (std::size_t i = 0; i < bytes; i += sizeof fill)
      std::memcpy(data_.get() + i, &fill, std::min(sizeof fill, bytes - i));
  }
  [[nodiscard]] std::byte* data() const { return bytes_ == 0 ? nullptr : data_.get(); }
  [[nodiscard]] bool all_zero() const {
    return std::all_of(data(), data() + bytes_, [](std::byte b) { return b == std::byte{0}; });
  }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t(64)); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> data_;
};

/// Two matrices and what the feature pass says of their product.
template <class T>
struct Problem {
  Factors<T> factors;
  Operand<T> a, b;
  Measured measured;
  Product<T> expected;

  Problem(const Shape& shape, Values values)
      : factors(shape, values),
        a(operand(factors.a())),
        b(operand(factors.b())),
        measured(measure(a, b, Team(1))),
        expected(textbook(factors.a(), factors.b())) {}

  [[nodiscard]] Extent extent() const { return extent_of(measured.all, measured); }
  /// What is known where rows are not measured.
  [[nodiscard]] Extent unmeasured() const {
    return {.nprod_max = measured.all.nprod_max,
            .bound_max = std::min<std::int64_t>(measured.all.nprod_max, b.cols),
            .span_max = b.cols,
            .a_nnz_max = has_single_entries(a) ? 1 : a.nnz(),
            .columns = b.cols,
            .b_rows = b.rows,
            .sorted_b = false,
            .single_b = single_entries(b)};
  }
  static Operand<T> operand(const CsrView<T>& v) {
    return {{.rows = v.rows, .cols = v.cols, .ptr = v.row_ptr.wide(), .col = v.col.data()}, v.val.data()};
  }
};

/// Runs rows [cuts[0], cuts[1]), [cuts[1], cuts[2]) ... each as a task of its own, in one scratch. Empty if all is as
/// it must be, else what is not. `left_over` fills the scratch that may hold anything. Not `measured`: the candidate is
/// told nothing of the rows.
template <class T>
std::string kernel_fault(const Candidate& c, const Problem<T>& p, const std::vector<std::int64_t>& cuts,
                         std::uint32_t left_over = 0xA5A5A5A5, bool streamed = false, bool measured = true) {
  const Extent extent = measured ? p.extent() : p.unmeasured();
  const CRow* const rows = measured ? p.measured.rows.data() : nullptr;
  const ScratchBytes need = c.scratch(extent, sizeof(T));
  const Memory zeroed(need.zeroed, 0), plain(need.plain, left_over), persistent(need.persistent, 0);
  const Scratch scratch{zeroed.data(), plain.data(), persistent.data()};
  for (std::size_t n = 0; n + 1 < cuts.size(); n++) {
    const std::int64_t first = cuts[n], last = cuts[n + 1];
    const auto from = static_cast<std::size_t>(p.expected.row_ptr[static_cast<std::size_t>(first)]);
    const std::size_t count = static_cast<std::size_t>(p.expected.row_ptr[static_cast<std::size_t>(last)]) - from;
    std::vector<std::int64_t> counted(p.measured.rows.size(), -1), nnz = counted;
    std::vector<std::int32_t> col(count + kWriteSlack, -7);
    std::vector<T> val(count + kWriteSlack, T{-7});
    c.symbolic({.a = p.a,
                .b = p.b,
                .rows = p.measured.rows.data(),
                .b_run = p.measured.b->run.data(),
                .extent = extent,
                .scratch = scratch,
                .first = first,
                .last = last,
                .nnz = counted.data()});
    if (!zeroed.all_zero()) return "the symbolic kernel leaves its scratch not zero";
    const std::int64_t written = c.numeric.of<T>()({.a = p.a,
                                                    .b = p.b,
                                                    .rows = rows,
                                                    .b_run = measured ? p.measured.b->run.data() : nullptr,
                                                    .extent = extent,
                                                    .scratch = scratch,
                                                    .first = first,
                                                    .last = last,
                                                    .nnz = nnz.data(),
                                                    .col = col.data(),
                                                    .val = val.data(),
                                                    .streamed = streamed});
    if (!zeroed.all_zero()) return "the numeric kernel leaves its scratch not zero";
    if (written != static_cast<std::int64_t>(count)) return "wrote " + std::to_string(written) + " entries";
    for (std::size_t i = 0; i < nnz.size(); i++) {
      const bool mine = static_cast<std::int64_t>(i) >= first && static_cast<std::int64_t>(i) < last;
      const std::int64_t want = mine ? p.expected.row_ptr[i + 1] - p.expected.row_ptr[i] : -1;
      if (nnz[i] != want) return "numeric nnz of row " + std::to_string(i) + " is " + std::to_string(nnz[i]);
      if (counted[i] != want) return "symbolic nnz of row " + std::to_string(i) + " is " + std::to_string(counted[i]);
    }
    for (std::size_t k = 0; k < count; k++)
      if (col[k] != p.expected.col[from + k] || !same_bits(val[k], p.expected.val[from + k]))
        return "entry " + std::to_string(from + k) + " is wrong: column " + std::to_string(col[k]) + " for " +
               std::to_string(p.expected.col[from + k]) + ", value " + std::to_string(val[k]) + " for " +
               std::to_string(p.expected.val[from + k]);
  }
  return "";
}

/// All rows at once.
template <class T>
std::string kernel_fault(const Candidate& c, const Problem<T>& p) {
  return kernel_fault(c, p, {0, p.a.rows});
}

}  // namespace rowan::test
