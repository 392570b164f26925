#pragma once
// What is known of every byte that kernels may touch: does it belong to a variable, was it written, by whom and when.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lib/device/runtime/backend.hpp"

namespace rowan::device::inline ROWAN_BACKEND::emulator {

/// What a thread did to a word of memory, and when in its launch.
struct Touch {
  std::uint32_t releases = 0;  // of all blocks, that came before
  std::uint32_t block = 0;
  std::uint32_t epoch = 0;   // barriers that the block has passed
  std::uint32_t clock = 0;   // wave synchronisations that the lane has passed
  std::uint16_t thread = 0;  // blocks have up to 1024
  std::uint8_t bytes = 0;    // which of the word's four; none: no touch
  bool atomic = false;
};

/// Tells what surely happened before what a thread does now.
class Order {
 public:
  explicit Order(const Touch& now) : now_(now) {}
  [[nodiscard]] const Touch& now() const noexcept { return now_; }
  [[nodiscard]] bool before(const Touch& past) const {
    // most of what is asked for: the thread's own, or before a barrier
    return (past.block == now_.block && (past.epoch != now_.epoch || past.thread == now_.thread)) || seen(past);
  }

 protected:
  ~Order() = default;
  /// Of another thread of the block since its last barrier, or of another block.
  [[nodiscard]] virtual bool seen(const Touch& past) const = 0;

 private:
  Touch now_;
};

enum class Access : std::uint8_t { read, write, atomic };

/// What is wrong with an access: nothing where `what` is null. Of a race, who else is in it.
struct Trouble {
  const char* what = nullptr;
  bool race = false;
  std::uint32_t block = 0, thread = 0;
  explicit operator bool() const noexcept { return what != nullptr; }
  [[nodiscard]] std::string text() const;
};

/// One piece of memory, watched in words of four bytes.
class Shadow {
 public:
  /// Adds room for `bytes` bytes from `offset` on, that belong to a variable but hold nothing yet.
  void declare(std::size_t offset, std::size_t bytes);
  void mark_written(std::size_t offset, std::size_t bytes);
  /// Notes the access, by the thread that `order` is of. `launch`: its number, from 1 on; `wave_bits`: log2 of a wave's
  /// lanes. Millions a second: nothing is put into words here.
  [[nodiscard]] Trouble note(std::size_t offset, std::size_t bytes, Access access, std::uint32_t launch,
                             unsigned wave_bits, const Order& order);

 private:
  /// As large as a cache line: most of the emulator's time was waiting for them.
  struct alignas(64) ShadowWord {
    // Touches are of this launch (0: none), which knows nothing of those before. A launch of the same number is 16
    // million launches away.
    std::uint32_t launch : 24 = 0, live : 4 = 0, written : 4 = 0;  // marks: a bit a byte
    Touch write, read[2];  // two readers are remembered, of different waves where there are such
  };
  static_assert(sizeof(ShadowWord) == 64);
  /// 256 bytes of memory. Words, sixteen times as large, are made when the first of them is touched or only some are
  /// declared or written: copies of megabytes have none.
  struct ShadowPage {
    static constexpr std::size_t kWords = 64;
    std::vector<ShadowWord> words = {};
    bool live = false, written = false;  // all of it, while there are no words
  };
  [[nodiscard]] ShadowWord& word(std::size_t w);
  static void make_words(ShadowPage& page);
  /// Sets a mark of the bytes [offset, offset + bytes): whole pages' where they have no words, else of_word(word,
  /// mask).
  template <class OfWord>
  void mark(std::size_t offset, std::size_t bytes, bool ShadowPage::*of_page, const OfWord& of_word);
  static void remember_reader(ShadowWord& word, const Touch& touch, unsigned wave_bits, const Order& order);

  std::vector<ShadowPage> pages_;
};

/// Global memory of all devices: allocations with their shadows. Not locked: the emulator's lock protects it.
class Heap {
 public:
  /// `owner`: a device's number, or any other.
  [[nodiscard]] void* allocate(std::size_t bytes, int owner, bool watched);
  void release(void* address);
  void mark_written(const void* address, std::size_t bytes);
  [[nodiscard]] std::size_t bytes(int owner) const noexcept;
  [[nodiscard]] std::size_t count() const noexcept { return allocations_.size(); }

  struct Allocation {
    std::size_t bytes = 0;
    int owner = 0;
    Shadow shadow;
  };
  /// The allocation that holds all of [address, address + bytes), and the offset in it; null where there is none.
  [[nodiscard]] Allocation* find(const void* address, std::size_t bytes, std::size_t& offset);

 private:
  std::map<const char*, Allocation> allocations_;                          // by address
  std::map<const char*, Allocation>::iterator last_ = allocations_.end();  // found; most accesses are near the last
  std::map<int, std::size_t> bytes_;                                       // by owner
};

}  // namespace rowan::device::inline ROWAN_BACKEND::emulator
