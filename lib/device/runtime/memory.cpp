#include "lib/device/runtime/memory.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace rowan::device::inline ROWAN_BACKEND {

Pool::Pool(int device, const DeviceAllocator& allocator) : device_(device), allocator_(allocator) {
  check(hipSetDevice(device), "choosing a device");
  if (allocator_.allocate) return;
#if !defined(ROWAN_EMULATED)
  int supported = 0;
  check(hipDeviceGetAttribute(&supported, hipDeviceAttributeMemoryPoolsSupported, device), "asking for memory pools");
  if (supported == 0) return;
  hipMemPoolProps wanted{};
  wanted.allocType = hipMemAllocationTypePinned;
  wanted.location.type = hipMemLocationTypeDevice;
  wanted.location.id = device;
  check(hipMemPoolCreate(&pool_, &wanted), "making a memory pool");
  std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();  // freed memory stays: the next
                                                                   // multiply wants it
  check(hipMemPoolSetAttribute(pool_, hipMemPoolAttrReleaseThreshold, &keep), "setting up a memory pool");
#endif
}

Pool::~Pool() {
  try {
    const CurrentDevice here(device_);  // whose default stream it is
    (void)give_back_kept(nullptr);
    give_kept_words(nullptr);
  } catch (const Error&) {
    (void)0;  // the runtime has ended, and the memory with it
  }
  for (const Pinned& block : pinned_) (void)hipHostFree(block.p);
  for (const SideStreams& side : side_) {
    for (int k = 0; k < SideStreams::kCount; k++)
      (void)hipStreamDestroy(side.stream[k]), (void)hipEventDestroy(side.done[k]);
    (void)hipEventDestroy(side.begin);
  }
#if !defined(ROWAN_EMULATED)
  if (pool_ != nullptr) (void)hipMemPoolDestroy(pool_);
#endif
}

void* Pool::take(std::size_t bytes, [[maybe_unused]] hipStream_t stream) {
  void* const p = allocator_.allocate ? take_from_caller(bytes, stream) : take_from_device(bytes, stream);
  count_taken(bytes);
  return p;
}

void Pool::count_taken(std::size_t bytes) noexcept {
  const std::int64_t now = in_use_ += static_cast<std::int64_t>(bytes);
  for (std::int64_t seen = peak_; now > seen && !peak_.compare_exchange_weak(seen, now);) {
  }
}

void* Pool::take_from_caller(std::size_t bytes, hipStream_t stream) {
  void* const p = allocator_.allocate(bytes, stream);
  if (p == nullptr)
    throw Error(ErrorCode::out_of_memory, "the caller's allocator has no " + std::to_string(bytes) + " bytes");
  return p;
}

hipError_t Pool::ask_device(void** p, std::size_t bytes, [[maybe_unused]] hipStream_t stream) {
#if !defined(ROWAN_EMULATED)
  const hipError_t status = pool_ != nullptr ? hipMallocFromPoolAsync(p, bytes, pool_, stream) : hipMalloc(p, bytes);
  if (status != hipSuccess) (void)hipGetLastError();  // it is told here; the next launch is not to blame
  return status;
#else
  return hipMalloc(p, bytes);
#endif
}

/// Null where none fits; then as much of what was kept goes back, so that keeping takes no more memory.
void* Pool::take_kept(std::size_t bytes, hipStream_t stream) {
  const std::lock_guard lock(lock_);
  KeptBlocks& kept = kept_like(bytes);
  const auto block = kept.take(bytes, stream);
  if (!block) {
    (void)kept.give_back(bytes, stream);
    return nullptr;
  }
  if (block->bytes != bytes) larger_[block->p] = block->bytes;
  return block->p;
}

/// All blocks, under the lock or where nobody else is left; returns how many bytes.
std::size_t Pool::give_back_kept(hipStream_t stream) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  return small_.give_back(kAll, stream) + large_.give_back(kAll, stream);
}

void* Pool::take_from_device(std::size_t bytes, hipStream_t stream) {
  if (bytes >= kLeastKept)
    if (void* const p = take_kept(bytes, stream)) return p;
  void* p = nullptr;
  hipError_t status = ask_device(&p, bytes, stream);
  if (status == hipErrorOutOfMemory) {
    const std::lock_guard lock(lock_);
    if (give_back_kept(stream) != 0) status = ask_device(&p, bytes, stream);
  }
  if (status != hipSuccess)
    throw Error(status == hipErrorOutOfMemory ? ErrorCode::out_of_memory : ErrorCode::device,
                "cannot allocate " + std::to_string(bytes) + " bytes on the device: " + hipGetErrorString(status));
  return p;
}

void Pool::give_to_device(void* p, [[maybe_unused]] hipStream_t stream) noexcept {
#if !defined(ROWAN_EMULATED)
  if (pool_ != nullptr) {
    (void)hipFreeAsync(p, stream);
    return;
  }
#endif
  (void)hipFree(p);
}

