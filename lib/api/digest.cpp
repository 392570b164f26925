#include "lib/api/digest.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <unistd.h>

#include <rowan/error.hpp>

namespace rowan {
namespace {

__extension__ using Unsigned128 = unsigned __int128;

constexpr std::int64_t kBlocksATask = 256;  // 256 KiB: a task is long beside its start, short beside a matrix
constexpr std::size_t kPair = 2 * sizeof(std::uint64_t);
constexpr std::size_t kMostEntropy = 256;  // bytes a call of getentropy gives

constexpr std::int64_t blocks_of(std::int64_t bytes) {
  constexpr auto kBlock = static_cast<std::int64_t>(kDigestBlock);
  return (bytes + kBlock - 1) / kBlock;
}
constexpr std::int64_t pointer_bytes(std::int64_t rows) {
  return (rows + 1) * static_cast<std::int64_t>(sizeof(Offset));
}
constexpr std::int64_t column_bytes(std::int64_t nnz) {
  return nnz * static_cast<std::int64_t>(sizeof(Column));
}

}  // namespace

DigestKey DigestKey::random() {
  DigestKey key;
  auto* const bytes = reinterpret_cast<std::byte*>(key.words_.data());
  for (std::size_t at = 0; at < sizeof key.words_; at += kMostEntropy)
    if (getentropy(bytes + at, std::min(kMostEntropy, sizeof key.words_ - at)) != 0)
      throw Error(ErrorCode::unsupported,
                  "the system has no random numbers for a plan's key: " + std::generic_category().message(errno));
  return key;
}

PatternDigest::BlockDigest PatternDigest::of(const std::byte* data, std::size_t bytes, const DigestKey& key) noexcept {
  const std::uint64_t* k = key.words();
  Unsigned128 sum = 0;
  const auto add = [&](const std::byte* pair) {
    std::array<std::uint64_t, 2> word;
    std::memcpy(word.data(), pair, kPair);
    sum += Unsigned128{word[0] + k[0]} * (word[1] + k[1]);
    k += 2;
  };
  std::size_t at = 0;
  for (; at + kPair <= bytes; at += kPair) add(data + at);
  if (at < bytes) {  // zeros behind the last: blocks that are compared are equally long
    std::array<std::byte, kPair> rest{};
    std::memcpy(rest.data(), data + at, bytes - at);
    add(rest.data());
  }
  return {static_cast<std::uint64_t>(sum), static_cast<std::uint64_t>(sum >> 64)};
}

/// Calls f(block, data, bytes) for the blocks of the row pointers and of the columns.
template <class F>
void PatternDigest::for_each_block(const Pattern& m, const Team& team, const F& f) const {
  const auto of_array = [&](const void* array, std::int64_t bytes, std::int64_t first) {
    const auto* const data = static_cast<const std::byte*>(array);
    team.for_blocks(blocks_of(bytes), kBlocksATask, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t b = from; b < to; b++) {
        const std::int64_t at = b * static_cast<std::int64_t>(kDigestBlock);
        f(first + b, data + at, std::min(kDigestBlock, static_cast<std::size_t>(bytes - at)));
      }
    });
  };
  of_array(m.ptr, pointer_bytes(rows_), 0);
  of_array(m.col, column_bytes(nnz_), blocks_of(pointer_bytes(rows_)));
}

PatternDigest::PatternDigest(const Pattern& m, std::int64_t nnz, const DigestKey& key, const Team& team)
    : rows_(m.rows),
      cols_(m.cols),
      nnz_(nnz),
      blocks_(blocks_of(pointer_bytes(m.rows)) + blocks_of(column_bytes(nnz))) {
  for_each_block(m, team, [&](std::int64_t block, const std::byte* data, std::size_t bytes) {
    blocks_[block] = of(data, bytes, key);
  });
}

bool PatternDigest::matches(const Pattern& m, const DigestKey& key, const Team& team) const {
  if (m.rows != rows_ || m.cols != cols_) return false;
  std::atomic<bool> differ = false;
  for_each_block(m, team, [&](std::int64_t block, const std::byte* data, std::size_t bytes) {
    if (of(data, bytes, key) != blocks_[block]) differ = true;
  });
  return !differ;
}

bool PatternDigest::operator==(const PatternDigest& other) const noexcept {
  return rows_ == other.rows_ && cols_ == other.cols_ && nnz_ == other.nnz_ &&
         std::equal(blocks_.begin(), blocks_.end(), other.blocks_.begin(), other.blocks_.end());
}

std::int64_t PatternDigest::bytes() const noexcept {
  return static_cast<std::int64_t>(blocks_.size() * sizeof(BlockDigest));
}

}  // namespace rowan
