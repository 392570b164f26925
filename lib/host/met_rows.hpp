#pragma once
// A few rows of a large B: batches of a graph's vertices, selections. To check all of B, and to widen its row pointers,
// would take far longer than the product, so the rows that A meets are copied and nothing else of B is read.
#include <optional>

#include "lib/core/parallel.hpp"
#include <rowan/csr.hpp>

namespace rowan {

template <class T>
class MetRows {
 public:
  /// Empty where A and B have products for a good part of B, an operand is to be transposed, or something is wrong with
  /// B: then B is prepared as a whole, or refused. Throws what validate() throws of A. O(nnz of A + products), O(1)
  /// where sizes say that it is no use.
  [[nodiscard]] static std::optional<MetRows> copied(const CsrView<T>& a, const CsrView<T>& b, bool check,
                                                     const Team& team);

  /// A, each entry's column being the entry's number.
  [[nodiscard]] CsrView<T> a() const noexcept;
  /// For each entry of A the row of B that it meets.
  [[nodiscard]] CsrView<T> b() const noexcept { return b_.view(); }
  [[nodiscard]] std::int64_t bytes() const noexcept;

 private:
  CsrView<T> given_a_;
  Array<Column> numbers_;
  Csr<T> b_;
};

}  // namespace rowan
