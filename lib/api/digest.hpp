#pragma once
// Whether a pattern is the one that was planned. A plan follows its places without looking, so that another pattern
// would write outside of C: what tells them apart must hold against patterns that were made to look alike.
#include <array>
#include <cstddef>
#include <cstdint>

#include "lib/core/parallel.hpp"
#include "lib/core/pattern.hpp"
#include "lib/core/view.hpp"
#include <rowan/csr.hpp>

namespace rowan {

/// Bytes of a pattern that one digest stands for. Digests take 1/64 of the pattern's memory, a key as much as a block.
inline constexpr std::size_t kDigestBlock = 1024;

/// Random words, drawn for one plan and kept in it.
class DigestKey {
 public:
  static constexpr std::size_t kWords = kDigestBlock / sizeof(std::uint64_t);
  /// From the system's generator. Throws Error{unsupported} where it has none.
  [[nodiscard]] static DigestKey random();
  [[nodiscard]] const std::uint64_t* words() const noexcept { return words_.data(); }

 private:
  std::array<std::uint64_t, kWords> words_ = {};
};

/// The shape of a pattern and 128 bits for each block of its row pointers and columns. Another pattern, chosen without
/// knowing the key, matches with a probability of 2^-64 at most: NH with 64-bit words (Black, Halevi, Krawczyk,
/// Krovetz, Rogaway: UMAC, CRYPTO 1999, theorem 1). Reads rows + 1 pointers and nnz columns, whatever they hold.
/// O(rows + nnz), at about the speed of memory.
class PatternDigest {
 public:
  PatternDigest() = default;
  PatternDigest(const Pattern& m, std::int64_t nnz, const DigestKey& key, const Team& team);

  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::int64_t cols() const noexcept { return cols_; }
  [[nodiscard]] std::int64_t nnz() const noexcept { return nnz_; }
  /// `m` has as many pointers and columns as its rows and nnz() say.
  [[nodiscard]] bool matches(const Pattern& m, const DigestKey& key, const Team& team) const;
  /// Under the same key.
  [[nodiscard]] bool operator==(const PatternDigest& other) const noexcept;
  [[nodiscard]] std::int64_t bytes() const noexcept;

 private:
  struct BlockDigest {
    std::array<std::uint64_t, 2> bits;
    [[nodiscard]] bool operator==(const BlockDigest&) const = default;
  };
  [[nodiscard]] static BlockDigest of(const std::byte* data, std::size_t bytes, const DigestKey& key) noexcept;
  template <class F>
  void for_each_block(const Pattern& m, const Team& team, const F& f) const;

  std::int64_t rows_ = 0, cols_ = 0, nnz_ = 0;
  Array<BlockDigest> blocks_;  // of the row pointers, then of the columns
};

/// Whether the view's arrays have the planned sizes. Then they can be read, whatever they hold.
template <class T>
[[nodiscard]] bool sized_as(const CsrView<T>& view, const PatternDigest& planned) {
  return rows_of(view) == planned.rows() && cols_of(view) == planned.cols() && view.nnz() == planned.nnz() &&
         view.val.size() == view.col.size() && static_cast<std::int64_t>(view.row_ptr.size()) == view.rows + 1;
}

}  // namespace rowan
