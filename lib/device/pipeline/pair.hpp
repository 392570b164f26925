#pragma once
// A and B of the host's in device memory, with a stream of their own: what plans and inspections have in
// common.
#include <memory>

#include "lib/core/parallel.hpp"
#include "lib/device/pipeline/transfer.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

template <class T>
class Pair {
 public:
  /// Copies patterns and values. `same`: A and B are one matrix.
  Pair(std::shared_ptr<Engine> engine, const Operand<T>& a, const Operand<T>& b, bool same)
      : engine_(std::move(engine)),
        staging_(engine_->pool(), Team().size()),
        a_(engine_->pool(), a, staging_, stream_.get()) {
    if (!same) b_.emplace(engine_->pool(), b, staging_, stream_.get());
    copy_values(a.val, b.val);
    wait();  // the host's arrays may go
  }
  void copy_values(const T* a, const T* b) {
    a_.copy_values(a, staging_, stream());
    if (b_) b_->copy_values(b, staging_, stream());
  }
  /// To the host's memory; complete after wait().
  void copy_down(T* to, const T* from, std::int64_t n) { staging_.down(to, from, n, stream()); }
  void wait() const { check(hipStreamSynchronize(stream()), "waiting for the device"); }

  [[nodiscard]] Engine& engine() const noexcept { return *engine_; }
  [[nodiscard]] const std::shared_ptr<Engine>& shared_engine() const noexcept { return engine_; }
  [[nodiscard]] hipStream_t stream() const noexcept { return stream_.get(); }
  [[nodiscard]] Resident<T> a() const noexcept { return a_.resident(); }
  [[nodiscard]] Resident<T> b() const noexcept { return b_ ? b_->resident() : a(); }
  [[nodiscard]] std::int64_t bytes() const noexcept { return a_.bytes() + (b_ ? b_->bytes() : 0); }

 private:
  std::shared_ptr<Engine> engine_;
  OwnStream stream_;  // outlives what was taken on it
  Staging staging_;
  Uploaded<T> a_;
  std::optional<Uploaded<T>> b_;
};

/// An array of the device's on the host; waits.
template <class V>
[[nodiscard]] Array<V> fetched(const V* from, std::int64_t n, hipStream_t stream) {
  Array<V> to(n);
  copy_down(to.data(), from, n, stream);
  check(hipStreamSynchronize(stream), "copying to the host");
  return to;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
