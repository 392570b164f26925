#pragma once
// What a multiply may hold and what it holds, in bytes.
#include "features/measure.hpp"
#include "lib/pipeline/room.hpp"
#include <rowan/options.hpp>

namespace rowan {

struct Budget {
  bool given = false;  // by the caller; else the machine's memory
  std::int64_t limit = 0;
  std::int64_t held = 0;    // beside C
  std::int64_t c = 0;       // of C
  std::int64_t needed = 0;  // to go on with one worker; told where that is too much

  /// `held` are the copies of the inputs.
  Budget(const Options& options, std::int64_t held);
  [[nodiscard]] std::int64_t spare() const noexcept { return limit - held - c; }
  /// Whether `bytes` more may be held, and at another time `before` in all.
  [[nodiscard]] bool fits(std::int64_t bytes, std::int64_t before = 0) noexcept {
    needed = std::max(before, held + c + bytes);
    return needed <= limit;
  }
  /// Throws Error{memory_limit}, or Error{out_of_memory} where the limit is the machine's.
  [[noreturn]] void refuse(std::int64_t nnz) const;
};

/// Of B's rows, while any row of A is multiplied.
[[nodiscard]] inline std::int64_t fact_bytes(const Pattern& b) {
  return b.rows * static_cast<std::int64_t>(sizeof(RowFacts) + sizeof(RowRun) + sizeof(std::uint8_t));
}

/// Of A's rows, while they are multiplied.
[[nodiscard]] inline std::int64_t feature_bytes(const Pattern& a, const Pattern& b) {
  return a.rows * static_cast<std::int64_t>(sizeof(RowWork) + sizeof(std::uint8_t)) + (a == b ? 0 : fact_bytes(a));
}

/// Of C with so many entries, while it is made.
template <class T>
[[nodiscard]] std::int64_t c_bytes(std::int64_t rows, std::int64_t entries) {
  return Room<T>::bytes(entries) + (rows + 1) * static_cast<std::int64_t>(sizeof(std::int64_t));
}

}  // namespace rowan
