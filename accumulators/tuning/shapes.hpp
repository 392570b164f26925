#pragma once
// The numbers that shape kernels: threads of a block, lanes of a row, sizes of tables, borders between kernels. There
// is a struct for each kernel, or for the kernels that share a file, and KernelShapes gathers them. A table is one
// value of KernelShapes: sm_90.hpp was measured, the others begin as copies of it (select.hpp). `each` lists a struct's
// numbers for printing; the assertion at the end fails where one is left out. What follows from mathematics alone (a
// word has 32 bits) stays with the kernels.
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace rowan::tuning {

/// A number and where it comes from: a measurement, a paper, or "chosen, not measured".
template <class V>
struct Tuned {
  V value;
  const char* source;

  constexpr operator V() const noexcept { return value; }
  constexpr Tuned& operator=(V v) noexcept {
    value = v, source = "override of this build";
    return *this;
  }
  [[nodiscard]] friend constexpr bool operator==(const Tuned& a, const Tuned& b) noexcept { return a.value == b.value; }
};

/// A table for a row, and the threads that have the row.
struct TableSize {
  int threads, table;
  [[nodiscard]] friend constexpr bool operator==(const TableSize&, const TableSize&) noexcept = default;
};
/// The lanes that have a row, and the keys in each lane's registers.
struct NetworkSize {
  int lanes, keys;
  [[nodiscard]] friend constexpr bool operator==(const NetworkSize&, const NetworkSize&) noexcept = default;
};
/// Threads of a block that has one row, and the columns of its bitmap.
struct BlockShape {
  int threads, window;
  [[nodiscard]] friend constexpr bool operator==(const BlockShape&, const BlockShape&) noexcept = default;
};

/// How the products of a row are walked, by all accumulators (common/device/walk.hpp, task.hpp).
struct WalkShape {
  Tuned<std::int64_t> entries_a_lane;  // of a row of B, on average, before it gets twice the lanes
  Tuned<int> most_steps;               // of a group, before all lanes walk its row of B together
  Tuned<int> most_late;                // long rows of B that a block puts off
  Tuned<int> short_turn;  // threads of a block for an entry of a row of B: with more, one wave adds in order for it
  Tuned<int> ahead;       // products, or rows of B, that a block's threads load before they use them

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("entries_a_lane", s.entries_a_lane), f("most_steps", s.most_steps), f("most_late", s.most_late);
    f("short_turn", s.short_turn), f("ahead", s.ahead);
  }
  [[nodiscard]] friend constexpr bool operator==(const WalkShape&, const WalkShape&) noexcept = default;
};

/// direct
struct DirectShape {
  Tuned<int> block;       // threads
  Tuned<int> most_lanes;  // that have a row

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("block", s.block), f("most_lanes", s.most_lanes);
  }
  [[nodiscard]] friend constexpr bool operator==(const DirectShape&, const DirectShape&) noexcept = default;
};

/// direct-shift
struct ShiftShape {
  Tuned<int> most_block;                     // threads, at most
  Tuned<std::int64_t> products_a_thread;     // of a row: blocks get threads for them
  Tuned<int> blocks_a_multiprocessor;        // that shared memory is left for
  Tuned<int> copy_threads;                   // that copy a chunk of B's values
  Tuned<int> products_together;              // whose factors a lane loads before it adds
  Tuned<std::size_t> reserved_shared_bytes;  // static, and what a device keeps of a block

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("most_block", s.most_block), f("products_a_thread", s.products_a_thread);
    f("blocks_a_multiprocessor", s.blocks_a_multiprocessor), f("copy_threads", s.copy_threads);
    f("products_together", s.products_together), f("reserved_shared_bytes", s.reserved_shared_bytes);
  }
  [[nodiscard]] friend constexpr bool operator==(const ShiftShape&, const ShiftShape&) noexcept = default;
};

