#pragma once
// C's pattern, as a plan owns it.
#include <span>

#include "lib/core/parallel.hpp"
#include <rowan/csr.hpp>

namespace rowan {

struct PlannedPattern {
  Array<std::int64_t> row_ptr = {};
  Array<Column> col = {};
  std::int64_t cols = 0;
  std::shared_ptr<const void> token = std::make_shared<char>();  // this plan's: a C that has it has the pattern

  [[nodiscard]] std::int64_t rows() const noexcept { return static_cast<std::int64_t>(row_ptr.size()) - 1; }
  [[nodiscard]] std::int64_t nnz() const noexcept { return static_cast<std::int64_t>(col.size()); }
  [[nodiscard]] std::int64_t bytes() const noexcept {
    return static_cast<std::int64_t>(row_ptr.size() * sizeof(std::int64_t) + col.size() * sizeof(Column));
  }

  void copy_of(std::span<const std::int64_t> pointers, std::span<const Column> columns);
  /// Of a C that was made with the plan.
  template <class T>
  void mark(Csr<T>& made) const {
    made.pattern_ = token;
  }
  /// Makes an empty C one of the planned pattern; throws Error{invalid_argument} where another C has not that pattern.
  /// A C that this plan has seen before is not looked at again: nobody may change its pattern since.
  template <class T>
  void give_to(Csr<T>& c, const Team& team) const;
  /// Throws Error{invalid_argument} where `val` has not as many values as C.
  void require_values(std::size_t val) const;
};

/// f(C), of an empty C so that it is made whole or not at all.
template <class T, class F>
void whole_or_not(Csr<T>& c, const F& f) {
  if (c.rows() != 0 || c.nnz() != 0) return f(c);
  Csr<T> made(0, c.cols(), {}, {}, {});
  f(made);
  c = std::move(made);
}

}  // namespace rowan
