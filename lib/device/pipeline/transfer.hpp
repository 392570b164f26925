#pragma once
// Copies between the host and devices, and among these.
#include "lib/backends/devices.hpp"
#include "lib/core/parallel.hpp"
#include "lib/device/pipeline/multiply.hpp"
#include "lib/device/pipeline/staging.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Puts a copy of n values into the stream.
template <class V>
void copy_down(V* to, const V* from, std::int64_t n, hipStream_t stream) {
  if (n <= 0) return;
  check(hipMemcpyAsync(to, from, static_cast<std::size_t>(n) * sizeof(V), hipMemcpyDeviceToHost, stream),
        "copying to the host");
}

template <class V>
void copy_up(V* to, const V* from, std::int64_t n, hipStream_t stream) {
  if (n <= 0) return;
  check(hipMemcpyAsync(to, from, static_cast<std::size_t>(n) * sizeof(V), hipMemcpyHostToDevice, stream),
        "copying to the device");
}

/// From the device's memory to the device's.
template <class V>
void copy_there(V* to, const V* from, std::int64_t n, hipStream_t stream) {
  if (n <= 0) return;
  check(hipMemcpyAsync(to, from, static_cast<std::size_t>(n) * sizeof(V), hipMemcpyDeviceToDevice, stream),
        "copying on the device");
}

/// A stream of its own for as long as it lives.
class OwnStream {
 public:
  OwnStream() { check(hipStreamCreateWithFlags(&stream_, hipStreamNonBlocking), "making a stream"); }
  ~OwnStream() { (void)hipStreamDestroy(stream_); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  [[nodiscard]] hipStream_t get() const noexcept { return stream_; }

 private:
  hipStream_t stream_ = nullptr;
};

/// Streams that go back to the pool, where nothing is under way in them.
class KeptStreams {
 public:
  explicit KeptStreams(Pool& pool) : pool_(pool), side_(pool.take_side_streams()) {}
  ~KeptStreams() { pool_.give_side_streams(side_); }
  KeptStreams(const KeptStreams&) = delete;
  KeptStreams& operator=(const KeptStreams&) = delete;
  [[nodiscard]] hipStream_t operator[](int k) const noexcept { return side_.stream[k]; }

 private:
  Pool& pool_;
  SideStreams side_;
};

/// What is put into `second` from now on comes after what is in `first`, of whatever device.
void order(hipStream_t first, hipStream_t second);

/// A mark in a stream that other devices' streams wait for, for as long as it lives. Made and recorded on the device of
/// the stream.
class Milestone {
 public:
  Milestone() { check(hipEventCreateWithFlags(&event_, hipEventDisableTiming), "making an event"); }
  ~Milestone() { (void)hipEventDestroy(event_); }
  Milestone(const Milestone&) = delete;
  Milestone& operator=(const Milestone&) = delete;
  void record(hipStream_t stream) { check(hipEventRecord(event_, stream), "recording an event"); }
  /// What is put into `stream` from now on comes after the mark.
  void before(hipStream_t stream) const { check(hipStreamWaitEvent(stream, event_, 0), "ordering streams"); }

 private:
  hipEvent_t event_ = nullptr;
};

/// One of `of` equal parts of every array.
struct EqualPart {
  int k = 0, of = 1;
  [[nodiscard]] std::int64_t begin(std::int64_t n) const noexcept {
    return n / of * k + std::min<std::int64_t>(n % of, k);
  }
  [[nodiscard]] std::int64_t end(std::int64_t n) const noexcept { return EqualPart{k + 1, of}.begin(n); }
};

/// Memory for a matrix of the host's, or some of its rows, on a device; its pattern is copied first, its values while
/// patterns are looked at.
template <class T>
class Uploaded {
 public:
  /// Only takes the memory.
  Uploaded(Pool& pool, const Operand<T>& host, hipStream_t stream);
  /// Copies the pattern.
  Uploaded(Pool& pool, const Operand<T>& host, Staging& staging, hipStream_t stream) : Uploaded(pool, host, stream) {
    copy_pattern(host, {}, staging, stream);
  }
  void copy_pattern(const Operand<T>& host, EqualPart part, Staging& staging, hipStream_t stream);
  /// `val`: of the host, as many as the pattern has entries.
  void copy_values(const T* val, EqualPart part, Staging& staging, hipStream_t stream);
  void copy_values(const T* val, Staging& staging, hipStream_t stream) { copy_values(val, {}, staging, stream); }
  /// The same from this device to another's memory; `stream` is of this device.
  void send_pattern(const Uploaded& to, EqualPart part, hipStream_t stream) const;
  void send_values(const Uploaded& to, EqualPart part, hipStream_t stream) const;

  [[nodiscard]] Resident<T> resident() const noexcept { return {device_, nnz_}; }
  [[nodiscard]] std::int64_t bytes() const noexcept;

 private:
  int ordinal_;
  Operand<T> device_;
  std::int64_t nnz_;
  Buffer<std::int64_t> ptr_;
  Buffer<Column> col_;
  Buffer<T> val_;
};

/// Measured by copies of some megabytes, up from memory in use and down to new memory.
[[nodiscard]] TransferSpeed transfer_speed(Engine& engine, const Team& team);

}  // namespace rowan::device::inline ROWAN_BACKEND
