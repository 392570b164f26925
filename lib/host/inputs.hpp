#pragma once
// A and B inside the border: checked, not transposed, with 64-bit row pointers.
#include <optional>

#include "lib/core/hypersparse.hpp"
#include "lib/core/prepared.hpp"
#include "lib/host/budget.hpp"

namespace rowan {

/// Whether both views show one memory in one way.
template <class T>
[[nodiscard]] bool same_matrix(const CsrView<T>& a, const CsrView<T>& b) {
  return a.rows == b.rows && a.cols == b.cols && a.row_ptr.wide() == b.row_ptr.wide() &&
         a.row_ptr.narrow() == b.row_ptr.narrow() && a.col.data() == b.col.data() && a.val.data() == b.val.data() &&
         a.nnz() == b.nnz() && a.transposed == b.transposed;
}

/// Throws what validate() throws of A, or of B where it is another matrix.
template <class T>
void validate_both(const CsrView<T>& a, const CsrView<T>& b, const Team& team) {
  validate(a, "A", team);
  if (!same_matrix(a, b)) validate(b, "B", team);
}

/// Which rows kernels see.
enum class EmptyRows : std::uint8_t {
  keep,
  drop_many,  // a matrix with far more rows than entries comes without its empty ones
};

/// One matrix where the caller gave one twice, unless A's columns had to be renumbered.
template <class T>
class Inputs {
 public:
  /// Throws what validate() throws if `check`, Error{invalid_argument} where A and B do not fit together, and what
  /// Budget::hold throws before a copy is made that exceeds the budget (if there is one). What is held stays held.
  Inputs(const CsrView<T>& a, const CsrView<T>& b, bool check, const Team& team, Budget* budget = nullptr,
         EmptyRows empty_rows = EmptyRows::keep);
  /// Rows of another's A, as an A of their own, by its B; the other and the rows outlive this.
  Inputs(const Inputs& other, const Operand<T>& rows_of_a) noexcept
      : rows_(rows_of_a.rows), a_(&rows_of_a), b_(other.b_) {}
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  [[nodiscard]] const Operand<T>& a() const noexcept { return *a_; }
  [[nodiscard]] const Operand<T>& b() const noexcept { return *b_; }
  /// Rows of C. a() may have fewer.
  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
  /// Of the copies made.
  [[nodiscard]] std::int64_t bytes() const noexcept;
  /// C's row pointers from those of the rows of a().
  [[nodiscard]] Array<std::int64_t> row_pointers(Array<Offset> of_a) const;

 private:
  /// One operand, with or without its empty rows.
  struct Side {
    std::optional<Prepared<T>> whole = {};
    std::optional<NonEmptyRows<T>> kept = {};
    [[nodiscard]] const Operand<T>& operand() const noexcept { return kept ? kept->operand : whole->operand(); }
    [[nodiscard]] std::int64_t bytes() const noexcept { return kept ? kept->bytes() : whole ? whole->bytes() : 0; }
  };
  static void prepare(Side& side, const CsrView<T>& view, const char* name, const Team& team, Budget* budget,
                      EmptyRows empty_rows);

  std::int64_t rows_ = 0;
  Side left_, right_;                            // right_ is empty where both are one matrix
  std::optional<NonEmptyRows<T>> renumbered_a_;  // where B came without rows
  const Operand<T>* a_ = nullptr;
  const Operand<T>* b_ = nullptr;
};

}  // namespace rowan