/// hash
struct HashShape {
  Tuned<std::array<TableSize, 11>> symbolic;  // by a bound of the row's entries
  Tuned<std::array<TableSize, 9>> numeric;    // by the row's entries
  Tuned<int> block_of_groups;                 // threads of a block whose waves have rows of their own
  Tuned<double> full_lanes;  // share of a row's lanes that rows of B fill, to be walked one by one, no atomics
  Tuned<std::int64_t> most_rows_in_turn;      // rows of B that are walked so for a row of C
  Tuned<bool> looks_before_swap;              // a slot is read before it is swapped
  Tuned<int> most_counting_lanes;             // that sort by counting; 0: nothing is sorted so
  Tuned<int> counted_words;                   // of each of those lanes
  Tuned<int> radix_from;                      // slots of a table that is sorted by radix where a policy says by_size
  Tuned<std::array<int, 3>> tried;            // slots of tables in shared memory for rows beyond all tables
  Tuned<int> tried_fifths;                    // of them that may be taken
  Tuned<int> first_collisions;                // of a lane that say nothing yet
  Tuned<std::size_t> table_bytes;             // of tables in global memory, all together
  Tuned<int> tables_a_multiprocessor;         // in global memory, one a block
  Tuned<int> library_slots_per_100_products;  // of rows whose tables the library sorts
  Tuned<int> library_entries_a_thread;        // that are copied to C
  Tuned<std::size_t> reserved_shared_bytes;   // static

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("symbolic", s.symbolic), f("numeric", s.numeric), f("block_of_groups", s.block_of_groups);
    f("full_lanes", s.full_lanes), f("most_rows_in_turn", s.most_rows_in_turn),
        f("looks_before_swap", s.looks_before_swap);
    f("most_counting_lanes", s.most_counting_lanes), f("counted_words", s.counted_words);
    f("radix_from", s.radix_from), f("tried", s.tried), f("tried_fifths", s.tried_fifths);
    f("first_collisions", s.first_collisions), f("table_bytes", s.table_bytes);
    f("tables_a_multiprocessor", s.tables_a_multiprocessor);
    f("library_slots_per_100_products", s.library_slots_per_100_products);
    f("library_entries_a_thread", s.library_entries_a_thread), f("reserved_shared_bytes", s.reserved_shared_bytes);
  }
  [[nodiscard]] friend constexpr bool operator==(const HashShape&, const HashShape&) noexcept = default;
};

/// hash-registers
struct HashRegistersShape {
  Tuned<int> block;                    // threads
  Tuned<std::array<int, 6>> products;  // of a row that a kernel takes at most
  Tuned<int> keys_a_lane;              // in its registers, up to 32 lanes; beyond, more
  Tuned<int> slots_a_product;          // of a row's table

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("block", s.block), f("products", s.products), f("keys_a_lane", s.keys_a_lane);
    f("slots_a_product", s.slots_a_product);
  }
  [[nodiscard]] friend constexpr bool operator==(const HashRegistersShape&,
                                                 const HashRegistersShape&) noexcept = default;
};

/// sort
struct SortShape {
  Tuned<int> block;                            // threads
  Tuned<std::array<NetworkSize, 6>> networks;  // a row takes the first that has room for its products
  Tuned<int> few_keys;                         // a lane's: networks with more have a launch of their own
  Tuned<int> blocks_of_few, blocks_of_many;    // of the two, that a multiprocessor has registers for
  Tuned<bool> in_shared_memory;                // keys are sorted there, not in registers
  Tuned<int> ahead;                            // products that a lane loads before it stores them

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("block", s.block), f("networks", s.networks), f("few_keys", s.few_keys);
    f("blocks_of_few", s.blocks_of_few), f("blocks_of_many", s.blocks_of_many);
    f("in_shared_memory", s.in_shared_memory), f("ahead", s.ahead);
  }
  [[nodiscard]] friend constexpr bool operator==(const SortShape&, const SortShape&) noexcept = default;
};

