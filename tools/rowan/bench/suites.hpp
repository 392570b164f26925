#pragma once
// The matrices that papers measured, with the counts that they published for A*A.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rowan::tool::bench {

struct SuiteMatrix {
  const char* name;  // in the SuiteSparse collection
  std::int64_t rows, nnz, nprod, nnz_c;
};

/// "opsparse" (its Table 3, 26 matrices) or "nsparse" (its slides' table, 12 and 3 large). Throws UsageError for other
/// names.
[[nodiscard]] std::span<const SuiteMatrix> suite(const std::string& name);
[[nodiscard]] std::vector<std::string> suite_names();

/// The file of a matrix in a folder: NAME.mtx, .mtx.gz or .bin, or the same in a folder NAME, as SuiteSparse's archives
/// unpack; empty if there is none.
[[nodiscard]] std::string find_matrix(const std::string& folder, const std::string& name);

/// Empty if a matrix and its square have the published counts; else what differs.
[[nodiscard]] std::string difference(const SuiteMatrix& published, std::int64_t rows, std::int64_t nnz,
                                     std::int64_t nprod, std::int64_t nnz_c);

}  // namespace rowan::tool::bench
