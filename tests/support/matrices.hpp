#pragma once
// The shapes that properties are tested on, each a pair of patterns made deterministically, and values to fill them.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rowan/csr.hpp>

namespace rowan::test {

/// Where entries are; rows need not be sorted and may hold a column twice.
struct Sparsity {
  std::int64_t rows = 0, cols = 0;
  std::vector<std::int64_t> ptr{0};
  std::vector<Column> col;

  [[nodiscard]] std::int64_t nnz() const { return ptr.back(); }
};

using Rows = std::vector<std::vector<std::int32_t>>;
[[nodiscard]] Sparsity from_rows(const Rows& rows, std::int64_t cols);

struct Shape {
  std::string name;
  Sparsity a;
  std::optional<Sparsity> b;  // none: the product is A A, of one view

  [[nodiscard]] const Sparsity& right() const { return b ? *b : a; }
};

/// Every shape that a small multiply can meet.
[[nodiscard]] const std::vector<Shape>& shapes();
/// Shapes with enough products for several workers.
[[nodiscard]] const std::vector<Shape>& large_shapes();
/// One of either, by name.
[[nodiscard]] const Shape& shape(std::string_view name);

enum class Values {
  integers,  // small, zeros among them: every sum is exact
  reals,     // of magnitudes that differ, so that the order of additions shows in the bits
  special,   // NaN, Inf, -0, subnormal and huge ones among reals
};
inline constexpr Values kAllValues[] = {Values::integers, Values::reals, Values::special};

template <class T>
struct Matrix {
  Sparsity pattern;
  std::vector<std::int32_t> narrow_ptr;
  std::vector<T> val;

  [[nodiscard]] CsrView<T> view() const {
    return {.rows = pattern.rows,
            .cols = pattern.cols,
            .row_ptr = std::span<const std::int64_t>(pattern.ptr),
            .col = pattern.col,
            .val = val};
  }
  /// With 32-bit row pointers.
  [[nodiscard]] CsrView<T> narrow_view() const {
    CsrView<T> v = view();
    v.row_ptr = std::span<const std::int32_t>(narrow_ptr);
    return v;
  }
};

template <class T>
[[nodiscard]] Matrix<T> filled(const Sparsity& pattern, Values values, std::uint64_t seed);

/// Both factors of a shape; b() is a()'s own view where the shape is a square.
template <class T>
class Factors {
 public:
  Factors(const Shape& shape, Values values) : a_(filled<T>(shape.a, values, 1)) {
    if (shape.b) b_ = filled<T>(*shape.b, values, 2);
  }
  [[nodiscard]] CsrView<T> a() const { return a_.view(); }
  [[nodiscard]] CsrView<T> b() const { return b_ ? b_->view() : a_.view(); }

 private:
  Matrix<T> a_;
  std::optional<Matrix<T>> b_;
};

}  // namespace rowan::test
