// One kernel for a whole small product. What a block goes through with its tile of rows:
//   short rows   kLanes lanes a row: products are gathered once, into registers; a bitmap of their columns counts
//                them and says where each belongs; sums and columns are staged in shared memory (small_rows.hpp)
//   late rows    with more products than kLanes lanes hold: a group of 32 lanes a row, or the block where groups would
//                wait for that row, or its bitmap does not fit a group's; they are only counted (small_late.hpp)
//   place        entries of the tiles before by look-back; row_ptr
//   write        what is staged goes to C; late rows are gathered again and summed
// Most of the time of such a product is waiting: for the launch, four loads that depend on each other, the look-back.
#include "accumulators/dense/device/small.hpp"

#include "accumulators/common/device/shape.hpp"
#include "accumulators/dense/device/small_late.hpp"
#include "accumulators/dense/device/small_rows.hpp"
#include "lib/core/values.hpp"
#include "lib/device/simt/look_back.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {
namespace {

using namespace small;

// Words of a launch: the number of the next tile, whether one gave up, what they cost together, and the costliest, what
// is known of each.
constexpr int kNextTile = 0, kGaveUp = 1, kCost = 2, kCostliest = 3, kState = 4;
constexpr std::int64_t kGivenUp = kMostSmallEntries + 1;  // entries of a tile that is given up

/// A block a tile of p.tile_rows rows, kLanes lanes a row; the grid is as many tiles as there are. Shared memory:
/// Stage. Tiles are taken by number, as in one phase: those that one waits for have begun.
template <class T, int kLanes, int kHeld>
__global__ void __launch_bounds__(kThreads) whole_product(Small<T> p) {
  using Stage = small::Stage<T, kLanes, kHeld>;
  simt::DynamicShared shared;
  const Stage stage(shared, p);
  const OrderedProducts<T> ordered(stage.memory, kPartInOrder);
  static_assert(OrderedProducts<T>::words(kPartInOrder) <= Stage::kMemory);
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  ROWAN_SHARED(int, before, kThreads);     // of the block's bitmap
  ROWAN_SHARED(int, count, Stage::kRows);  // entries of rows; of late rows at first their products, where known
  ROWAN_SHARED(std::int64_t, place, Stage::kRows);
  ROWAN_SHARED(int, late, Stage::kRows);  // rows of the tile
  ROWAN_SHARED(int, cost, Stage::kRows);  // of late[k]; kOfBlock: the block has it
  ROWAN_SHARED(int, late_rows, 1);
  ROWAN_SHARED(int, block_rows, 1);
  ROWAN_SHARED(int, late_cost, 1);   // of all late rows
  ROWAN_SHARED(int, block_cost, 1);  // of those that the block has
  ROWAN_SHARED(int, group_cost, 1);  // of the costliest that a group has
  ROWAN_SHARED(unsigned long long, somebody_gave_up, 1);
  ROWAN_SHARED(std::int64_t, number, 1);
  const Mask wave = simt::wave_mask();
  const int mine = static_cast<int>(threadIdx.x) / kLanes, l = simt::lane() & (kLanes - 1);
  if (threadIdx.x == 0) {
    number[0] = static_cast<std::int64_t>(simt::atomic_add(p.words.zero + kNextTile, 1ULL));
    late_rows[0] = block_rows[0] = late_cost[0] = block_cost[0] = group_cost[0] = 0;
  }
  p.words.clear_used();
  __syncthreads();
  const std::int64_t tile = number[0], first = tile * p.tile_rows, row = first + mine;

  // short rows
  std::int64_t begin = 0, end = 0;
  if (mine < p.tile_rows && row < p.a.rows) begin = p.a.ptr[row], end = p.a.ptr[row + 1];
  HeldProducts<T, kHeld> held;
  const int products = hold<kLanes>(p, begin, end, held);
  T* const sums = stage.sums + mine * Stage::kSlots;
  Column* const columns = stage.columns + mine * Stage::kSlots;
  const int entries = stage_row<kLanes>(held, stage.of_row(mine, p.top_words), p.in_order, sums, columns);
  if (l == 0) {
    const bool is_late = products > Stage::kSlots;
    count[mine] = is_late ? products : entries;
    if (is_late) late[simt::atomic_add(late_rows, 1)] = mine;
  }
  __syncthreads();

  // late rows: whose they are, then counted
  constexpr int kOfBlock = -1;
  const WholeBlock block(scratch);
  const Lanes group(kGroup);
  const int of_group = static_cast<int>(threadIdx.x) / kGroup;
  LateOfGroup<T> by_group(p, stage.of_late(of_group, p));
  LateOfBlock<T> by_block(p, block, stage.late, before, ordered);
  const int rows_late = late_rows[0];
  bool given_up = false;
  int tile_cost = 0;  // what its late rows take, in products of a group
  if (rows_late != 0) {
    const std::int64_t most = LateOfGroup<T>::is_flat(p.top_words) ? kShape.most_of_group : kGroupWords;
    if (threadIdx.x == 0) somebody_gave_up[0] = simt::load_published(p.words.zero + kGaveUp);
    for (int k = of_group; k < rows_late; k += kGroups) {
      const std::int64_t late_row = first + late[k];
      const std::int64_t made =
          count[late[k]] != kNotCounted ? count[late[k]] : products_of(group, p.a, p.b.ptr, late_row);
      if (group.rank() != 0) continue;
      const int costs = cost_of(made, p.a.length(late_row));
      cost[k] = made > most ? kOfBlock : costs;
      simt::atomic_add(late_cost, costs);
      if (made > most) simt::atomic_add(block_cost, costs), simt::atomic_add(block_rows, 1);
    }
    __syncthreads();
    if (const int k = static_cast<int>(threadIdx.x); k < rows_late && cost[k] != kOfBlock) {
      const int costs = cost[k];
      if (costs >
          late_cost[0] / kGroups + kShape.block_start * rows_late)  // all would be done with by the block sooner
        cost[k] = kOfBlock, simt::atomic_add(block_cost, costs), simt::atomic_add(block_rows, 1);
      else
        simt::atomic_max(group_cost, costs);
    }
    __syncthreads();
    tile_cost = group_cost[0] + block_cost[0] / kGroups + kShape.block_start * block_rows[0];
    given_up = somebody_gave_up[0] != 0 || tile_cost > kShape.most_of_tile;
  }
  const auto by_groups = [&](const auto& f) {  // f(number of the row in the tile, or -1)
    for (int k = 0; k < rows_late; k += kGroups) {
      const int at = k + of_group;
      f(at < rows_late && cost[at] != kOfBlock ? late[at] : -1);
    }
  };
  if (rows_late != 0 && !given_up) {
    if (block_rows[0] != rows_late)
      by_groups([&](int at) {
        const int found = by_group.count(at < 0 ? -1 : first + at);
        if (at >= 0 && group.rank() == 0) count[at] = found;
      });
    block.sync();  // somebody_gave_up is read, groups' bitmaps are
    if (block_rows[0] != 0)
      for (int k = 0; k < rows_late; k++) {
        if (cost[k] != kOfBlock) continue;
        if (threadIdx.x == 0) somebody_gave_up[0] = simt::load_published(p.words.zero + kGaveUp);
        block.sync();
        given_up = somebody_gave_up[0] != 0;
        if (given_up) break;
        const int found = by_block.count(first + late[k]);
        if (threadIdx.x == 0) count[late[k]] = found;
        block.sync();
      }
    __syncthreads();
  }

  // place
  if (static_cast<int>(threadIdx.x) < simt::wave_width()) {
    const int lane = simt::lane();
    const std::int64_t of_lane = lane < p.tile_rows ? count[lane] : 0;
    const std::int64_t upto = simt::inclusive_sum(wave, of_lane, simt::wave_width());
    const std::int64_t all = given_up ? kGivenUp : simt::shuffle(wave, upto, simt::wave_width() - 1);
    if (given_up && lane == 0) simt::publish(p.words.zero + kGaveUp, 1ULL);  // others need not count their late rows
    if (lane == 0 && tile_cost > 0) {
      simt::atomic_add(p.words.zero + kCost, static_cast<unsigned long long>(tile_cost));
      simt::atomic_max(p.words.zero + kCostliest, static_cast<unsigned long long>(tile_cost));
    }
    const std::int64_t tiles_before = entries_before(p.words.zero + kState, tile, all);
    if (lane < p.tile_rows) {
      place[lane] = tiles_before + upto - of_lane;
      if (first + lane < p.a.rows) p.row_ptr[first + lane] = place[lane];
    }
    if (lane == 0) {
      number[0] = tiles_before + all;
      const bool last = first + p.tile_rows >= p.a.rows;
      if (last) p.row_ptr[p.a.rows] = tiles_before + all;
      // once: by the last tile, or before it by the first that gives up
      if ((last || given_up) && tiles_before < kGivenUp)
        p.told.post({tiles_before + all, static_cast<std::int64_t>(simt::load_published(p.words.zero + kCost)),
                     static_cast<std::int64_t>(simt::load_published(p.words.zero + kCostliest))});
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
  if (block_rows[0] != 0) {
    block.sync();                      // what is staged is written
    for (int k = rows_late; k-- > 0;)  // that which was counted last first: its bitmap is there
      if (cost[k] == kOfBlock) by_block.write(first + late[k], place[late[k]]);
    by_group.forget();
  }
  if (block_rows[0] != rows_late)
    by_groups(
        [&](int at) { by_group.write(at < 0 ? -1 : first + at, at < 0 ? 0 : place[at], at < 0 ? 0 : count[at]); });
}

[[nodiscard]] std::int64_t tiles_of(std::int64_t rows, const SmallTiles& tiles) {
  return (rows + tiles.rows - 1) / tiles.rows;
}

}  // namespace

std::int64_t small_words(std::int64_t rows, const SmallTiles& tiles) {
  return kState + tiles_of(rows, tiles);
}

template <class T>
void small_product(const SmallLaunch<T>& l) {
  const int top_words = static_cast<int>((l.b.cols + kTopBits - 1) / kTopBits), words = top_words * kBits;
  const int late_words = l.in_order ? kBlockWords : std::max(words, kGroups * std::min(words, kGroupWords));
  const Small<T> p{l.a,       l.b,   l.tiles.rows, top_words,  late_words, l.in_order,
                   l.row_ptr, l.col, l.val,        l.capacity, l.words,    l.told};
  const auto start = [&]<int kLanes, int kHeld>(std::integer_sequence<int, kLanes, kHeld>) {
    using Stage = small::Stage<T, kLanes, kHeld>;
    const Shape shape{
        .grid = tiles_of(l.a.rows, l.tiles), .block = kThreads, .shared = Stage::bytes(top_words, late_words)};
    allow_shared(whole_product<T, kLanes, kHeld>, shape.shared);
    launch(whole_product<T, kLanes, kHeld>, shape, l.stream, p);
  };
  with_small_lanes(l.tiles, start);
}

#define ROWAN_INSTANTIATE(T) template void small_product(const SmallLaunch<T>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
