#pragma once
// Stacks, and switching between them (Boost.Context's raw form: Debian's has no ucontext, which sanitizers would need).
#include <cstdint>
#include <new>
#include <vector>

#include <boost/context/detail/fcontext.hpp>
#include <sys/mman.h>

#include "lib/device/emulated/address_sanitizer.hpp"
#include "lib/device/runtime/backend.hpp"

namespace rowan::device::inline ROWAN_BACKEND::emulator {

/// Stacks of one size, used again. One page below each stays unmapped: an overflow is a fault, not a mystery.
class Stacks {
 public:
  explicit Stacks(std::size_t bytes) : bytes_(bytes) {}
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks() {
    for (char* s : all_) {
      unpoison(s, bytes_);  // or whatever is mapped there next would be out of bounds
      munmap(s - kPage, bytes_ + kPage);
    }
  }
  [[nodiscard]] char* take() {
    if (free_.empty()) {
      void* raw =
          mmap(nullptr, bytes_ + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (raw == MAP_FAILED) throw std::bad_alloc();
      mprotect(raw, kPage, PROT_NONE);
      all_.push_back(static_cast<char*>(raw) + kPage);
      free_.push_back(all_.back());
    }
    char* stack = free_.back();
    free_.pop_back();
    unpoison(stack, bytes_);  // an abandoned fiber leaves its frames' red zones behind
    return stack;
  }
  void give_back(char* stack) { free_.push_back(stack); }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  static constexpr std::size_t kPage = 4096;
  std::size_t bytes_;
  std::vector<char*> all_, free_;
};

/// A function on a stack of its own that is entered and left by turns.
class Fiber {
 public:
  using Entry = void (*)();
  void start(char* stack, std::size_t bytes, Entry entry) {
    stack_ = stack, bytes_ = bytes, entry_ = entry;
    // Stacks lie a multiple of a page apart: did all begin at their end, their frames would share a few sets of the
    // cache.
    constexpr std::size_t kLine = 64, kBeginnings = 48, kPage = 4096;
    const std::size_t lower = reinterpret_cast<std::uintptr_t>(stack) / kPage % kBeginnings * kLine;
    context_ = boost::context::detail::make_fcontext(stack + bytes - lower, bytes - lower, begin);
  }
  /// From the scheduler: runs until the fiber leaves.
  void enter() {
    void* kept = nullptr;
    stack_leave(&kept, stack_, bytes_);
    context_ = boost::context::detail::jump_fcontext(context_, this).fctx;
    stack_arrive(kept, nullptr, nullptr);
  }
  /// From inside the fiber: back to the scheduler; does not return where `last`.
  void leave(bool last) {
    void* kept = nullptr;
    stack_leave(last ? nullptr : &kept, home_bottom_, home_bytes_);
    home_ = boost::context::detail::jump_fcontext(home_, nullptr).fctx;
    stack_arrive(kept, &home_bottom_, &home_bytes_);
  }
  /// Fetches what entering reads first: the registers and the innermost frames.
  void prefetch() const noexcept {
    const auto* const top = static_cast<const char*>(context_);
    for (int line = 0; line < 4; line++) __builtin_prefetch(top + std::size_t{64} * static_cast<unsigned>(line));
  }
  [[nodiscard]] bool holds(const void* address) const noexcept {
    return address >= stack_ && address < stack_ + bytes_;
  }
  [[nodiscard]] char* stack() const noexcept { return stack_; }

 private:
  static void begin(boost::context::detail::transfer_t from) {
    auto* self = static_cast<Fiber*>(from.data);
    self->home_ = from.fctx;
    stack_arrive(nullptr, &self->home_bottom_, &self->home_bytes_);
    self->entry_();
  }
  boost::context::detail::fcontext_t context_{}, home_{};
  char* stack_ = nullptr;
  std::size_t bytes_ = 0;
  Entry entry_ = nullptr;
  const void* home_bottom_ = nullptr;
  std::size_t home_bytes_ = 0;
};

}  // namespace rowan::device::inline ROWAN_BACKEND::emulator
