#pragma once
// Products whose patterns are known: values are computed again and again, of matrices of the host's or the device's.
#include <mutex>

#include "lib/backends/devices.hpp"
#include "lib/device/pipeline/pair.hpp"
#include "lib/device/pipeline/product_list.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// A product that was made once, and its memory but for its values. Any number of threads and streams: one fill comes
/// after another.
template <class T>
class Planned {
 public:
  /// Throws where C does not fit the device, or `memory_limit` (0: none). `stream` outlives it.
  Planned(std::shared_ptr<Engine> engine, const Resident<T>& a, const Resident<T>& b, std::int64_t memory_limit,
          hipStream_t stream);
  ~Planned();
  Planned(const Planned&) = delete;
  Planned& operator=(const Planned&) = delete;

  /// Puts C's values for A's and B's, of the patterns that were planned, into the stream.
  void fill(const Resident<T>& a, const Resident<T>& b, T* val, hipStream_t stream);

  [[nodiscard]] Engine& engine() const noexcept { return *engine_; }
  [[nodiscard]] const std::shared_ptr<Engine>& shared_engine() const noexcept { return engine_; }
  [[nodiscard]] const Product<T>& c() const noexcept { return counted_->c; }
  [[nodiscard]] Method method() const noexcept { return counted_->method.method; }
  [[nodiscard]] std::int64_t nprod() const noexcept { return counted_->record->nprod(); }
  /// Products that are listed.
  [[nodiscard]] std::int64_t listed() const noexcept { return list_ ? list_->products : 0; }
  [[nodiscard]] std::int64_t bytes() const noexcept;

 private:
  std::shared_ptr<Engine> engine_;
  hipStream_t made_in_;
  hipEvent_t filled_ = nullptr;  // the last fill
  std::mutex lock_;              // of counted_, whose tables and columns every fill writes
  std::optional<CountedProduct<T>> counted_;
  std::optional<ProductList> list_;  // of the rows that are not in runs, where it pays and there is the memory
};

/// The pattern of A B, of which execute() computes values on the device.
template <class T>
[[nodiscard]] std::unique_ptr<const HostedPlan<T>> plan_on_host(std::shared_ptr<Pair<T>> pair,
                                                                std::int64_t memory_limit);

}  // namespace rowan::device::inline ROWAN_BACKEND
