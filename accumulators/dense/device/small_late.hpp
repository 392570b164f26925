#pragma once
// Late rows of small products (dense/device/small.cpp), with more products than a few lanes hold: a group of 32 lanes
// has one, or the block. They are gathered twice, to be counted and to be written.
#include "accumulators/common/device/gather.hpp"
#include "accumulators/dense/device/small_rows.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense::small {

/// Products of a row, by a group.
__device__ inline std::int64_t products_of(const Lanes& group, const Pattern& a, const std::int64_t* b_ptr,
                                           std::int64_t row) {
  std::int64_t products = 0;
  for (std::int64_t k = a.ptr[row] + group.rank(); k < a.ptr[row + 1]; k += group.size()) {
    const std::int64_t j = a.col[k];
    products += b_ptr[j + 1] - b_ptr[j];
  }
  return group.sum(products);
}

/// Late rows that groups have, one each; row < 0: none. All lanes of the wave together.
template <class T>
class LateOfGroup {
 public:
  __device__ LateOfGroup(const Small<T>& p, const TwoLevels& bits) : p_(p), bits_(bits) {}

  /// Whether a bitmap of all columns fits, without a top level.
  [[nodiscard]] static __device__ bool is_flat(int top_words) { return top_words * kBits <= kGroupWords; }

  /// The row's entries; afterwards the bitmap holds it.
  __device__ int count(std::int64_t row) {
    const int l = simt::lane() & (kGroup - 1);
    const bool flat = is_flat(p_.top_words);
    const Mask wave = simt::wave_mask();
    int words = p_.top_words * kBits;
    if (!flat) {
      for (int w = l; w < p_.top_words; w += kGroup) bits_.top[w] = 0;
      simt::sync_wave(wave);
      columns(row, [&](Column c) { bits_.mark_top(c); });
      simt::sync_wave(wave);
      words = rank_in_pieces(bits_.top, bits_.top_rank, p_.top_words, l, kGroup);
    }
    for (int w = l; w < words; w += kGroup) bits_.words[w] = 0;
    simt::sync_wave(wave);
    columns(row, [&](Column c) { mark(bits_.words, flat ? c : bits_.bit(c)); });
    simt::sync_wave(wave);
    const int entries = rank_in_pieces(bits_.words, bits_.rank, words, l, kGroup);
    simt::sync_wave(wave);
    held_ = row;
    return entries;
  }

  /// The bitmap's memory was used for something else.
  __device__ void forget() { held_ = -2; }

  /// The row's entries, into C from `to` on.
  __device__ void write(std::int64_t row, std::int64_t to, int entries) {
    const int l = simt::lane() & (kGroup - 1);
    const Mask wave = simt::wave_mask();
    if (simt::ballot(wave, held_ != row) != 0) (void)count(row);
    if (row >= 0) write_columns(l, to);
    for (int k = l; k < entries; k += kGroup) p_.val[to + k] = T{0};
    simt::sync_wave(wave);
    const bool flat = is_flat(p_.top_words);
    gather_together<kGroup, kAhead, true>(
        p_.a.col, p_.a.val, p_.b.ptr, begin(row), end(row),
        [&](std::int64_t at, T scale) {
          return Made<T>{p_.b.col[at], scale * p_.b.val[at]};
        },
        [&](bool has, int, const Made<T>& made) {
          const Column c = made.column;
          const int at = has ? rank_of(bits_.words, bits_.rank, flat ? c : bits_.bit(c)) : kNoPlace;
          if (p_.in_order) {
            add_same(wave, has ? place_in_wave<kGroup>(at) : kNoPlace, made.product, p_.val + to + at);
            simt::sync_wave(wave);
          } else if (has) {
            simt::atomic_add(p_.val + to + at, made.product);
          }
        });
    simt::sync_wave(wave);  // the bitmap may go
  }

 private:
  __device__ std::int64_t begin(std::int64_t row) const { return row < 0 ? 0 : p_.a.ptr[row]; }
  __device__ std::int64_t end(std::int64_t row) const { return row < 0 ? 0 : p_.a.ptr[row + 1]; }
  template <class F>
  __device__ void columns(std::int64_t row, const F& f) const {
    gather_together<kGroup, kAhead, true, NoValue>(
        p_.a.col, nullptr, p_.b.ptr, begin(row), end(row), [&](std::int64_t at, NoValue) { return p_.b.col[at]; },
        [&](bool has, int, Column c) {
          if (has) f(c);
        });
  }
  __device__ void write_columns(int l, std::int64_t to) const {
    const auto write_word = [&](int w, int first) {
      dense::write_columns(bits_.words[w], first, p_.col + to + bits_.rank[w]);
    };
    if (is_flat(p_.top_words)) {
      for (int w = l; w < p_.top_words * kBits; w += kGroup) write_word(w, w * kBits);
      return;
    }
    for (int t = l; t < p_.top_words; t += kGroup) {
      int w = bits_.top_rank[t];
      for (unsigned left = bits_.top[t]; left != 0; left &= left - 1)
        write_word(w++, (t * kBits + __ffs(left) - 1) * kBits);
    }
  }

