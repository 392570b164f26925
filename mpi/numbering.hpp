#pragma once
// Columns of the local B: names of columns become numbers without gaps, in their order.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include <rowan/csr.hpp>

namespace rowan::mpi {

/// Numbers [0, low) are columns below the own ones, [low, low + own) the own ones, the rest those above.
class ColumnNames {
 public:
  /// `received` has columns of rows of other processes, in any order and more than once; `named` those of own rows that
  /// are not own ones, rising. Own columns are [first, last) of `all`. O(received + named) where columns are not far
  /// more than that, else with a logarithm.
  template <class Wire>
  ColumnNames(std::span<const Wire> received, std::span<const std::int64_t> named, std::int64_t first,
              std::int64_t last, std::int64_t all)
      : first_(first), last_(last) {
    const auto is_other = [&](std::int64_t c) { return c < first || c >= last; };
    const auto words = static_cast<std::size_t>(all / kWord + 1);
    if (words <= kWordsAnEntry * (received.size() + named.size())) {
      bits_.assign(words, 0);
      const auto mark = [&](std::int64_t c) { bits_[word(c)] |= std::uint64_t{1} << (c % kWord); };
      for (const Wire c : received)
        if (is_other(c)) mark(c);
      for (const std::int64_t c : named) mark(c);
      before_.reserve(words);
      for (std::size_t w = 0; w < words; w++) {
        before_.push_back(static_cast<std::int64_t>(names_.size()));
        for (std::uint64_t left = bits_[w]; left != 0; left &= left - 1)
          names_.push_back(static_cast<std::int64_t>(w) * kWord + std::countr_zero(left));
      }
    } else {
      std::vector<std::int64_t> seen;
      std::ranges::copy_if(received, std::back_inserter(seen), is_other);
      std::ranges::sort(seen);
      seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
      std::ranges::set_union(seen, named, std::back_inserter(names_));
    }
    low_ = std::ranges::lower_bound(names_, first) - names_.begin();
  }

  /// Of others' columns, rising.
  [[nodiscard]] const std::vector<std::int64_t>& names() const noexcept { return names_; }
  /// How many of them lie below the own ones.
  [[nodiscard]] std::int64_t low() const noexcept { return low_; }

  /// The number of an own column, or of one that is in names().
  [[nodiscard]] Column operator()(std::int64_t c) const {
    if (c >= first_ && c < last_) return static_cast<Column>(c - first_ + low_);
    const std::int64_t k = position(c);
    return static_cast<Column>(k < low_ ? k : k + last_ - first_);
  }

 private:
  static constexpr std::int64_t kWord = 64;
  static constexpr std::size_t kWordsAnEntry = 4;  // to pass over a word costs less than to sort an entry
  static std::size_t word(std::int64_t c) { return static_cast<std::size_t>(c / kWord); }
  [[nodiscard]] std::int64_t position(std::int64_t c) const {
    if (bits_.empty()) return std::ranges::lower_bound(names_, c) - names_.begin();
    const std::uint64_t below = bits_[word(c)] & ((std::uint64_t{1} << (c % kWord)) - 1);
    return before_[word(c)] + std::popcount(below);
  }

  std::int64_t first_, last_, low_ = 0;
  std::vector<std::int64_t> names_ = {};
  std::vector<std::uint64_t> bits_ = {};   // a bit for each column, where there are not far more than entries
  std::vector<std::int64_t> before_ = {};  // names below each word's
};

}  // namespace rowan::mpi
