#include "lib/device/emulated/shadow.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "lib/device/emulated/address_sanitizer.hpp"

namespace rowan::device::inline ROWAN_BACKEND::emulator {
namespace {

constexpr std::size_t kRedZone = 64;  // bytes on either side of an allocation
constexpr std::size_t kWord = 4;

/// The bytes [offset, offset + bytes) as masks of words: calls f(word, mask of its bytes).
template <class F>
void for_words(std::size_t offset, std::size_t bytes, const F& f) {
  for (std::size_t at = offset; at < offset + bytes;) {
    const std::size_t first = at % kWord, n = std::min(kWord - first, offset + bytes - at);
    f(at / kWord, ((1U << n) - 1) << first);
    at += n;
  }
}

}  // namespace

Shadow::ShadowWord& Shadow::word(std::size_t w) {
  ShadowPage& page = pages_[w / ShadowPage::kWords];
  if (page.words.empty()) make_words(page);
  return page.words[w % ShadowPage::kWords];
}

void Shadow::make_words(ShadowPage& page) {
  constexpr std::uint32_t kAll = (1U << kWord) - 1;
  ShadowWord first;
  first.live = page.live ? kAll : 0, first.written = page.written ? kAll : 0;
  page.words.assign(ShadowPage::kWords, first);
}

template <class OfWord>
void Shadow::mark(std::size_t offset, std::size_t bytes, bool ShadowPage::*of_page, const OfWord& of_word) {
  constexpr std::size_t kPage = ShadowPage::kWords * kWord;
  for (std::size_t at = offset, end = offset + bytes; at < end;) {
    const std::size_t next = std::min(end, (at / kPage + 1) * kPage);
    ShadowPage& page = pages_[at / kPage];
    if (next - at == kPage && page.words.empty())
      page.*of_page = true;
    else
      for_words(at, next - at, [&](std::size_t w, unsigned mask) { of_word(word(w), mask); });
    at = next;
  }
}

void Shadow::declare(std::size_t offset, std::size_t bytes) {
  pages_.resize(std::max(pages_.size(), (offset + bytes) / (ShadowPage::kWords * kWord) + 1));
  mark(offset, bytes, &ShadowPage::live, [](ShadowWord& word, unsigned mask) { word.live |= mask & 0xf; });
}

void Shadow::mark_written(std::size_t offset, std::size_t bytes) {
  mark(offset, bytes, &ShadowPage::written, [](ShadowWord& word, unsigned mask) { word.written |= mask & 0xf; });
}

std::string Trouble::text() const {
  return race ? what + std::to_string(block) + ", thread " + std::to_string(thread) : what;
}

Trouble Shadow::note(std::size_t offset, std::size_t bytes, Access access, std::uint32_t launch, unsigned wave_bits,
                     const Order& order) {
  const bool atomic = access == Access::atomic, writes = access != Access::read;
  Trouble fault;
  for_words(offset, bytes, [&](std::size_t w, unsigned mask) {
    if (fault) return;
    if (w / ShadowPage::kWords >= pages_.size()) {
      fault.what = "out of bounds";
      return;
    }
    ShadowWord& word = this->word(w);
    if ((word.live & mask) != mask) {
      fault.what = "out of bounds";
      return;
    }
    const bool written = (word.written & mask) == mask;
    if (access != Access::write && !written) {
      fault.what = "read of what was never written";
      return;
    }
    if (constexpr std::uint32_t kNumber = (1U << 24) - 1; word.launch != (launch & kNumber)) {
      word.write.bytes = word.read[0].bytes = word.read[1].bytes = 0;
      word.launch = launch & kNumber;
    }
    const auto clashes = [&](const Touch& past) {
      return (past.bytes & mask) != 0 && !(past.atomic && atomic) && !order.before(past);
    };
    const Touch* other = clashes(word.write) ? &word.write : nullptr;
    if (writes)
      for (const Touch& reader : word.read)
        if (clashes(reader)) other = &reader;
    if (other != nullptr) {
      fault = {.what = "race with block ", .race = true, .block = other->block, .thread = other->thread};
      return;
    }
    if (!written) word.written |= mask & 0xf;
    Touch touch = order.now();
    touch.bytes = static_cast<std::uint8_t>(mask), touch.atomic = atomic;
    if (writes)
      word.write = touch;
    else
      remember_reader(word, touch, wave_bits, order);
  });
  return fault;
}

void Shadow::remember_reader(ShadowWord& word, const Touch& touch, unsigned wave_bits, const Order& order) {
  const Touch& last = word.read[0];
  const bool far = last.block != touch.block || last.thread >> wave_bits != touch.thread >> wave_bits;
  if (far || (last.thread != touch.thread && (word.read[1].bytes == 0 || order.before(word.read[1]))))
    word.read[1] = word.read[0];
  word.read[0] = touch;
}

void* Heap::allocate(std::size_t bytes, int owner, bool watched) {
  auto* raw = static_cast<char*>(std::malloc(bytes + 2 * kRedZone));
  if (raw == nullptr) throw std::bad_alloc();
  char* address = raw + kRedZone;
  poison(raw, kRedZone), poison(address + bytes, kRedZone);
  Allocation& a = allocations_[address];  // no other moves
  a.bytes = bytes, a.owner = owner, bytes_[owner] += bytes;
  if (watched) a.shadow.declare(0, bytes);
  return address;
}

void Heap::release(void* address) {
  const auto it = allocations_.find(static_cast<const char*>(address));
  char* raw = static_cast<char*>(address) - kRedZone;
  unpoison(raw, it->second.bytes + 2 * kRedZone);
  bytes_[it->second.owner] -= it->second.bytes;
  if (it == last_) last_ = allocations_.end();
  allocations_.erase(it);
  std::free(raw);
}

std::size_t Heap::bytes(int owner) const noexcept {
  const auto it = bytes_.find(owner);
  return it == bytes_.end() ? 0 : it->second;
}

Heap::Allocation* Heap::find(const void* address, std::size_t bytes, std::size_t& offset) {
  const auto* at = static_cast<const char*>(address);
  auto it = last_;
  if (it == allocations_.end() || at < it->first || at >= it->first + it->second.bytes) {
    it = allocations_.upper_bound(at);
    if (it == allocations_.begin()) return nullptr;
    last_ = --it;
  }
  if (at + bytes > it->first + it->second.bytes) return nullptr;
  offset = static_cast<std::size_t>(at - it->first);
  return &it->second;
}

void Heap::mark_written(const void* address, std::size_t bytes) {
  std::size_t offset = 0;
  if (Allocation* a = find(address, bytes, offset)) a->shadow.mark_written(offset, bytes);
}

}  // namespace rowan::device::inline ROWAN_BACKEND::emulator
