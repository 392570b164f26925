#include "accumulators/dense/device/heavy.hpp"

#include "accumulators/common/device/shares.hpp"
#include "accumulators/dense/device/bits.hpp"
#include "accumulators/dense/device/heavy_narrow.hpp"
#include "lib/core/values.hpp"
#include "lib/device/simt/look_back.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {
namespace {

constexpr int kThreads = kShapes.heavy.block, kShortRowThreads = kShapes.heavy.small_block;
constexpr int kNextRow = 0, kState = 1;  // of HeavyRows::words
// A look-back adds up entries and products in one number.
constexpr int kProductBits = 31;
constexpr std::int64_t kProductsOf = (std::int64_t{1} << kProductBits) - 1;
static_assert(kMostShared <= kProductsOf);

/// A block a row, in the order in which blocks begin: its place among the heavy rows, its bitmap, still empty, its
/// entries and how many products are before each of them. Rows are mixed: the longest together add to the same columns
/// at the same time (ml_latest_small 404 us for 337). In shared memory what one wave finds out for all.
template <int kBlock>
__global__ void __launch_bounds__(kBlock) list_entries(Pattern a, Pattern b, RowList rows, const CRow* c_rows,
                                                       const std::int64_t* products, HeavyRows heavy) {
  constexpr int kEach = kShapes.heavy.entries_a_thread;  // loaded together
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  ROWAN_SHARED(std::int64_t, told, 3);
  const WholeBlock block(scratch);
  heavy.words.clear_used();
  if (heavy.cancelled) return;
  if (block.rank() < simt::wave_width()) {
    const std::int64_t mine =
        block.rank() == 0 ? static_cast<std::int64_t>(simt::atomic_add(heavy.words.zero + kNextRow, 1)) : 0;
    const std::int64_t number = simt::shuffle(simt::wave_mask(), mine, 0), row = rows.mixed(number);
    const std::int64_t before =
        entries_before(heavy.words.zero + kState, number, a.length(row) << kProductBits | products[row]);
    if (block.rank() == 0) told[0] = number, told[1] = before, told[2] = row;
  }
  block.sync();
  const std::int64_t number = told[0], row = told[2];
  for (std::int64_t k = block.rank(); k < heavy.size.groups; k += kBlock)
    heavy.group[number * heavy.size.groups + k] = BitGroup{};
  if (block.rank() == 0) heavy.row[number] = {static_cast<std::int32_t>(row), c_rows[row].lo};
  std::int64_t to = told[1] >> kProductBits;
  auto before = static_cast<std::int32_t>(told[1] & kProductsOf);
  const std::int64_t end = a.ptr[row + 1];
  const Mask wave = simt::wave_mask();
  const int width = simt::wave_width(), of_wave = block.rank() / width * width * kEach + simt::lane();
  for (std::int64_t base = a.ptr[row]; base < end; base += kEach * kBlock, to += kEach * kBlock) {
    // waves have entries that follow each other, lanes neighbours
    Held<std::int64_t, kEach> from;
    Held<int, kEach> n;
    ROWAN_UNROLL
    for (int u = 0; u < kEach; u++) {
      const std::int64_t k = base + of_wave + u * width;
      from[u] = k < end ? a.col[k] : -1;
    }
    ROWAN_UNROLL
    for (int u = 0; u < kEach; u++) {
      const std::int64_t j = from[u];
      from[u] = j < 0 ? 0 : b.ptr[j];
      n[u] = j < 0 ? 0 : static_cast<int>(b.ptr[j + 1] - from[u]);
    }
    int upto = 0;  // products of the wave
    ROWAN_UNROLL
    for (int u = 0; u < kEach; u++) {
      n[u] = upto + simt::inclusive_sum(wave, n[u], width);
      upto = simt::shuffle(wave, n[u], width - 1);
    }
    int found;
    const int before_lane = block.exclusive_sum(simt::lane() == 0 ? upto : 0, found);
    const int before_wave = before + simt::shuffle(wave, before_lane, 0);
    ROWAN_UNROLL
    for (int u = 0; u < kEach; u++) {
      const int left = simt::shuffle_up(wave, n[u], 1),
                last = u == 0 ? 0 : simt::shuffle(wave, n[u == 0 ? 0 : u - 1], width - 1);
      const std::int64_t e = to + of_wave + u * width, k = base + of_wave + u * width;
      if (k >= end) continue;
      heavy.before[e] = before_wave + (simt::lane() == 0 ? last : left);
      heavy.owner[e] = static_cast<std::int32_t>(number);
      heavy.entry[e] = {from[u], k};
      if (e == heavy.size.entries - 1) heavy.before[e + 1] = before_wave + n[u];
    }
    before += found;
  }
}

/// Blocks of equal shares of products.
__global__ void __launch_bounds__(kShareThreads) mark_columns(const Column* b_col, HeavyRows heavy) {
  if (heavy.cancelled) return;
  struct MarkedEntry {
    const Column* column;
    BitGroup* bitmap;
    Column lo;
  };
  struct Bit {
    unsigned* word;
    unsigned bit;
  };
  walk_share(
      heavy.products(),
      [&](std::int64_t e) {
        const std::int32_t owner = heavy.owner[e];
        return MarkedEntry{b_col + heavy.entry[e].from, heavy.group + owner * heavy.size.groups, heavy.row[owner].lo};
      },
      [](const MarkedEntry& entry, int i) {
        const InGroup at(entry.column[i] - entry.lo);
        return Bit{entry.bitmap[at.group].bits + at.word, at.bit};
      },
      [](const Bit& at) {
        if ((simt::load_relaxed(at.word) & at.bit) == 0) simt::atomic_or(at.word, at.bit);
      });
}

constexpr int kGroupsEach = 2;  // of a thread that ranks

/// A block a row: bits before each group, and the row's entries.
template <int kBlock>
__global__ void __launch_bounds__(kBlock) rank_groups(HeavyRows heavy, std::int64_t* nnz) {
  if (heavy.cancelled) return;
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  BitGroup* const group = heavy.group + static_cast<std::int64_t>(blockIdx.x) * heavy.size.groups;
  int upto = 0;
  for (std::int64_t base = 0; base < heavy.size.groups; base += kGroupsEach * kBlock) {
    const std::int64_t first = base + kGroupsEach * block.rank();
    Held<int, kGroupsEach> found;
    int mine = 0;
    ROWAN_UNROLL
    for (int u = 0; u < kGroupsEach; u++) {
      found[u] = 0;
      if (first + u >= heavy.size.groups) continue;
      const BitGroup g = group[first + u];
      for (const unsigned word : g.bits) found[u] += __popc(word);
      mine += found[u];
    }
    int all;
    int before = upto + block.exclusive_sum(mine, all);
    ROWAN_UNROLL
    for (int u = 0; u < kGroupsEach; u++) {
      if (first + u < heavy.size.groups) group[first + u].before = before;
      before += found[u];
    }
    upto += all;
  }
  if (block.rank() == 0) nnz[heavy.row[blockIdx.x].row] = upto;
}

constexpr int kWriteSteps = kShapes.heavy.write_steps;

/// Groups that a wave writes the columns of at a time, a lane a word.
__device__ inline int groups_of_wave() {
  return simt::wave_width() / BitGroup::kWords;
}

/// Columns of C, and its values at zero: `waves` of them have a row, each some of its groups, which it goes through
/// groups_of_wave() at a time. In shared memory the columns that a wave writes, so that it writes whole lines.
template <class T>
__global__ void __launch_bounds__(kThreads / 2)
    write_rows(HeavyRows heavy, int waves, const std::int64_t* row_ptr, Column* col, T* val) {
  if (heavy.cancelled) return;
  ROWAN_SHARED(Column, staged, kThreads / 2 * kBits);
  const Mask all = simt::wave_mask();
  const int width = simt::wave_width(), lane = simt::lane(), mine = static_cast<int>(threadIdx.x) / width;
  const std::int64_t wave = static_cast<std::int64_t>(blockIdx.x) * (kThreads / 2 / width) + mine;
  const std::int64_t number = wave / waves;
  if (number >= heavy.size.rows) return;
  const int part = static_cast<int>(wave - number * waves), w = lane % BitGroup::kWords;
  const BitGroup* const bitmap = heavy.group + number * heavy.size.groups;
  const HeavyRow row = heavy.row[number];
  const std::int64_t row_begin = row_ptr[row.row];
  Column* const stage = staged + mine * width * kBits;
  const int groups = static_cast<int>(heavy.size.groups), step = groups_of_wave();
  for (int first = part * kWriteSteps * step; first < groups && first < (part + 1) * kWriteSteps * step;
       first += step) {
    const int g = first + lane / BitGroup::kWords;
    unsigned word = 0;
    int before = 0;
    if (lane < step * BitGroup::kWords && g < groups) {
      const BitGroup group = bitmap[g];
      before = group.before;
      ROWAN_UNROLL
      for (int u = 0; u < BitGroup::kWords; u++) {
        if (u < w) before += static_cast<int>(__popc(group.bits[u]));
        if (u == w) word = group.bits[u];
      }
    }
    if (simt::ballot(all, word != 0) == 0) continue;
    const int start = simt::shuffle(all, before, 0), entries = simt::wave_sum(static_cast<int>(__popc(word)));
    if (word != 0) write_columns(word, row.lo + g * BitGroup::kColumns + w * kBits, stage + before - start);
    simt::sync_wave(all);
    const std::int64_t to = row_begin + start;
    for (int k = lane; k < entries; k += width) {
      col[to + k] = stage[k];
      val[to + k] = T{0};
    }
    simt::sync_wave(all);
  }
}

/// Blocks of equal shares of products: each is added where its column's rank says.
template <class T>
__global__ void __launch_bounds__(kShareThreads)
    add_products(Operand<T> a, Operand<T> b, HeavyRows heavy, const std::int64_t* row_ptr, T* val) {
  if (heavy.cancelled) return;
  struct AddedEntry {
    std::int64_t from;
    const BitGroup* bitmap;
    T* sums;
    T scale;
    Column lo;
  };
  struct AddedProduct {
    T* sum;
    T product;
  };
  walk_share(
      heavy.products(),
      [&](std::int64_t e) {
        const std::int32_t owner = heavy.owner[e];
        const HeavyRow row = heavy.row[owner];
        const HeavyEntry entry = heavy.entry[e];
        return AddedEntry{entry.from, heavy.group + owner * heavy.size.groups, val + row_ptr[row.row], a.val[entry.at],
                          row.lo};
      },
      [&](const AddedEntry& entry, int i) {
        const InGroup at(b.col[entry.from + i] - entry.lo);
        return AddedProduct{entry.sums + rank_in(entry.bitmap, at), entry.scale * b.val[entry.from + i]};
      },
      [](const AddedProduct& one) { simt::atomic_add(one.sum, one.product); });
}

}  // namespace

