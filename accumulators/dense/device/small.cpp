// One kernel for a whole small product. What a block goes through with its tile of rows:
//   short rows   kLanes lanes a row: products are gathered once, into registers; a bitmap of their columns counts
//                them and says where each belongs; sums and columns are staged in shared memory
//   late rows    with more products than kLanes lanes hold: a group of 32 lanes a row, or the block where the row's
//                bitmap does not fit a group's; they are only counted
//   place        entries of the tiles before by look-back; row_ptr
//   write        what is staged goes to C; late rows are gathered again and summed there
// Most of the time of such a product is waiting: for the launch, four loads that depend on each other, the look-back.
#include "accumulators/dense/device/small.hpp"

#include <algorithm>

#include "accumulators/common/device/gather.hpp"
#include "accumulators/common/device/in_order.hpp"
#include "accumulators/common/device/look_back.hpp"
#include "accumulators/common/device/shape.hpp"
#include "accumulators/dense/device/bits.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {
namespace {

constexpr auto kShape = kShapes.small;
constexpr int kThreads = kShape.block;
constexpr int kHeld = kShape.products_a_lane;
constexpr int kGroup = 32, kGroups = kThreads / kGroup;  // that have late rows
constexpr int kGroupWords = kShape.late_words;           // of a group's bitmap that are in use, at most
constexpr int kBlockWords = kGroups * kGroupWords;       // of the block's
constexpr int kWordsAThread = kBlockWords / kThreads;
constexpr int kAhead = kShape.ahead;
constexpr int kTopBits = kBits * kBits;  // columns of a word of the top level
static_assert(kBlockWords * kBits >= kSmallColumns && kBlockWords % kThreads == 0);
// Words of a launch: the number of the next tile, whether one gave up, what is known of each.
constexpr int kNextTile = 0, kGaveUp = 1, kState = 2;
constexpr std::int64_t kGivenUp = kMostSmallEntries + 1;  // entries of a tile that is given up

constexpr int kPartInOrder = 128;  // a block's products that are ordered together (in_order.hpp)

using Rank = std::uint16_t;

/// rank[w]: bits in the words before w; returns all bits. By `lanes` lanes of a wave, of which this is the l-th, all
/// lanes of the wave together. Each takes words that follow each other, an odd number: they lie in different banks.
__device__ int rank_in_pieces(const unsigned* bits, Rank* rank, int words, int l, int lanes) {
  const int each = ((words + lanes - 1) / lanes) | 1;
  const int first = std::min(l * each, words), last = std::min(first + each, words);
  int found = 0;
  for (int w = first; w < last; w++) found += __popc(bits[w]);
  const Mask wave = simt::wave_mask();
  const int upto = simt::inclusive_sum(wave, found, lanes);
  int before = upto - found;
  for (int w = first; w < last; w++) {
    rank[w] = static_cast<Rank>(before);
    before += __popc(bits[w]);
  }
  return simt::shuffle(wave, upto, lanes - 1, lanes);
}

/// A row's columns in two levels: a bit for each word of 32 columns that has some, and those words, side by side.
struct TwoLevels {
  unsigned *top, *words;
  Rank *top_rank, *rank;

  __device__ void mark_top(int column) const { mark(top, column / kBits); }
  /// A column's bit in `words`.
  __device__ int bit(int column) const { return rank_of(top, top_rank, column / kBits) * kBits + column % kBits; }
};

/// A place that differs from those of the wave's other groups: all of them go together, a mask of each would take them
/// one after another (t60k in order 79 us for 72).
template <int kLanes>
__device__ int place_in_wave(int place) {
  return simt::lane() / kLanes << 16 | place;
}

/// Arrays in shared memory.
template <class T, int kLanes>
struct Stage {
  static constexpr int kRows = kThreads / kLanes, kSlots = kHeld * kLanes;
  static constexpr int kMemory = kRows * kSlots * static_cast<int>(sizeof(T) + sizeof(Column)) / 8;
  // of `sums` and `columns`, once these are written of ordered products
  std::int64_t* memory;
  T* sums;
  Column* columns;
  unsigned *top, *words, *late_top, *late_words;
  Rank *top_rank, *rank, *late_top_rank, *late_rank;

