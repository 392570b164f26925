#include "tests/out_of_memory/failing_memory.hpp"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace rowan::test {
namespace {

using Which = FailingMemory::Which;

// what replaces operator new and what the linker wraps have no other way to be told
std::atomic<Which> g_which = Which::none;
std::atomic<std::int64_t> g_nth = 0, g_asked = 0, g_live = 0;

bool fails() {
  const std::int64_t mine = g_asked++;
  const Which which = g_which;
  if (which == Which::none || mine < g_nth || (which == Which::one && mine != g_nth)) return false;
  errno = ENOMEM;
  return true;
}

void* counted(void* block) {
  if (block != nullptr) g_live++;
  return block;
}

void discount(const void* block) {
  if (block != nullptr) g_live--;
}

}  // namespace

FailingMemory::FailingMemory(Which which, std::int64_t nth) {
  g_nth = nth, g_asked = 0, g_which = which;
}
FailingMemory::~FailingMemory() {
  g_which = Which::none;
}
std::int64_t FailingMemory::asked() const noexcept {
  return g_asked;
}
std::int64_t live_blocks() noexcept {
  return g_live;
}

extern "C" {
void* __real_malloc(std::size_t n);
void* __wrap_malloc(std::size_t n);
void* __wrap_malloc(std::size_t n) {
  return fails() ? nullptr : counted(__real_malloc(n));
}
void* __real_realloc(void* block, std::size_t n);
void* __wrap_realloc(void* block, std::size_t n);
void* __wrap_realloc(void* block, std::size_t n) {
  return fails() ? nullptr : __real_realloc(block, n);
}
void __real_free(void* block);
void __wrap_free(void* block);
void __wrap_free(void* block) {
  discount(block);
  __real_free(block);
}
void* __real_mmap(void* at, std::size_t n, int protection, int flags, int file, off_t offset);
void* __wrap_mmap(void* at, std::size_t n, int protection, int flags, int file, off_t offset);
void* __wrap_mmap(void* at, std::size_t n, int protection, int flags, int file, off_t offset) {
  return fails() ? MAP_FAILED : __real_mmap(at, n, protection, flags, file, offset);
}
void* __real_mremap(void* from, std::size_t n, std::size_t wanted, int flags, void* to);
void* __wrap_mremap(void* from, std::size_t n, std::size_t wanted, int flags, void* to);
void* __wrap_mremap(void* from, std::size_t n, std::size_t wanted, int flags, void* to) {
  return fails() ? MAP_FAILED : __real_mremap(from, n, wanted, flags, to);
}
}

}  // namespace rowan::test

void* operator new(std::size_t n) {
  if (rowan::test::fails()) throw std::bad_alloc();
  void* const block = rowan::test::__real_malloc(n == 0 ? 1 : n);
  if (block == nullptr) throw std::bad_alloc();
  return rowan::test::counted(block);
}
void* operator new[](std::size_t n) {
  return operator new(n);
}
void operator delete(void* block) noexcept {
  rowan::test::discount(block);
  rowan::test::__real_free(block);
}
void operator delete[](void* block) noexcept {
  operator delete(block);
}
void operator delete(void* block, std::size_t /*n*/) noexcept {
  operator delete(block);
}
void operator delete[](void* block, std::size_t /*n*/) noexcept {
  operator delete(block);
}