/// sort-merge
struct MergeShape {
  Tuned<int> block;                        // threads
  Tuned<std::array<int, 5>> entries_of_a;  // of a row, that a kernel takes at most
  Tuned<int> rows_of_b_a_lane;
  Tuned<std::int64_t> few_products;  // of a row that shares a wave with others of few
  Tuned<int> staged;                 // entries of a row that are written together, at least

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("block", s.block), f("entries_of_a", s.entries_of_a), f("rows_of_b_a_lane", s.rows_of_b_a_lane);
    f("few_products", s.few_products), f("staged", s.staged);
  }
  [[nodiscard]] friend constexpr bool operator==(const MergeShape&, const MergeShape&) noexcept = default;
};

/// One phase (sort/device/one_phase): "short" rows have at most most_short products, "wide" ones at most most_wide.
struct OnePhaseShape {
  Tuned<int> block;                            // threads
  Tuned<int> most_short, most_wide;            // products of a row
  Tuned<int> medium;                           // products of a row: short rows have a network of this size
  Tuned<int> lanes_of_few, lanes_of_many;      // that have a row of at most 32 products, of at most most_short
  Tuned<int> lanes_of_wide, lanes_of_widest;   // of at most 2 most_short, of at most most_wide
  Tuned<int> ahead, ahead_of_widest;           // products that a lane loads before it stores them
  Tuned<int> blocks_of_short, blocks_of_wide;  // that a multiprocessor has registers for; wide: up to most_wide / 2
  Tuned<int> blocks_of_widest;                 // up to most_wide
  Tuned<int> staged_a_lane, staged_a_lane_of_wide;  // entries in shared memory, at most
  Tuned<int> most_batches;                          // of wide rows that a wave takes before it waits for its place
  Tuned<double> slack;                              // shared memory beyond what rows need on average
  Tuned<double> least_share_of_short, least_share_of_wide;  // of all products: with fewer the phase does not pay
  Tuned<int> sample_block;                                  // threads
  Tuned<std::int64_t> least_samples;                        // blocks of rows
  Tuned<std::int64_t> most_apart;                           // blocks of rows from one sample to the next
  Tuned<std::int64_t> most_scattered_bytes;  // of B, whose rows are met all over it; more: is_scattered()

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("block", s.block), f("most_short", s.most_short), f("most_wide", s.most_wide), f("medium", s.medium);
    f("lanes_of_few", s.lanes_of_few), f("lanes_of_many", s.lanes_of_many), f("lanes_of_wide", s.lanes_of_wide);
    f("lanes_of_widest", s.lanes_of_widest), f("ahead", s.ahead), f("ahead_of_widest", s.ahead_of_widest);
    f("blocks_of_short", s.blocks_of_short);
    f("blocks_of_wide", s.blocks_of_wide), f("blocks_of_widest", s.blocks_of_widest);
    f("staged_a_lane", s.staged_a_lane), f("staged_a_lane_of_wide", s.staged_a_lane_of_wide);
    f("most_batches", s.most_batches), f("slack", s.slack), f("least_share_of_short", s.least_share_of_short);
    f("least_share_of_wide", s.least_share_of_wide), f("sample_block", s.sample_block);
    f("least_samples", s.least_samples), f("most_apart", s.most_apart);
    f("most_scattered_bytes", s.most_scattered_bytes);
  }
  [[nodiscard]] friend constexpr bool operator==(const OnePhaseShape&, const OnePhaseShape&) noexcept = default;
};

