#pragma once
// Products as sets and the command line name them: "A" (A*A; of A*A' and A'*A the one with fewer products where A is
// not square), "A * B", "A * A'", "A' * A". Operands are files, or generated:SPEC.
#include <functional>
#include <string>
#include <vector>

#include <rowan/csr.hpp>

namespace rowan::tool::bench {

struct Product {
  std::string name;  // for reports: short
  Csr<double> a, b;  // as they are multiplied; rows' columns rise. b is empty where it is a
  bool square = false;

  [[nodiscard]] CsrView<double> view_b() const { return square ? a.view() : b.view(); }
};

/// Reads and transposes. `folder` is put before file names that are not there without it. Throws UsageError for text
/// that cannot be read as a product, and what reading throws.
[[nodiscard]] Product load_product(const std::string& text, const std::string& folder);

/// The lines of a set file, without comments and empty lines. Throws Error{io}.
[[nodiscard]] std::vector<std::string> read_set(const std::string& path);

/// Products of a multiplication.
[[nodiscard]] std::int64_t count_products(const CsrView<double>& a, const CsrView<double>& b);

}  // namespace rowan::tool::bench
