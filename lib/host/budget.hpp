#pragma once
// What a multiply may hold and what it holds, in bytes.
#include <string>

#include "features/measure.hpp"
#include "lib/host/c_storage.hpp"
#include <rowan/options.hpp>

namespace rowan {

struct Budget {
  bool given = false;  // by the caller; else the machine's memory
  std::int64_t limit = 0;
  std::int64_t held = 0;        // beside C
  std::int64_t c = 0;           // of C
  std::int64_t work = 0;        // what was asked for last beside both, with one worker
  std::int64_t needed = 0;      // all three then; told where that is too much
  std::int64_t entries = 0;     // of C, at least
  bool entries_counted = true;  // that is how many there are

  explicit Budget(const Options& options, std::int64_t held_before = 0);
  [[nodiscard]] std::int64_t spare() const noexcept { return limit - held - c; }
  /// Whether `bytes` more may be held.
  [[nodiscard]] bool fits(std::int64_t bytes) noexcept {
    work = bytes, needed = held + c + bytes;
    return needed <= limit;
  }
  /// Throws as refuse() does where `bytes` more, for `what`, may not be held.
  void require(std::int64_t bytes, const std::string& what);
  /// Throws Error{memory_limit}, or Error{out_of_memory} where the limit is the machine's: how much is needed at least,
  /// and for what. `name`: of what is too large.
  [[noreturn]] void refuse(const std::string& name = "C") const;
};

/// Of B's rows, while any row of A is multiplied.
[[nodiscard]] inline std::int64_t fact_bytes(const Pattern& b) {
  return b.rows * static_cast<std::int64_t>(sizeof(BRow) + sizeof(RowRun) + sizeof(std::uint8_t));
}

/// Of A's rows, while they are multiplied. `block_of_b`: they are some of B's, of which the facts are known.
[[nodiscard]] inline std::int64_t feature_bytes(const Pattern& a, const Pattern& b, bool block_of_b = false) {
  return a.rows * static_cast<std::int64_t>(sizeof(CRow) + sizeof(std::uint8_t)) +
         (block_of_b || a == b ? 0 : fact_bytes(a));
}

/// Of C with so many entries, while it is made.
template <class T>
[[nodiscard]] std::int64_t c_bytes(std::int64_t rows, std::int64_t entries) {
  return CStorage<T>::bytes(entries) + (rows + 1) * static_cast<std::int64_t>(sizeof(std::int64_t));
}

}  // namespace rowan