  __device__ Stage(simt::DynamicShared& shared, int top_words) {
    memory = shared.take<std::int64_t>(kMemory);
    sums = reinterpret_cast<T*>(memory);
    columns = reinterpret_cast<Column*>(sums + kRows * kSlots);
    top = shared.take<unsigned>(kRows * top_words);
    words = shared.take<unsigned>(kRows * kSlots);
    late_top = shared.take<unsigned>(kGroups * top_words);
    late_words = shared.take<unsigned>(kBlockWords);
    top_rank = shared.take<Rank>(kRows * top_words);
    rank = shared.take<Rank>(kRows * kSlots);
    late_top_rank = shared.take<Rank>(kGroups * top_words);
    late_rank = shared.take<Rank>(kBlockWords);
  }
  [[nodiscard]] static constexpr std::size_t bytes(int top_words) {
    const auto top_size = static_cast<std::size_t>((kRows + kGroups) * top_words);
    return kRows * kSlots * (sizeof(T) + sizeof(Column)) +
           (top_size + kRows * kSlots + kBlockWords) * (sizeof(unsigned) + sizeof(Rank));
  }
  /// Of the group's row.
  __device__ TwoLevels of_row(int row, int top_words) const {
    return {top + row * top_words, words + row * kSlots, top_rank + row * top_words, rank + row * kSlots};
  }
  __device__ TwoLevels of_late(int group, int top_words) const {
    return {late_top + group * top_words, late_words + group * kGroupWords, late_top_rank + group * top_words,
            late_rank + group * kGroupWords};
  }
};

template <class T>
struct Small {
  Operand<T> a, b;
  int top_words;  // that hold all columns of B
  bool in_order;
  std::int64_t* row_ptr;
  Column* col;
  T* val;
  std::int64_t capacity;
  unsigned long long* words;
  HostMailbox<SmallTold>::Sender told;
};

/// A product and its column.
template <class T>
struct Made {
  Column column;
  T product;
};

/// A lane's products of a short row, in registers.
template <class T>
struct HeldProducts {
  Held<int, kHeld> column;  // -1: none
  Held<T, kHeld> product;
};

/// The row's entries of A are [begin, end), at most kLanes; all its products into registers, position u * kLanes + l
/// into the u-th of lane l. Returns how many; none are taken where they are more than there is room for.
template <int kLanes, class T>
__device__ int hold(const Small<T>& p, std::int64_t begin, std::int64_t end, HeldProducts<T>& held) {
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  std::int64_t from = 0;
  int n = 0;
  T x{};
  if (begin + l < end) {
    const std::int64_t j = p.a.col[begin + l];
    x = p.a.val[begin + l];
    from = p.b.ptr[j];
    n = static_cast<int>(p.b.ptr[j + 1] - from);
  }
  const int upto = simt::inclusive_sum(wave, n, kLanes);
  int all = simt::shuffle(wave, upto, kLanes - 1, kLanes);
  from -= upto - n;
  if (end - begin > kLanes) all = kHeld * kLanes + 1;
  const int here = all <= kHeld * kLanes ? all : 0;
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++) {
    held.column[u] = -1;
    const int q = u * kLanes + l;
    if (simt::ballot(wave, u * kLanes < here) == 0) continue;
    int owner = 0;
    ROWAN_UNROLL
    for (int step = kLanes / 2; step > 0; step /= 2)
      if (simt::shuffle(wave, upto, owner + step - 1, kLanes) <= q) owner += step;
    const std::int64_t at = simt::shuffle(wave, from, owner, kLanes) + q;
    const T scale = simt::shuffle(wave, x, owner, kLanes);
    if (q >= here) continue;
    held.column[u] = p.b.col[at];
    held.product[u] = scale * p.b.val[at];
  }
  return all;
}

