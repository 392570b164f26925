#pragma once
// Device memory in the order of a stream: taken and given back without the host
// waiting.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/core/parked_threads.hpp"
#include "lib/device/runtime/kept_blocks.hpp"
#include "lib/device/runtime/launch_words.hpp"
#include "lib/device/runtime/runtime.hpp"
#include <rowan/device.hpp>

namespace rowan::device::inline ROWAN_BACKEND {

/// Streams beside the caller's, each of higher priority than the next as far as the device has as many, and events that
/// order them (fork.hpp).
struct SideStreams {
  static constexpr int kCount = 5;
  hipStream_t stream[kCount];
  hipEvent_t begin, done[kCount];
};

/// The memory of one context: freed blocks stay with it for the next multiply, whole (kept_blocks.hpp); its side
/// streams too. Any number of threads and streams.
class Pool {
 public:
  explicit Pool(int device, const DeviceAllocator& allocator = {});
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Throws Error{out_of_memory}.
  [[nodiscard]] void* take(std::size_t bytes, hipStream_t stream);
  void give(void* p, std::size_t bytes, hipStream_t stream) noexcept;
  /// Lets kernels of another device read and write this device's memory; false where they cannot.
  [[nodiscard]] bool open_to(int other);
  /// Memory of the host that kernels may write to.
  [[nodiscard]] void* take_pinned(std::size_t bytes);
  void give_pinned(void* p, std::size_t bytes) noexcept;
  /// Sets of `count` words and more; all are zero but those that `used_count` says. They count as `count` words in use.
  [[nodiscard]] WordSets take_words(std::int64_t count, hipStream_t stream);
  /// `launched`: a launch that got them is in `stream`; else nobody knows what they hold.
  void give_words(const WordSets& sets, std::int64_t count, bool launched, hipStream_t stream) noexcept;
  /// Gives memory that is not in use back to the device. Waits for it.
  void trim();
  [[nodiscard]] SideStreams take_side_streams();
  void give_side_streams(const SideStreams& side) noexcept;

  [[nodiscard]] int device() const noexcept { return device_; }
  /// For copies and whatever else must run at the same time.
  [[nodiscard]] ParkedThreads& threads() noexcept { return threads_; }
  [[nodiscard]] std::int64_t in_use() const noexcept { return in_use_; }
  /// The most since the start, or the last restart_peak().
  [[nodiscard]] std::int64_t peak() const noexcept { return peak_; }
  void restart_peak() noexcept { peak_ = in_use_.load(); }

 private:
  void count_taken(std::size_t bytes) noexcept;
  [[nodiscard]] void* take_from_caller(std::size_t bytes, hipStream_t stream);
  [[nodiscard]] void* take_from_device(std::size_t bytes, hipStream_t stream);
  [[nodiscard]] hipError_t ask_device(void** p, std::size_t bytes, hipStream_t stream);
  void give_to_device(void* p, hipStream_t stream) noexcept;
  [[nodiscard]] void* take_kept(std::size_t bytes, hipStream_t stream);
  std::size_t give_back_kept(hipStream_t stream);
  [[nodiscard]] KeptBlocks& kept_like(std::size_t bytes) noexcept { return bytes < kLargeBlock ? small_ : large_; }
  [[nodiscard]] bool open_now(int other);
  void give_kept_words(hipStream_t stream);

  struct Pinned {
    void* p;
    std::size_t bytes;
  };
#if !defined(ROWAN_EMULATED)
  hipMemPool_t pool_ = nullptr;  // null where the runtime has none: blocks are
                                 // then taken and freed one by one
#endif
  const int device_;
  const DeviceAllocator allocator_;  // the caller's, where it has one
  std::atomic<std::int64_t> in_use_ = 0, peak_ = 0;
  std::mutex lock_;  // of what follows
  std::vector<Pinned> pinned_;
  std::vector<SideStreams> side_;
  std::map<int, bool> opened_;  // to other devices, or that cannot be
  // apart, so that none of many megabytes goes back because a few bytes are asked for
  KeptBlocks small_{[this](void* p, hipStream_t stream) { give_to_device(p, stream); }};
  KeptBlocks large_{[this](void* p, hipStream_t stream) { give_to_device(p, stream); }};
  KeptWords words_;
  std::unordered_map<void*, std::size_t> larger_;  // blocks in use that are larger than was asked for
  ParkedThreads threads_;
};

/// An array on the device; its memory goes back to the pool in the order of the
/// stream it was taken on.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(Pool& pool, std::int64_t n, hipStream_t stream) : pool_(&pool), stream_(stream), size_(n) {
    if (n != 0) data_ = static_cast<T*>(pool.take(bytes(), stream));
  }
  /// Memory that somebody else keeps.
  [[nodiscard]] static Buffer of_others(T* data, std::int64_t n) {
    Buffer b;
    b.data_ = data, b.size_ = n;
    return b;
  }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer(std::move(other)).swap(*this);
    return *this;
  }
  ~Buffer() {
    if (data_ != nullptr && pool_ != nullptr) pool_->give(data_, bytes(), stream_);
  }
  [[nodiscard]] T* data() const noexcept { return data_; }
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(size_) * sizeof(T); }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(pool_, other.pool_), std::swap(stream_, other.stream_);
    std::swap(data_, other.data_), std::swap(size_, other.size_);
  }
  Pool* pool_ = nullptr;
  hipStream_t stream_ = nullptr;
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

/// What f() returns; where the device or the host has not the memory, what is empty of that type.
template <class F>
[[nodiscard]] auto unless_out_of_memory(const F& f) -> decltype(f()) {
  try {
    return f();
  } catch (const Error& e) {
    if (e.code() != ErrorCode::out_of_memory) throw;
    return {};
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND
