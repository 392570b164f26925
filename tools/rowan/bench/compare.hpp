#pragma once
// Whether a contestant computed the same C.
#include <string>
#include <vector>

#include "tools/rowan/bench/product.hpp"

namespace rowan::tool::bench {

/// How a contestant computes C.
struct Form {
  bool single = false;  // in single precision
  bool sorted = true;   // else the columns of a row may come in any order
};

/// What C = A*B is, and how far values may be from it.
class Expected {
 public:
  explicit Expected(const Product& product);

  [[nodiscard]] std::int64_t nnz() const { return c_.nnz(); }
  /// Compares what a contestant wrote to `file` (bench/peers/PROTOCOL.md), row by row: C is not held once more. Empty
  /// if it has the same pattern, but for entries that are zero and that some libraries leave out, and values within 2
  /// (k + 2) (eps |A||B| + s), k being the entries of A's row, eps and s the epsilon and the smallest normal number of
  /// double, or of float for a contestant that computed in single precision; else the first difference, or what is
  /// wrong with the file. (Smaller numbers have fewer digits, and a GPU's atomic additions of floats take them for 0.)
  [[nodiscard]] std::string difference(const std::string& file, const Form& form) const;

 private:
  Csr<double> c_;
  std::vector<float> magnitude_;   // |A||B|
  std::vector<double> roundings_;  // 2 (k + 2), of each row
};

}  // namespace rowan::tool::bench
