#pragma once
// The border: callers' views become operands.
#include "lib/core/parallel.hpp"
#include "lib/core/pattern.hpp"
#include <rowan/csr.hpp>

namespace rowan {

/// A caller's view brought inside: checked if asked, transposed and widened where needed. Owns only what it had to
/// make.
template <class T>
class Prepared {
 public:
  Prepared(const CsrView<T>& view, const char* name, bool check, const Team& team);
  [[nodiscard]] const Operand<T>& operand() const noexcept { return operand_; }
  /// The matrix as a view that is not transposed: the caller's memory, or what was made of it.
  [[nodiscard]] CsrView<T> view() const noexcept { return view_; }
  /// Bytes that the constructor takes at most while it works.
  [[nodiscard]] static std::int64_t most_bytes(const CsrView<T>& view, const Team& team) noexcept;
  /// Bytes of the copies made.
  [[nodiscard]] std::int64_t bytes() const noexcept;

 private:
  Csr<T> turned_;
  CsrView<T> view_;
  Array<Offset> offsets_;
  Operand<T> operand_;
};

/// Whether a view comes inside as it is, without a copy.
template <class T>
[[nodiscard]] bool is_operand(const CsrView<T>& view) noexcept {
  return !view.transposed && view.row_ptr.wide() != nullptr;
}

/// What validate() says of a matrix's sizes: arrays are as long as they say. O(1).
template <class T>
void validate_sizes(const CsrView<T>& view, const char* name);

/// validate() with the caller's team.
template <class T>
void validate(const CsrView<T>& view, const char* name, const Team& team);

/// transpose() with the caller's team, of a view known to be valid; ignores `view.transposed`.
template <class T>
[[nodiscard]] Csr<T> transpose_stored(const CsrView<T>& view, const Team& team);

/// Counters that it takes while it works: one a column for each of its parts.
template <class T>
[[nodiscard]] std::int64_t transpose_counters(const CsrView<T>& view, const Team& team) noexcept;

}  // namespace rowan