/// dense-rank
struct RankShape {
  Tuned<std::int64_t> narrow_span, narrow_products;  // of a row that a wave has
  Tuned<int> narrow_block;                           // threads
  Tuned<std::int64_t> few_rows;  // for each multiprocessor: up to so many of a launch have a middle block each
  Tuned<std::size_t> narrow_shared_bytes;  // of such a block, at most
  Tuned<double> full_lanes;                // as hash's
  Tuned<double> full_lanes_of_row;         // the same, for a row at hand
  Tuned<BlockShape> middle_block, wide_block;
  Tuned<BlockShape> widest_block;              // that only counts
  Tuned<std::int64_t> middle_products;         // of a row that a middle block has
  Tuned<std::int64_t> blocks_for_handed_over;  // of a multiprocessor, for rows that hash gives up
  Tuned<int> products_a_saved_word;            // of a row, at least, to save its bitmap for the numeric phase
  Tuned<std::int64_t> most_saved_bytes;        // of the bitmaps of a bin's rows
  Tuned<int> bits_of_full_word;                // of a bitmap's words, on average: with more, 32 threads write a word
  Tuned<std::size_t> turn_bytes;               // shared memory of a wide block that adds in order, at most
  Tuned<std::size_t> middle_turn_bytes;        // of a middle one, where atomics might do
  Tuned<double> full_turn, full_middle_turn;   // entries of rows of B, on average: with fewer turns do not pay
  // of all rows, for each row of B of the longest: with fewer that one is a chain which the others do not outlast
  Tuned<std::int64_t> products_a_turn, products_a_middle_turn;
  Tuned<double> near_rate, far_rate;  // products a us that a block adds in order, its sums in shared memory or C

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("narrow_span", s.narrow_span), f("narrow_products", s.narrow_products), f("narrow_block", s.narrow_block),
        f("few_rows", s.few_rows);
    f("narrow_shared_bytes", s.narrow_shared_bytes), f("full_lanes", s.full_lanes);
    f("full_lanes_of_row", s.full_lanes_of_row);
    f("middle_block", s.middle_block), f("wide_block", s.wide_block), f("widest_block", s.widest_block);
    f("middle_products", s.middle_products);
    f("blocks_for_handed_over", s.blocks_for_handed_over), f("products_a_saved_word", s.products_a_saved_word);
    f("most_saved_bytes", s.most_saved_bytes), f("bits_of_full_word", s.bits_of_full_word);
    f("turn_bytes", s.turn_bytes), f("middle_turn_bytes", s.middle_turn_bytes), f("full_turn", s.full_turn),
        f("full_middle_turn", s.full_middle_turn), f("products_a_turn", s.products_a_turn),
        f("products_a_middle_turn", s.products_a_middle_turn), f("near_rate", s.near_rate), f("far_rate", s.far_rate);
  }
  [[nodiscard]] friend constexpr bool operator==(const RankShape&, const RankShape&) noexcept = default;
};

/// Products shared out evenly among blocks (common/device/shares.hpp)
struct SharesShape {
  Tuned<int> block;              // threads
  Tuned<int> products_a_thread;  // of a block's share

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("block", s.block), f("products_a_thread", s.products_a_thread);
  }
  [[nodiscard]] friend constexpr bool operator==(const SharesShape&, const SharesShape&) noexcept = default;
};

