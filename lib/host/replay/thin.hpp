#pragma once
// Plans of thin products: made from patterns alone, without a feature pass, followed chunk by chunk.
#include <memory>
#include <mutex>
#include <optional>

#include "lib/host/chunks.hpp"
#include "lib/host/inputs.hpp"
#include "lib/host/replay/thin_kernels.hpp"
#include "lib/host/settings.hpp"

namespace rowan {

/// How a thin product's values are computed. The first execution needs nothing but C's pattern; the second one writes
/// down what later ones follow (thin_kernels.hpp), where the memory limit has room for it.
class ThinReplay {
 public:
  explicit ThinReplay(const std::vector<Chunk>& chunks);

  /// C's values. `row_ptr`, `col`: its pattern. Parallel by chunks; every row is written by one worker, in place.
  /// Several threads may run it at the same time. Throws Error{cancelled}.
  template <class T>
  void run(const Inputs<T>& in, const std::int64_t* row_ptr, const Column* col, T* val, const Settings& settings,
           const Team& team) const;

  /// More once a second execution has begun.
  [[nodiscard]] std::int64_t bytes() const;

 private:
  struct ThinChunk {
    std::int64_t first, last;  // rows
    std::int64_t products;
  };
  /// What chunks follow.
  struct Steps {
    struct OfChunk {
      replay::ThinForm form;
      std::int64_t begin;  // in bytes
    };
    std::vector<OfChunk> of_chunk;
    Array<std::byte> bytes;
  };
  struct Lazy {
    std::mutex lock;  // of both
    std::int64_t executions = 0;
    std::shared_ptr<const Steps> steps;  // null: not written yet, or no room
  };
  /// Empty where they do not fit `room` bytes.
  [[nodiscard]] std::shared_ptr<const Steps> write(const Pattern& a, const Pattern& b, const std::int64_t* row_ptr,
                                                   const Column* col, std::int64_t room, const Team& team) const;

  std::vector<ThinChunk> chunks_;
  std::int64_t products_ = 0;
  std::unique_ptr<Lazy> lazy_ = std::make_unique<Lazy>();
};

}  // namespace rowan
