#pragma once
// What inspection and symbolic() ask: a product that is decided, and its size, without its values.
#include "lib/host/decided.hpp"
#include "lib/host/inputs.hpp"

namespace rowan {

template <class T>
struct SizedProduct {
  Budget budget;
  Inputs<T> in;
  Stats stats;
  Decided decided;  // both phases; the numeric one before C's rows were counted
  Array<Offset> row_ptr;

  /// `row_report`: bytes that the caller keeps for each row of C beside this. Throws what Inputs and Budget::refuse
  /// throw.
  SizedProduct(const CsrView<T>& a, const CsrView<T>& b, const Settings& settings, const Team& team,
               EmptyRows empty_rows = EmptyRows::keep, std::int64_t row_report = 0);

  [[nodiscard]] std::int64_t bytes_c() const;
};

}  // namespace rowan