/// Heavy rows, each over many blocks (dense/device/heavy), and what predicts whether that is faster than a block a row
/// (lib/device/pipeline/heavy)
struct HeavyShape {
  Tuned<int> block, small_block;             // threads that list, rank or write rows; of short rows
  Tuned<int> entries_a_thread;               // of A, that are listed together
  Tuned<int> write_steps;                    // of a wave that writes columns, a word a lane each
  Tuned<std::array<std::int64_t, 4>> least;  // products of a heavy row: one of these is chosen
  Tuned<double> block_rate, wave_rate;       // products a us: of a multiprocessor's blocks, of a wave alone
  Tuned<double> ordered_block_rate;          // as block_rate, in order
  Tuned<double> entry_time, turn_time;       // us for an entry of A: of a wave of a block, of all in order
  Tuned<double> listing_time;                // us for an entry of A that a block lists, to add in order
  Tuned<double> ordered_rate;                // products a us of a block that adds short rows of B in order
  Tuned<double> shared_rate;                 // of the device, over many blocks
  Tuned<double> shared_rate_in_order;        // the same with sums in order
  // the same of narrow rows; with a block a row: products a us of a multiprocessor, by atomics or in turns, of rows
  // that a middle block has, too; and which share of its predicted time the longest row takes
  Tuned<double> narrow_rate, narrow_start, least_narrow_gain;
  Tuned<double> narrow_block_rate, narrow_turn_rate, narrow_middle_turn_rate, narrow_share_of_longest,
      narrow_share_of_middle;
  Tuned<double> sweep_rate;                          // bytes of bitmaps a us, over all steps
  Tuned<double> start, start_in_order;               // us that it takes whatever there is
  Tuned<double> least_gain;                          // times as fast, predicted: with less a block has a row
  Tuned<std::int64_t> bytes_a_product, least_bytes;  // of bitmaps, at most: of both the larger

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("block", s.block), f("small_block", s.small_block), f("entries_a_thread", s.entries_a_thread),
        f("write_steps", s.write_steps);
    f("least", s.least), f("block_rate", s.block_rate), f("wave_rate", s.wave_rate);
    f("ordered_block_rate", s.ordered_block_rate), f("entry_time", s.entry_time);
    f("turn_time", s.turn_time), f("listing_time", s.listing_time), f("ordered_rate", s.ordered_rate),
        f("shared_rate", s.shared_rate), f("narrow_rate", s.narrow_rate);
    f("narrow_start", s.narrow_start), f("least_narrow_gain", s.least_narrow_gain);
    f("narrow_block_rate", s.narrow_block_rate), f("narrow_turn_rate", s.narrow_turn_rate);
    f("narrow_middle_turn_rate", s.narrow_middle_turn_rate), f("narrow_share_of_longest", s.narrow_share_of_longest),
        f("narrow_share_of_middle", s.narrow_share_of_middle);
    f("shared_rate_in_order", s.shared_rate_in_order), f("sweep_rate", s.sweep_rate), f("start", s.start);
    f("start_in_order", s.start_in_order);
    f("least_gain", s.least_gain), f("bytes_a_product", s.bytes_a_product), f("least_bytes", s.least_bytes);
  }
  [[nodiscard]] friend constexpr bool operator==(const HeavyShape&, const HeavyShape&) noexcept = default;
};

/// Heavy rows of few columns (dense/device/heavy_narrow)
struct NarrowShape {
  Tuned<int> block;                             // threads
  Tuned<int> pieces_together;                   // of rows of B, that a group of lanes loads before it adds them
  Tuned<std::int64_t> most_span;                // of rows that are narrow
  Tuned<int> blocks_a_multiprocessor;           // at a time, at most
  Tuned<std::int64_t> least_share, most_share;  // products of a block
  Tuned<int> products_a_column;                 // of a block's share, at least: its sums go to C
  Tuned<std::size_t> shared_bytes;              // of all groups' sums, at most, while groups of more lanes need less

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("block", s.block), f("pieces_together", s.pieces_together), f("most_span", s.most_span);
    f("blocks_a_multiprocessor", s.blocks_a_multiprocessor), f("least_share", s.least_share);
    f("most_share", s.most_share), f("products_a_column", s.products_a_column), f("shared_bytes", s.shared_bytes);
  }
  [[nodiscard]] friend constexpr bool operator==(const NarrowShape&, const NarrowShape&) noexcept = default;
};

/// Values by a list of products (lib/device/pipeline/product_list)
struct ProductListShape {
  Tuned<int> block;                 // threads
  Tuned<int> products_a_lane;       // that are loaded together
  Tuned<std::int64_t> few;          // products of an entry that a lane sorts by itself
  Tuned<int> many;                  // that a wave sorts; more a block
  Tuned<int> long_block;            // threads of such a block
  Tuned<int> sorted_near;           // numbers that it sorts together in shared memory
  Tuned<int> blocks_for_long;       // of a multiprocessor, for entries with many products
  Tuned<std::int64_t> least_share;  // listed products for each entry of C, its inverse: with fewer it does not pay
  Tuned<std::int64_t> few_in_runs;  // share of products in runs, its inverse: with fewer they are listed, too

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("block", s.block), f("products_a_lane", s.products_a_lane), f("few", s.few), f("many", s.many);
    f("long_block", s.long_block), f("sorted_near", s.sorted_near), f("blocks_for_long", s.blocks_for_long),
        f("least_share", s.least_share);
    f("few_in_runs", s.few_in_runs);
  }
  [[nodiscard]] friend constexpr bool operator==(const ProductListShape&, const ProductListShape&) noexcept = default;
};

