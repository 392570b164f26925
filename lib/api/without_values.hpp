#pragma once
// Patterns where the library wants matrices: with zeros that no thin product reads.
#include <algorithm>

#include <rowan/pattern.hpp>

namespace rowan {

/// Views of A and B, of one matrix where both patterns are one. One array of zeros serves both.
struct WithoutValues {
  WithoutValues(const PatternView& of_a, const PatternView& of_b)
      : zeros(Array<float>::zeroed(std::max(of_a.nnz(), of_b.nnz()))), a(view(of_a)), b(view(of_b)) {}
  WithoutValues(const WithoutValues&) = delete;
  WithoutValues& operator=(const WithoutValues&) = delete;

  Array<float> zeros;
  CsrView<float> a, b;

 private:
  [[nodiscard]] CsrView<float> view(const PatternView& p) const noexcept {
    return {.rows = p.rows,
            .cols = p.cols,
            .row_ptr = p.row_ptr,
            .col = p.col,
            .val = zeros.span().first(p.col.size()),
            .transposed = p.transposed};
  }
};

}  // namespace rowan
