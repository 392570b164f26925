#include "training/fingerprint.hpp"

#include <array>
#include <atomic>
#include <cstring>

namespace rowan {
namespace {

constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15U;
constexpr std::int64_t kBlock = 1 << 18;  // bytes a task

/// A multiplication carries to higher bits only, so the upper half is brought down again.
std::uint64_t step(std::uint64_t hash, std::uint64_t word) noexcept {
  hash = (hash ^ word) * kPrime;
  return hash ^ (hash >> 32);
}

/// Four chains together: each waits for its own multiplications only.
std::uint64_t hash_of(const std::byte* data, std::int64_t bytes, std::uint64_t seed) noexcept {
  std::array<std::uint64_t, 4> chain{seed, seed + 1, seed + 2, seed + 3};
  std::int64_t at = 0;
  for (; at + 32 <= bytes; at += 32) {
    std::array<std::uint64_t, 4> words;
    std::memcpy(words.data(), data + at, 32);
    for (std::size_t c = 0; c < 4; c++) chain[c] = step(chain[c], words[c]);
  }
  std::array<std::uint64_t, 4> rest{};
  if (at < bytes) std::memcpy(rest.data(), data + at, static_cast<std::size_t>(bytes - at));
  std::uint64_t hash = static_cast<std::uint64_t>(bytes);
  for (std::size_t c = 0; c < 4; c++) hash = step(hash, step(chain[c], rest[c]));
  return hash ^ (hash >> 29);
}

template <class V>
std::uint64_t hash_of(const V* values, std::int64_t n, std::uint64_t seed, const Team& team) {
  const auto* const data = reinterpret_cast<const std::byte*>(values);
  std::atomic<std::uint64_t> sum = 0;  // of the blocks' hashes, each with its position in it: in any order
  team.for_blocks(n * static_cast<std::int64_t>(sizeof(V)), kBlock, [&](std::int64_t from, std::int64_t to) {
    sum += hash_of(data + from, to - from, seed + static_cast<std::uint64_t>(from) * kPrime);
  });
  return sum;
}

}  // namespace

std::uint64_t fingerprint(const Pattern& m, std::int64_t nnz, const Team& team) {
  std::uint64_t hash = step(step(kPrime, static_cast<std::uint64_t>(m.rows)), static_cast<std::uint64_t>(m.cols));
  hash = step(hash, hash_of(m.ptr, m.rows + 1, 1, team));
  return step(hash, hash_of(m.col, nnz, 2, team));
}

}  // namespace rowan