  const Small<T>& p_;
  TwoLevels bits_;
  std::int64_t held_ = -1;  // the row that the bitmap holds
};

/// A late row that the block has: a bitmap of all columns, a thread's words follow each other. Sums are in C: a block's
/// additions to one sum wait longer for each other in shared memory (H100: 969 products of one entry 300 us for 110).
/// In order they are in what the bitmap leaves of its memory, where there is room.
template <class T>
class LateOfBlock {
 public:
  __device__ LateOfBlock(const Small<T>& p, const WholeBlock& block, const TwoLevels& late, int* before,
                         const OrderedProducts<T>& ordered)
      : p_(p),
        block_(block),
        words_(p.top_words * kBits),
        bits_(late.words),
        within_(late.rank),
        before_(before),
        ordered_(ordered) {
    while (kThreads << each_ < words_) each_++;
  }

  __device__ int count(std::int64_t row) {
    for (int w = block_.rank(); w < words_; w += kThreads) bits_[w] = 0;
    block_.sync();
    gather_together<kGroup, kAhead, true, NoValue>(
        p_.a.col, nullptr, p_.b.ptr, p_.a.ptr[row], p_.a.ptr[row + 1],
        [&](std::int64_t at, NoValue) { return p_.b.col[at]; },
        [&](bool has, int, Column c) {
          if (has && (simt::load_relaxed(bits_ + c / kBits) & bit_of(c)) == 0) mark(bits_, c);
        },
        of_group_, kGroups);
    block_.sync();
    int mine = 0;
    for (int w = block_.rank() << each_; w < (block_.rank() + 1) << each_ && w < words_; w++) {
      within_[w] = static_cast<Rank>(mine);
      mine += __popc(bits_[w]);
    }
    before_[block_.rank()] = block_.exclusive_sum(mine, entries_);
    block_.sync();
    held_ = row;
    return entries_;
  }

  __device__ void write(std::int64_t row, std::int64_t to) {
    if (held_ != row) (void)count(row);
    write_bitmap(
        block_, bits_, words_, entries_, 0, [&](int w) { return rank(w); }, p_.col + to);
    constexpr int kWordsASum = static_cast<int>(sizeof(T) / sizeof(unsigned));
    const bool near = p_.in_order && entries_ * kWordsASum <= p_.late_words - words_;
    T* const sums = near ? reinterpret_cast<T*>(bits_ + words_) : p_.val + to;
    for (int k = block_.rank(); k < entries_; k += kThreads) sums[k] = T{0};
    block_.sync();
    const auto place_of = [&](Column c) { return before_[c / kBits >> each_] + rank_of(bits_, within_, c); };
    if (p_.in_order)
      add_in_order(block_, ordered_, p_.a, p_.b, {}, row, false, sums, place_of);
    else
      gather_together<kGroup, kAhead, true>(
          p_.a.col, p_.a.val, p_.b.ptr, p_.a.ptr[row], p_.a.ptr[row + 1],
          [&](std::int64_t at, T scale) {
            return Made<T>{p_.b.col[at], scale * p_.b.val[at]};
          },
          [&](bool has, int, const Made<T>& made) {
            if (has) simt::atomic_add(sums + place_of(made.column), made.product);
          },
          of_group_, kGroups);
    block_.sync();
    if (near) {
      for (int k = block_.rank(); k < entries_; k += kThreads) p_.val[to + k] = sums[k];
      block_.sync();  // the next row's are there
    }
  }

 private:
  __device__ int rank(int w) const { return before_[w >> each_] + within_[w]; }

  const Small<T>& p_;
  const WholeBlock& block_;
  int of_group_ = static_cast<int>(threadIdx.x) / kGroup;
  int words_, each_ = 0;  // a thread has 2^each_ of them
  unsigned* bits_;
  Rank* within_;
  int* before_;
  const OrderedProducts<T>& ordered_;
  std::int64_t held_ = -1;  // the row that the bitmap holds
  int entries_ = 0;         // of it
};

}  // namespace rowan::device::inline ROWAN_BACKEND::dense::small
