#pragma once
// Plans of thin products: made from patterns alone, without a feature pass, followed chunk by chunk.
#include <optional>

#include "lib/host/chunks.hpp"
#include "lib/host/inputs.hpp"
#include "lib/host/replay/thin_kernels.hpp"
#include "lib/host/settings.hpp"

namespace rowan {

/// For each product of a thin multiplication its sum, and for each entry of C the sum that it takes: 2 bytes each.
class ThinReplay {
 public:
  /// C's values. Parallel by chunks; every row is written by one worker, in place. Throws Error{cancelled}.
  template <class T>
  void run(const Inputs<T>& in, T* val, const Settings& settings, const Team& team) const;

  [[nodiscard]] std::int64_t bytes() const noexcept;

 private:
  friend class ThinPatternMaker;
  struct ThinChunk {
    std::int64_t first, last;     // rows
    std::int64_t product, entry;  // the first of each
  };
  std::vector<ThinChunk> chunks_;  // and one behind the last
  Array<replay::ThinPosition> position_of_, sum_of_;
  std::int64_t most_entries_ = 0;  // of a chunk
};

/// C's pattern, columns rising.
struct ThinPattern {
  Array<std::int64_t> row_ptr;
  Array<Column> col;
  ThinReplay replay;  // empty where it was not wanted
  std::int64_t nprod = 0;
};

/// The pattern of A B where the policy multiplies it without measuring rows (sampled.hpp), and what it takes to compute
/// its values, if wanted. Empty where rows are to be measured, where a row has too many products, and where the bytes
/// do not fit the budget. O(products + nnz(C) log(longest row)).
[[nodiscard]] std::optional<ThinPattern> thin_pattern_of(const Pattern& a, const Pattern& b, bool with_replay,
                                                         const Settings& settings, const Team& team, Budget& budget);

}  // namespace rowan