/// A small product in one launch (dense/device/small)
struct SmallShape {
  Tuned<std::int64_t> most_products;            // about, by sizes alone
  Tuned<std::int64_t> most_rows, most_columns;  // of C
  Tuned<double> room_a_row;                     // for products in a row's lanes, over what rows have on average
  Tuned<int> block;                             // threads
  Tuned<int> products_a_lane;                   // in registers
  Tuned<int> late_words;                        // of the bitmap of a row that 32 lanes have, in use
  Tuned<std::int64_t> most_of_group;            // products of such a row where its bitmap holds all columns
  // Costs of rows that lanes cannot hold, in products that 32 lanes take in that time
  Tuned<int> block_start;     // of a row that the block has, whatever its products
  Tuned<int> most_of_tile;    // with more the launch is given up
  Tuned<int> much_of_tile;    // with more the next product of the same sizes has tiles of fewer rows
  Tuned<int> of_round;        // all else of a tile
  Tuned<int> most_of_all;     // of what a block does: with more the next product of the same sizes is not tried
  Tuned<int> blocks_at_once;  // that a multiprocessor runs
  Tuned<int> ahead;           // products that a lane loads before it takes them

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("most_products", s.most_products), f("most_rows", s.most_rows), f("most_columns", s.most_columns);
    f("room_a_row", s.room_a_row), f("block", s.block), f("products_a_lane", s.products_a_lane);
    f("late_words", s.late_words), f("most_of_group", s.most_of_group), f("block_start", s.block_start);
    f("most_of_tile", s.most_of_tile), f("much_of_tile", s.much_of_tile), f("of_round", s.of_round);
    f("most_of_all", s.most_of_all), f("blocks_at_once", s.blocks_at_once), f("ahead", s.ahead);
  }
  [[nodiscard]] friend constexpr bool operator==(const SmallShape&, const SmallShape&) noexcept = default;
};

/// dense-run: bundles of neighbouring rows of one pattern
struct RunShape {
  Tuned<int> most_block;                     // threads
  Tuned<int> bundles_a_block;                // where a wave has a bundle
  Tuned<std::size_t> wave_bytes;             // shared memory of a wave's bundle, at most
  Tuned<std::size_t> block_bytes;            // of a block's bundle of more than one row, at most
  Tuned<std::size_t> reserved_shared_bytes;  // static
  Tuned<double> above_average;               // rows of so many times the average entries are added up together
  Tuned<double> short_rows_of_b;             // entries: with fewer on average half the threads are enough
  Tuned<int> equal_rows, columns;            // of B, that a lane adds together
  Tuned<std::size_t> wave_bitmap_bytes;      // of a run that a wave alone counts, at most
  Tuned<std::int64_t> wave_span;             // whose bitmap a wave of the symbolic phase has
  Tuned<int> wide_words;                     // of wider spans, that a wave has at once
  Tuned<std::int64_t> least_class;           // entries of rows that share the first numeric kernel
  Tuned<int> walkers;                        // lanes that mark the columns of a row of B
  Tuned<int> marks_together;                 // columns that a lane loads before it marks them

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("most_block", s.most_block), f("bundles_a_block", s.bundles_a_block), f("wave_bytes", s.wave_bytes);
    f("block_bytes", s.block_bytes), f("reserved_shared_bytes", s.reserved_shared_bytes);
    f("above_average", s.above_average), f("short_rows_of_b", s.short_rows_of_b), f("equal_rows", s.equal_rows),
        f("columns", s.columns);
    f("wave_bitmap_bytes", s.wave_bitmap_bytes);
    f("wave_span", s.wave_span), f("wide_words", s.wide_words), f("least_class", s.least_class);
    f("walkers", s.walkers);
    f("marks_together", s.marks_together);
  }
  [[nodiscard]] friend constexpr bool operator==(const RunShape&, const RunShape&) noexcept = default;
};

