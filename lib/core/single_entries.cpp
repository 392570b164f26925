#include "lib/core/single_entries.hpp"

#include <algorithm>

namespace rowan {
namespace {

constexpr std::int64_t kTogether = 64;  // rows or entries for which there is one branch

}  // namespace

bool has_single_entries(const Pattern& m) noexcept {
  if (m.nnz() > m.rows || m.nnz() == 0) return false;
  for (std::int64_t i = 0; i < m.rows; i += kTogether) {
    bool longer = false;
    for (std::int64_t r = i; r < std::min(i + kTogether, m.rows); r++) longer |= m.length(r) > 1;
    if (longer) return false;
  }
  return true;
}

SingleEntries single_entries(const Pattern& m) noexcept {
  if (!has_single_entries(m)) return SingleEntries::no;
  bool repeats = false;
  for (std::int64_t k = 1; k < m.nnz(); k += kTogether) {
    bool falls = false;
    for (std::int64_t e = k; e < std::min(k + kTogether, m.nnz()); e++)
      falls |= m.col[e] < m.col[e - 1], repeats |= m.col[e] == m.col[e - 1];
    if (falls) return SingleEntries::in_any_order;
  }
  return repeats ? SingleEntries::never_fall : SingleEntries::rise;
}

}  // namespace rowan
