#pragma once
/// \file
/// The memory of results: small blocks on the heap, those of 16 KiB and more in address ranges whose pages appear when
/// they are first written, so that a result can be reserved at its upper bound and cut to size afterwards.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include <rowan/export.hpp>

namespace rowan {

/// Memory that changes its owner: its owner calls `free(owner)` once, from any thread, when it is no longer in use.
/// Where `free` is null there is nothing to do.
struct OwnedMemory {
  void* data = nullptr;
  std::size_t bytes = 0;
  void (*free)(void* owner) noexcept = nullptr;
  void* owner = nullptr;
};

/// An owned, untyped, move-only piece of memory, aligned to a page when large.
class ROWAN_API Block {
 public:
  Block() = default;
  /// Uninitialised memory. Throws Error{out_of_memory}.
  explicit Block(std::size_t bytes);
  /// All-zero memory. Throws Error{out_of_memory}.
  [[nodiscard]] static Block zeroed(std::size_t bytes);
  /// As Block(bytes), but returns an empty block instead of throwing.
  [[nodiscard]] static Block try_reserve(std::size_t bytes) noexcept;
  /// Bytes of an open file as private memory: the file does not change when they are written. Empty where this is not
  /// possible, for example where `offset` is not a multiple of the page size. The file must not become shorter while
  /// the block lives.
  [[nodiscard]] static Block of_file(int file, std::size_t offset, std::size_t bytes) noexcept;
  /// Takes over a caller's memory, which is freed with the block. Throws Error{out_of_memory}, having freed it.
  [[nodiscard]] static Block adopt(const OwnedMemory& memory);
  /// Hands the memory over and is empty then. Throws Error{out_of_memory} and keeps it.
  [[nodiscard]] OwnedMemory release();
  Block(Block&& other) noexcept { swap(other); }
  Block& operator=(Block&& other) noexcept {
    Block(std::move(other)).swap(*this);
    return *this;
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block();

  /// Keeps the first `bytes` and their content, and gives the rest back; the address may change.
  void shrink(std::size_t bytes);

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  [[nodiscard]] static Block fresh(std::size_t bytes) noexcept;  // all zero; empty where there are no addresses
  void swap(Block& other) noexcept {
    std::swap(data_, other.data_), std::swap(size_, other.size_);
    std::swap(mapped_, other.mapped_), std::swap(touched_, other.touched_), std::swap(range_of_, other.range_of_);
    std::swap(owner_, other.owner_);
  }

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_ = 0;   // bytes of the address range, counted from data_; 0 for heap blocks
  std::size_t touched_ = 0;  // of these in the arena, about: had pages before the block was made
  enum class RangeOf : std::uint8_t { fresh, file, arena };
  RangeOf range_of_ = RangeOf::fresh;
  void* owner_ = nullptr;  // frees adopted memory; null: the block does
};

/// Pages of freed blocks of 16 KiB and more are kept for later ones, because new pages cost more than writing them: at
/// most an eighth of the machine's memory, for the whole process. This gives all that is kept back to the system.
ROWAN_API void release_memory() noexcept;

/// An owned array of trivial values. Elements are not initialised unless made by `zeroed`.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  template <std::integral I>
  explicit Array(I n) : block_(bytes_of(n)), size_(static_cast<std::size_t>(n)) {}
  Array(Block block, std::size_t n) : block_(std::move(block)), size_(n) {}
  template <std::integral I>
  [[nodiscard]] static Array zeroed(I n) {
    return Array(Block::zeroed(bytes_of(n)), static_cast<std::size_t>(n));
  }

  Array(Array&& other) noexcept : block_(std::move(other.block_)), size_(std::exchange(other.size_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    block_ = std::move(other.block_), size_ = std::exchange(other.size_, 0);
    return *this;
  }

  /// Takes over a caller's memory of whole elements; see Block::adopt.
  [[nodiscard]] static Array adopt(const OwnedMemory& memory) {
    return Array(Block::adopt(memory), memory.bytes / sizeof(T));
  }
  /// Hands the memory over and is empty then; see Block::release.
  [[nodiscard]] OwnedMemory release() {
    const OwnedMemory memory = block_.release();
    size_ = 0;
    return memory;
  }

  /// Keeps the first `n` elements and gives the rest of the memory back.
  template <std::integral I>
  void shrink(I n) {
    size_ = static_cast<std::size_t>(n), block_.shrink(size_ * sizeof(T));
  }

  [[nodiscard]] T* data() const noexcept { return reinterpret_cast<T*>(block_.data()); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  template <std::integral I>
  [[nodiscard]] T& operator[](I i) const noexcept {
    return data()[i];
  }
  [[nodiscard]] T* begin() const noexcept { return data(); }
  [[nodiscard]] T* end() const noexcept { return data() + size_; }
  [[nodiscard]] std::span<T> span() const noexcept { return {data(), size_}; }

 private:
  /// The largest size there is, which no machine has, where the size would not fit its type.
  template <std::integral I>
  [[nodiscard]] static constexpr std::size_t bytes_of(I n) noexcept {
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    return static_cast<std::size_t>(n) > kMost / sizeof(T) ? kMost : static_cast<std::size_t>(n) * sizeof(T);
  }

  Block block_;
  std::size_t size_ = 0;
};

}  // namespace rowan