/// How a phase's kernels are started.
struct LaunchShape {
  Tuned<bool> largest_first;    // kernels of long rows before those of short ones
  Tuned<bool> several_streams;  // kernels of different bins side by side

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("largest_first", s.largest_first), f("several_streams", s.several_streams);
  }
  [[nodiscard]] friend constexpr bool operator==(const LaunchShape&, const LaunchShape&) noexcept = default;
};

/// Rows shared out among lanes, by the feature pass and by binning (lib/device/simt/row_groups.hpp).
struct RowGroupShape {
  Tuned<int> block;                   // threads
  Tuned<std::int64_t> long_for_lane;  // entries a lane: a row with more is put off for its wave or block
  Tuned<std::int64_t> most_a_lane;    // entries on average, before a row gets twice the lanes
  Tuned<std::int64_t> least_a_lane;   // the same where lanes are fewer than many_lanes
  Tuned<std::int64_t> many_lanes;     // that fill the device
  Tuned<std::int64_t> least_blocks;   // that few rows are spread over: long ones of a block wait for each other

  template <class S, class F>
  static constexpr void each(S& s, const F& f) {
    f("block", s.block), f("long_for_lane", s.long_for_lane), f("most_a_lane", s.most_a_lane);
    f("least_a_lane", s.least_a_lane), f("many_lanes", s.many_lanes), f("least_blocks", s.least_blocks);
  }
  [[nodiscard]] friend constexpr bool operator==(const RowGroupShape&, const RowGroupShape&) noexcept = default;
};

struct KernelShapes {
  LaunchShape launch;
  RowGroupShape row_groups;
  WalkShape walk;
  DirectShape direct;
  ShiftShape shift;
  SortShape sort;
  MergeShape merge;
  OnePhaseShape one_phase;
  HashShape hash;
  HashRegistersShape hash_registers;
  RankShape rank;
  SharesShape shares;
  HeavyShape heavy;
  NarrowShape narrow;
  ProductListShape product_list;
  SmallShape small;
  RunShape run;

  [[nodiscard]] friend constexpr bool operator==(const KernelShapes&, const KernelShapes&) noexcept = default;
};

/// Calls f(struct's name, number's name, the Tuned) for every number of a table: with a dot between, how overrides and
/// `rowan info --kernels` name it.
template <class Shapes, class F>
constexpr void for_each_number(Shapes& shapes, const F& f) {
  const auto of = [&](const char* kernel, auto& s) {
    std::remove_cvref_t<decltype(s)>::each(s, [&](const char* name, auto& number) { f(kernel, name, number); });
  };
  of("launch", shapes.launch), of("row_groups", shapes.row_groups), of("walk", shapes.walk);
  of("direct", shapes.direct), of("shift", shapes.shift), of("sort", shapes.sort);
  of("merge", shapes.merge), of("one_phase", shapes.one_phase), of("hash", shapes.hash);
  of("hash_registers", shapes.hash_registers), of("rank", shapes.rank), of("shares", shapes.shares);
  of("heavy", shapes.heavy), of("narrow", shapes.narrow), of("product_list", shapes.product_list),
      of("small", shapes.small);
  of("run", shapes.run);
}

namespace detail {

constexpr std::size_t listed_bytes() {
  constexpr KernelShapes kShapes{};
  std::size_t bytes = 0;
  for_each_number(kShapes, [&](const char*, const char*, const auto& number) { bytes += sizeof number; });
  return bytes;
}
static_assert(listed_bytes() == sizeof(KernelShapes), "a number is missing from its struct's each()");

}  // namespace detail
}  // namespace rowan::tuning
