#pragma once
// The caller's matrices in device memory, as kernels take them.
#include <optional>

#include "lib/device/pipeline/multiply.hpp"
#include <rowan/device.hpp>

namespace rowan::device::inline ROWAN_BACKEND {

/// A copy of n elements in another type.
template <class To, class From>
[[nodiscard]] Buffer<To> converted(Pool& pool, const From* from, std::int64_t n, hipStream_t stream);

/// Throws Error{invalid_argument} or Error{overflow} for what the host can see of a view.
template <class T>
void check_view(const DeviceView<T>& m, const char* name);

/// A matrix with 64-bit row pointers and 32-bit columns: copies of what has another width.
template <class T>
class Brought {
 public:
  Brought(Pool& pool, const DeviceView<T>& m, hipStream_t stream);
  [[nodiscard]] const Resident<T>& resident() const noexcept { return resident_; }
  [[nodiscard]] std::int64_t bytes() const noexcept { return static_cast<std::int64_t>(ptr_.bytes() + col_.bytes()); }

 private:
  Buffer<std::int64_t> ptr_;
  Buffer<Column> col_;
  Resident<T> resident_;
};

/// A and B, which are one matrix where both views are of the same memory.
template <class T>
class BroughtPair {
 public:
  /// Throws as check_view(), and where sizes do not fit; with `validate` (which waits) also for row pointers and
  /// columns that are wrong.
  BroughtPair(Pool& pool, const DeviceView<T>& a, const DeviceView<T>& b, bool validate, hipStream_t stream);
  [[nodiscard]] const Resident<T>& a() const noexcept { return a_->resident(); }
  [[nodiscard]] const Resident<T>& b() const noexcept { return b_ ? b_->resident() : a(); }
  [[nodiscard]] std::int64_t bytes() const noexcept { return a_->bytes() + (b_ ? b_->bytes() : 0); }

 private:
  std::optional<Brought<T>> a_, b_;
};

/// 64 bits for a pattern, under a key: another one has them with a probability of about 2^-64.
struct PatternSum {
  std::uint64_t of[2];  // A and B
  friend bool operator==(const PatternSum&, const PatternSum&) = default;
};
/// Of two patterns; reads whatever row pointers and columns hold. Waits.
template <class T>
[[nodiscard]] PatternSum sum_patterns(Pool& pool, const Resident<T>& a, const Resident<T>& b, std::uint64_t key,
                                      hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