void Pool::give(void* p, std::size_t bytes, hipStream_t stream) noexcept {
  in_use_ -= static_cast<std::int64_t>(bytes);
  if (allocator_.allocate) {
    if (allocator_.free) allocator_.free(p, bytes, stream);
    return;
  }
  if (bytes >= kLeastKept) {
    const std::lock_guard lock(lock_);
    const auto larger = larger_.find(p);
    const std::size_t has = larger == larger_.end() ? bytes : larger->second;
    if (larger != larger_.end()) larger_.erase(larger);
    if (kept_like(has).keep({p, has}, stream)) return;
  }
  give_to_device(p, stream);
}

WordSets Pool::take_words(std::int64_t count, hipStream_t stream) {
  const auto counted = static_cast<std::size_t>(count) * sizeof(unsigned long long);
  {
    const std::lock_guard lock(lock_);
    if (const auto kept = words_.take(count, stream)) {
      count_taken(counted);
      return *kept;
    }
  }
  constexpr std::int64_t kLeast = 1024;
  WordSets sets{.capacity =
                    static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max(count, kLeast))))};
  void* const memory =
      allocator_.allocate ? take_from_caller(sets.bytes(), stream) : take_from_device(sets.bytes(), stream);
  sets.memory = static_cast<unsigned long long*>(memory);
  count_taken(counted);
  try {
    check(hipMemsetAsync(sets.memory, 0, sets.bytes(), stream), "clearing");
  } catch (const Error&) {
    give_words(sets, count, false, stream);
    throw;
  }
  return sets;
}

void Pool::give_words(const WordSets& sets, std::int64_t count, bool launched, hipStream_t stream) noexcept {
  in_use_ -= count * static_cast<std::int64_t>(sizeof *sets.memory);
  if (allocator_.allocate) {  // nothing of the caller's is kept
    if (allocator_.free) allocator_.free(sets.memory, sets.bytes(), stream);
    return;
  }
  const std::lock_guard lock(lock_);
  if (!launched || !words_.keep(sets, stream)) give_to_device(sets.memory, stream);
}

/// Under the lock, or where nobody else is left.
void Pool::give_kept_words(hipStream_t stream) {
  while (const auto kept = words_.take_any(stream)) give_to_device(kept->memory, stream);
}

void Pool::trim() {
  {
    const std::lock_guard lock(lock_);
    (void)give_back_kept(nullptr);
    give_kept_words(nullptr);
  }
#if !defined(ROWAN_EMULATED)
  if (pool_ == nullptr) return;
  check(hipDeviceSynchronize(), "waiting for the device");
  check(hipMemPoolTrimTo(pool_, 0), "giving memory back");
#endif
}

bool Pool::open_to(int other) {
  const std::lock_guard lock(lock_);
  if (const auto known = opened_.find(other); known != opened_.end()) return known->second;
  return opened_[other] = open_now(other);
}

#if defined(ROWAN_EMULATED)
bool Pool::open_now(int other) {
  return emulator::open_memory(device_, other);
}
#else
bool Pool::open_now(int other) {
  int can = 0;
  check(hipDeviceCanAccessPeer(&can, other, device_), "asking whether devices reach each other");
  if (can == 0) return false;
  {  // the caller's own memory; it may be open already
    const CurrentDevice there(other);
    if (hipDeviceEnablePeerAccess(device_, 0) != hipSuccess) (void)hipGetLastError();
  }
  if (pool_ == nullptr) return true;
  hipMemAccessDesc access{};
  access.location.type = hipMemLocationTypeDevice, access.location.id = other;
  access.flags = hipMemAccessFlagsProtReadWrite;
  check(hipMemPoolSetAccess(pool_, &access, 1), "opening memory to another device");
  return true;
}
#endif

void* Pool::take_pinned(std::size_t bytes) {
  {
    const std::lock_guard lock(lock_);
    const auto fits = std::find_if(pinned_.begin(), pinned_.end(), [=](const Pinned& b) { return b.bytes == bytes; });
    if (fits != pinned_.end()) {
      void* p = fits->p;
      *fits = pinned_.back();
      pinned_.pop_back();
      return p;
    }
  }
  void* p = nullptr;
  check(hipHostMalloc(&p, bytes, hipHostMallocCoherent), "allocating pinned memory");
  return p;
}

void Pool::give_pinned(void* p, std::size_t bytes) noexcept {
  const std::lock_guard lock(lock_);
  pinned_.push_back({p, bytes});
}

SideStreams Pool::take_side_streams() {
  {
    const std::lock_guard lock(lock_);
    if (!side_.empty()) {
      const SideStreams side = side_.back();
      side_.pop_back();
      return side;
    }
  }
  SideStreams side;
  check(hipEventCreateWithFlags(&side.begin, hipEventDisableTiming), "making an event");
  int least = 0, greatest = 0;  // a smaller number comes first
  check(hipDeviceGetStreamPriorityRange(&least, &greatest), "asking for priorities");
  for (int k = 0; k < SideStreams::kCount; k++) {
    constexpr int kPriorityOfOthers = 0;
    check(hipStreamCreateWithPriority(&side.stream[k], hipStreamNonBlocking, std::min(greatest + k, kPriorityOfOthers)),
          "making a stream");
    check(hipEventCreateWithFlags(&side.done[k], hipEventDisableTiming), "making an event");
  }
  return side;
}

void Pool::give_side_streams(const SideStreams& side) noexcept {
  const std::lock_guard lock(lock_);
  side_.push_back(side);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
