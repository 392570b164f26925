#pragma once
// A plan's positions: written down once, followed at every execution.
#include "lib/host/decided.hpp"
#include "lib/host/inputs.hpp"

namespace rowan {

class Replay {
 public:
  /// The positions of the decided multiplication whose product has this pattern. Empty where they would take more than
  /// the budget's spare bytes.
  [[nodiscard]] static std::optional<Replay> make(const Pattern& a, const Pattern& b, const Measured& measured,
                                                  const std::int64_t* row_ptr, const Column* col, const Team& team,
                                                  Budget& budget);

  /// C's values. Parallel by chunks; every row is written by one worker, in place.
  template <class T>
  void run(const Inputs<T>& in, const Measured& measured, const std::int64_t* row_ptr, T* val, const Settings& settings,
           const Team& team) const;

  [[nodiscard]] std::int64_t bytes() const noexcept { return static_cast<std::int64_t>(positions_.size()); }

 private:
  struct ReplayChunk {
    std::int64_t first, last;  // rows
    std::int64_t begin;        // of its positions, in bytes
    bool narrow;               // 16 bits each, else 32
  };

  Replay() = default;

  std::vector<ReplayChunk> chunks_;
  Array<std::byte> positions_;
  std::int64_t run_entries_ = 0, run_a_entries_ = 0;  // of the longest rows of C and of A in a run
  Extent shifts_;                                     // of the rows in shift runs
};

}  // namespace rowan