/// Sums and columns of a short row, staged; how many entries.
template <int kLanes, class T>
__device__ int stage_row(const HeldProducts<T>& held, const TwoLevels& bits, bool in_order, T* sums, Column* columns) {
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  int lo = INT32_MAX, hi = -1;
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++) {
    if (held.column[u] < 0) continue;
    lo = held.column[u] < lo ? held.column[u] : lo;
    hi = held.column[u] > hi ? held.column[u] : hi;
  }
  lo = simt::min(wave, lo, kLanes) / kBits * kBits;
  hi = simt::max(wave, hi, kLanes);
  const int top_words = hi < 0 ? 0 : (hi - lo) / kTopBits + 1;
  for (int w = l; w < top_words; w += kLanes) bits.top[w] = 0;
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++) bits.words[u * kLanes + l] = 0, sums[u * kLanes + l] = T{0};
  simt::sync_wave(wave);
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++)
    if (held.column[u] >= 0) bits.mark_top(held.column[u] - lo);
  simt::sync_wave(wave);
  const int in_use = rank_in_pieces(bits.top, bits.top_rank, top_words, l, kLanes);
  simt::sync_wave(wave);
  Held<int, kHeld> bit;
  unsigned owned = 0;  // columns that this lane is to store
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++) {
    bit[u] = 0;
    if (held.column[u] < 0) continue;
    bit[u] = bits.bit(held.column[u] - lo);
    if (mark(bits.words, bit[u])) owned |= 1U << u;
  }
  simt::sync_wave(wave);
  const int entries = rank_in_pieces(bits.words, bits.rank, in_use, l, kLanes);
  simt::sync_wave(wave);
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++) {
    const bool has = held.column[u] >= 0;
    const int at = has ? rank_of(bits.words, bits.rank, bit[u]) : 0;
    if ((owned >> u & 1U) != 0) columns[at] = held.column[u];
    if (in_order) {
      add_same(wave, has ? place_in_wave<kLanes>(at) : kNoPlace, held.product[u], sums + at);
      simt::sync_wave(wave);
    } else if (has) {
      simt::atomic_add(sums + at, held.product[u]);
    }
  }
  return entries;
}