void count_heavy(const SymbolicLaunch& l) {
  const HeavyRows& heavy = l.heavy;
  // four steps of a small block for the longest row: with large ones most threads of 943 rows of 100 entries had none
  const bool are_short = l.extent.a_nnz_max <= 4 * kShortRowThreads * kShapes.heavy.entries_a_thread;
  launch(are_short ? list_entries<kShortRowThreads> : list_entries<kThreads>,
         {.grid = heavy.size.rows, .block = are_short ? kShortRowThreads : kThreads}, l.stream, l.a, l.b, l.rows,
         l.c_rows, l.nnz, heavy);
  if (is_narrow(l.extent.span_max, l.device.shared_limit))
    mark_narrow(l);
  else
    launch(mark_columns, {.grid = heavy.products().shares(), .block = kShareThreads}, l.stream, l.b.col, heavy);
  const bool short_bitmaps = heavy.size.groups <= kGroupsEach * kShortRowThreads;
  launch(short_bitmaps ? rank_groups<kShortRowThreads> : rank_groups<kThreads>,
         {.grid = heavy.size.rows, .block = short_bitmaps ? kShortRowThreads : kThreads}, l.stream, heavy, l.nnz);
}

template <class T>
void fill_heavy(const NumericLaunch<T>& l) {
  const HeavyRows& heavy = l.heavy;
  const int wave = l.device.wave, groups = kWriteSteps * (wave / BitGroup::kWords), waves_a_block = kThreads / 2 / wave;
  const auto waves = static_cast<int>((heavy.size.groups + groups - 1) / groups);
  launch(write_rows<T>, {.grid = (heavy.size.rows * waves + waves_a_block - 1) / waves_a_block, .block = kThreads / 2},
         l.stream, heavy, waves, l.row_ptr, l.col, l.val);
  if (l.in_order) return;
  if (is_narrow(l.extent.span_max, l.device.shared_limit) && add_narrow(l)) return;
  launch(add_products<T>, {.grid = heavy.products().shares(), .block = kShareThreads}, l.stream, l.a, l.b, heavy,
         l.row_ptr, l.val);
}

#define ROWAN_INSTANTIATE(T) template void fill_heavy(const NumericLaunch<T>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