/// Products of a row, by a group.
__device__ std::int64_t products_of(const Lanes& group, const Pattern& a, const std::int64_t* b_ptr, std::int64_t row) {
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
    gather_together<kGroup, kAhead>(
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
    gather<kGroup, kAhead, NoValue>(
        p_.a.col, nullptr, p_.b.ptr, begin(row), end(row), [&](std::int64_t at, NoValue) { return p_.b.col[at]; },
        [&](int, Column c) { f(c); });
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

/// A late row that the block has: a bitmap of all columns, a thread's words follow each other. In order the sums of
/// rows of few entries are in what the bitmap leaves of its memory, others as all do in any order in C.
template <class T>
class LateOfBlock {
 public:
  __device__ LateOfBlock(const Small<T>& p, const WholeBlock& block, unsigned* bits, Rank* within, int* before,
                         const OrderedProducts<T>& ordered)
      : p_(p), block_(block), bits_(bits), within_(within), before_(before), ordered_(ordered) {}

  __device__ int count(std::int64_t row) const {
    const int words = p_.top_words * kBits;
    for (int w = block_.rank(); w < words; w += kThreads) bits_[w] = 0;
    block_.sync();
    gather_together<kGroup, kAhead, NoValue>(
        p_.a.col, nullptr, p_.b.ptr, p_.a.ptr[row], p_.a.ptr[row + 1],
        [&](std::int64_t at, NoValue) { return p_.b.col[at]; },
        [&](bool has, int, Column c) {
          if (has) mark(bits_, c);
        },
        of_group_, kGroups);
    block_.sync();
    int mine = 0;
    for (int w = block_.rank() * kWordsAThread; w < (block_.rank() + 1) * kWordsAThread && w < words; w++) {
      within_[w] = static_cast<Rank>(mine);
      mine += __popc(bits_[w]);
    }
    int entries;
    before_[block_.rank()] = block_.exclusive_sum(mine, entries);
    block_.sync();
    return entries;
  }

  __device__ void write(std::int64_t row, std::int64_t to) const {
    const int entries = count(row);
    for (int w = block_.rank(); w < p_.top_words * kBits; w += kThreads)
      write_columns(bits_[w], w * kBits, p_.col + to + rank(w));
    const int words = p_.top_words * kBits;
    constexpr int kWordsASum = static_cast<int>(sizeof(T) / sizeof(unsigned));
    const bool near = p_.in_order && entries * kWordsASum <= kBlockWords - words;
    T* const sums = near ? reinterpret_cast<T*>(bits_ + words) : p_.val + to;
    for (int k = block_.rank(); k < entries; k += kThreads) sums[k] = T{0};
    block_.sync();
    const auto place_of = [&](Column c) { return before_[c / kBits / kWordsAThread] + rank_of(bits_, within_, c); };
    if (p_.in_order)
      add_in_order(block_, ordered_, p_.a, p_.b, row, false, sums, place_of);
    else
      gather_together<kGroup, kAhead>(
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
      for (int k = block_.rank(); k < entries; k += kThreads) p_.val[to + k] = sums[k];
      block_.sync();  // groups' bitmaps may be there
    }
  }

 private:
  __device__ int rank(int w) const { return before_[w / kWordsAThread] + within_[w]; }

  const Small<T>& p_;
  const WholeBlock& block_;
  int of_group_ = static_cast<int>(threadIdx.x) / kGroup;
  unsigned* bits_;
  Rank* within_;
  int* before_;
  const OrderedProducts<T>& ordered_;
};

/// A block a tile of kThreads / kLanes rows, kLanes lanes a row; the grid is as many tiles as there are. Shared memory:
/// Stage. Tiles are taken by number, as in one phase: those that one waits for have begun.
template <class T, int kLanes>
__global__ void __launch_bounds__(kThreads) whole_product(Small<T> p) {
  constexpr int kRows = kThreads / kLanes;
  simt::DynamicShared shared;
  const Stage<T, kLanes> stage(shared, p.top_words);
  const OrderedProducts<T> ordered(stage.memory, kPartInOrder);
  static_assert(OrderedProducts<T>::words(kPartInOrder) <= Stage<T, kLanes>::kMemory);
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  ROWAN_SHARED(int, before, kThreads);  // of the block's bitmap
  ROWAN_SHARED(int, count, kRows);      // entries of rows
  ROWAN_SHARED(std::int64_t, place, kRows);
  ROWAN_SHARED(int, late, kRows);      // rows of the tile
  ROWAN_SHARED(int, of_block, kRows);  // whether the block has late[k]
  ROWAN_SHARED(int, late_rows, 1);
  ROWAN_SHARED(int, block_rows, 1);
  ROWAN_SHARED(unsigned long long, late_products, 1);
  ROWAN_SHARED(unsigned long long, somebody_gave_up, 1);
  ROWAN_SHARED(std::int64_t, number, 1);
  const Mask wave = simt::wave_mask();
  const int mine = static_cast<int>(threadIdx.x) / kLanes, l = simt::lane() & (kLanes - 1);
  if (threadIdx.x == 0) {
    number[0] = static_cast<std::int64_t>(simt::atomic_add(p.words + kNextTile, 1ULL));
    late_rows[0] = block_rows[0] = 0;
    late_products[0] = 0;
  }
  __syncthreads();
  const std::int64_t tile = number[0], first = tile * kRows, row = first + mine;

  // short rows
  std::int64_t begin = 0, end = 0;
  if (row < p.a.rows) begin = p.a.ptr[row], end = p.a.ptr[row + 1];
  HeldProducts<T> held;
  const bool is_late = hold<kLanes>(p, begin, end, held) > kHeld * kLanes;
  T* const sums = stage.sums + mine * kHeld * kLanes;
  Column* const columns = stage.columns + mine * kHeld * kLanes;
  const int entries = stage_row<kLanes>(held, stage.of_row(mine, p.top_words), p.in_order, sums, columns);
  if (l == 0) {
    count[mine] = entries;
    if (is_late) late[simt::atomic_add(late_rows, 1)] = mine;
  }
  __syncthreads();

  // late rows: whose they are, then counted
  const WholeBlock block(scratch);
  const Lanes group(kGroup);
  const int of_group = static_cast<int>(threadIdx.x) / kGroup;
  LateOfGroup<T> by_group(p, stage.of_late(of_group, p.top_words));
  const LateOfBlock<T> by_block(p, block, stage.late_words, stage.late_rank, before, ordered);
  const int rows_late = late_rows[0];
  bool given_up = false;
  if (rows_late != 0) {
    if (threadIdx.x == 0) somebody_gave_up[0] = simt::load_published(p.words + kGaveUp);
    for (int k = of_group; k < rows_late; k += kGroups) {
      const std::int64_t products = products_of(group, p.a, p.b.ptr, first + late[k]);
      const std::int64_t most = LateOfGroup<T>::is_flat(p.top_words) ? kShape.most_of_group : kGroupWords;
      if (group.rank() != 0) continue;
      of_block[k] = products > most ? 1 : 0;
      if (products > most) simt::atomic_add(block_rows, 1);
      simt::atomic_add(late_products, static_cast<unsigned long long>(products));
    }
    __syncthreads();
    given_up = somebody_gave_up[0] != 0 || block_rows[0] > kShape.most_block_rows ||
               late_products[0] > static_cast<unsigned long long>(kShape.most_of_tile);
  }
  const auto by_groups = [&](const auto& f) {  // f(number of the row in the tile, or -1)
    for (int k = 0; k < rows_late; k += kGroups) {
      const int at = k + of_group;
      f(at < rows_late && of_block[at] == 0 ? late[at] : -1);
    }
  };
  if (rows_late != 0 && !given_up) {
    block.sync();  // somebody_gave_up is read
    if (block_rows[0] != 0)
      for (int k = 0; k < rows_late; k++) {
        if (of_block[k] == 0) continue;
        if (threadIdx.x == 0) somebody_gave_up[0] = simt::load_published(p.words + kGaveUp);
        block.sync();
        given_up = somebody_gave_up[0] != 0;
        if (given_up) break;
        const int found = by_block.count(first + late[k]);
        if (threadIdx.x == 0) count[late[k]] = found;
        block.sync();
      }
    if (!given_up)
      by_groups([&](int at) {
        const int found = by_group.count(at < 0 ? -1 : first + at);
        if (at >= 0 && group.rank() == 0) count[at] = found;
      });
    __syncthreads();
  }

  // place
  if (static_cast<int>(threadIdx.x) < simt::wave_width()) {
    const int lane = simt::lane();
    const std::int64_t of_lane = lane < kRows ? count[lane] : 0;
    const std::int64_t upto = simt::inclusive_sum(wave, of_lane, simt::wave_width());
    const std::int64_t all = given_up ? kGivenUp : simt::shuffle(wave, upto, simt::wave_width() - 1);
    if (given_up && lane == 0) simt::publish(p.words + kGaveUp, 1ULL);  // others need not count their late rows
    const std::int64_t tiles_before = entries_before(p.words + kState, tile, all);
    if (lane < kRows) {
      place[lane] = tiles_before + upto - of_lane;
      if (first + lane < p.a.rows) p.row_ptr[first + lane] = place[lane];
    }
    if (lane == 0) {
      number[0] = tiles_before + all;
      const bool last = first + kRows >= p.a.rows;
      if (last) p.row_ptr[p.a.rows] = tiles_before + all;
      // once: by the last tile, or before it by the first that gives up
      if ((last || given_up) && tiles_before < kGivenUp) p.told.post({tiles_before + all});
    }
  }
  __syncthreads();
  if (number[0] > p.capacity) return;

  // write
  for (int k = l; k < entries; k += kLanes) {
    p.col[place[mine] + k] = columns[k];
    p.val[place[mine] + k] = sums[k];
  }
  if (rows_late == 0) return;
  if (block_rows[0] != 0)
    for (int k = 0; k < rows_late; k++)
      if (of_block[k] != 0) by_block.write(first + late[k], place[late[k]]);
  if (block_rows[0] != 0) by_group.forget();
  by_groups([&](int at) { by_group.write(at < 0 ? -1 : first + at, at < 0 ? 0 : place[at], at < 0 ? 0 : count[at]); });
}

}  // namespace

std::int64_t small_words(std::int64_t rows, int lanes) {
  const std::int64_t of_tile = kThreads / lanes;
  return kState + (rows + of_tile - 1) / of_tile;
}

template <class T>
void small_product(const SmallLaunch<T>& l) {
  const int top_words = static_cast<int>((l.b.cols + kTopBits - 1) / kTopBits);
  const Small<T> p{l.a, l.b, top_words, l.in_order, l.row_ptr, l.col, l.val, l.capacity, l.words, l.told};
  const auto start = [&]<int kLanes>(std::integral_constant<int, kLanes>) {
    const Shape shape{.grid = small_words(l.a.rows, kLanes) - kState,
                      .block = kThreads,
                      .shared = Stage<T, kLanes>::bytes(top_words)};
    allow_shared(whole_product<T, kLanes>, shape.shared);
    launch(whole_product<T, kLanes>, shape, l.stream, p);
  };
  if (l.lanes == 8)
    start(std::integral_constant<int, 8>{});
  else if (l.lanes == 16)
    start(std::integral_constant<int, 16>{});
  else
    start(std::integral_constant<int, 32>{});
}

#define ROWAN_INSTANTIATE(T) template void small_product(const SmallLaunch<T>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
