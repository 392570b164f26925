#pragma once
// What an accumulator can do, as plain data. Each stands beside its kernels (accumulators/<family>/candidate.hpp) and
// in the one array in candidates.hpp; nothing else lists accumulators.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "lib/binning/rows.hpp"
#include "lib/core/pattern.hpp"
#include "lib/core/single_entries.hpp"
#include "lib/core/values.hpp"

namespace rowan {

enum class Phase : std::uint8_t { symbolic, numeric };

/// The rows a candidate is asked about, summed up: feasibility and scratch sizes depend on nothing else.
struct Extent {
  std::int64_t nprod_max = 0;                  // products of a row
  std::int64_t bound_max = 0;                  // entries of a row of C
  std::int64_t span_max = 0;                   // columns from a row's first to its last
  std::int64_t a_nnz_max = 0;                  // entries of a row of A
  std::int64_t columns = 0;                    // of B
  std::int64_t b_rows = 0;                     // rows of B
  std::int64_t b_uses = 0;                     // all entries of A for each row of B, rounded down
  bool sorted_b = true;                        // rows of B rise strictly
  bool runs = false;                           // all rows are in runs of equal patterns
  bool shifts = false;                         // all rows are in runs of products moved by one column
  SingleEntries single_b = SingleEntries::no;  // of B
  bool near_b = false;  // a row meets the rows of B that the row before met, or rows beside them (sampled)
  /// Columns of the rows' spans for each product of theirs, rounded down; and of the widest row's span for each product
  /// of the whole multiplication. 0 where all spans are narrow: what is done once a column costs next to nothing there.
  std::int64_t span_per_product = 0, widest_per_product = 0;

  /// Takes in other rows: what scratch sizes depend on. Runs and columns a product decide feasibility, which is asked
  /// of one bin at a time: they stay as they are.
  constexpr void add(const Extent& rows) noexcept {
    nprod_max = std::max(nprod_max, rows.nprod_max);
    bound_max = std::max(bound_max, rows.bound_max);
    span_max = std::max(span_max, rows.span_max);
    a_nnz_max = std::max(a_nnz_max, rows.a_nnz_max);
    columns = std::max(columns, rows.columns), b_rows = std::max(b_rows, rows.b_rows);
    b_uses = std::max(b_uses, rows.b_uses);
    sorted_b = sorted_b && rows.sorted_b;
    single_b = rows.single_b;  // B is one, whatever the rows are
    near_b = near_b || rows.near_b;
  }
};

/// What a candidate works in. `zeroed` is all zero when handed over and must be when handed back, so that it serves
/// rows of any extent; `plain` holds anything; `persistent` is all zero at first and then holds what the candidate left
/// there, for as long as one multiplication lasts.
struct Scratch {
  std::byte* zeroed = nullptr;
  std::byte* plain = nullptr;
  std::byte* persistent = nullptr;
};
struct ScratchBytes {
  std::size_t zeroed = 0;
  std::size_t plain = 0;
  std::size_t persistent = 0;
};

/// One piece of work: rows [first, last) of C, all within the candidate's limits.
struct SymbolicTask {
  const Pattern& a;
  const Pattern& b;
  const CRow* rows;     // of the whole matrix: rows that are counted are measured
  const RowRun* b_run;  // of each row of B
  Extent extent;        // of all rows this candidate gets
  Scratch scratch;
  std::int64_t first, last;
  Offset* nnz;  // out: entries of row i into nnz[i]
};

template <class T>
struct NumericTask {
  const Operand<T>& a;
  const Operand<T>& b;
  const CRow* rows;
  const RowRun* b_run;
  Extent extent;
  Scratch scratch;
  std::int64_t first, last;
  Offset* nnz;             // out: entries of row i into nnz[i]
  Column* col;             // out: the rows' entries one after another, columns rising. Up to kWriteSlack entries behind
  T* val;                  // the last may be overwritten
  bool any_order = false;  // columns need not rise
  bool streamed = false;   // `col` and `val` are C's own, far beyond the caches: stores may go around them
};

/// Entries behind a row that a kernel may write over: one word of a bitmap.
inline constexpr std::int64_t kWriteSlack = 64;
inline constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

using SymbolicFn = void (*)(const SymbolicTask&);
template <class T>
using NumericFn = std::int64_t (*)(const NumericTask<T>&);  // returns the entries written

/// Declares a candidate's numeric kernel, name(task), for each type of values.
#define ROWAN_DECLARE_NUMERIC(name) ROWAN_FOR_EACH_VALUE(ROWAN_DECLARE_NUMERIC_OF, name)
#define ROWAN_DECLARE_NUMERIC_OF(T, name) std::int64_t name(const NumericTask<T>& task);
/// Defines it as a template's: one that is compiled once. (For every instruction set: lib/core/dispatch.hpp.)
#define ROWAN_DEFINE_NUMERIC(name, rows) ROWAN_FOR_EACH_VALUE(ROWAN_DEFINE_NUMERIC_OF, name, rows)
#define ROWAN_DEFINE_NUMERIC_OF(T, name, rows)    \
  std::int64_t name(const NumericTask<T>& task) { \
    return rows(task);                            \
  }

struct Candidate {
  std::string_view name;                // "dense-window"
  std::string_view family;              // "dense"
  std::string_view shines;              // when, in a line
  std::string_view fallback;            // who takes rows that are beyond the limits; empty: there are none
  std::int64_t max_nprod = kNoLimit;    // of a row
  std::int64_t max_span = kNoLimit;     // of a row
  std::int64_t max_a_nnz = kNoLimit;    // of a row
  std::int64_t max_columns = kNoLimit;  // of B
  std::int64_t max_b_area = kNoLimit;   // rows times columns of B
  std::int64_t min_b_uses = 0;          // entries of A for each row of B
  /// Of rows beyond a narrow span, see Extent: time, and memory, that grow with columns stay in proportion to products.
  std::int64_t max_span_per_product = kNoLimit, max_widest_per_product = kNoLimit;
  bool takes_single_b = false;  // rows beyond max_a_nnz, too, where B's have one entry whose columns never fall
  bool needs_sorted_b = false;
  bool needs_runs = false;
  bool needs_shifts = false;
  bool on_host = true;        // else only devices have it, and what is the host's here is empty
  bool counts_first = false;  // counting costs next to nothing, and a streamed task writes nothing behind
  bool counts_only = false;   // it has a symbolic phase alone: the fallback multiplies
  /// B's columns up to which it takes rows of which nothing was measured, all columns being their span; 0: it does not.
  std::int64_t max_unmeasured_span = 0;
  // What pipelines know of it. Runs, shift runs and sorted rows of B are prepared where a candidate needs them.
  bool last_resort = false;      // one candidate, of hosts and devices: takes the rows that no other one can
  bool cheapest = false;         // no candidate takes less time for rows within its limits: a fit need not find out
  bool short_rows = false;       // devices: rows of few products are bins of their own, by their products
  bool one_phase = false;        // devices: multiplies short rows without counting them first
  bool abandons_rows = false;    // devices: may give up rows that it counts ...
  bool takes_abandoned = false;  // ... and this one counts them
  /// Where rows of several candidates alternate (Policy::alternating). `batch_steps`: it takes rows that follow one
  /// another together, and a batch of rows of `nprod` products takes so many steps, however few rows are in it.
  /// `scanned_words`: it looks through so many words for a row of that span, whatever its neighbours are.
  double (*batch_steps)(std::int64_t nprod) = nullptr;
  double (*scanned_words)(std::int64_t span) = nullptr;
  std::span<const int> group_sizes = {};  // lanes that walk one row of B; a host has one
  ScratchBytes (*scratch)(const Extent&, std::size_t value_bytes) = nullptr;
  SymbolicFn symbolic = nullptr;
  PerValue<NumericFn> numeric = {};

  /// Whether rows of such extent are within the limits, wherever they are multiplied.
  [[nodiscard]] constexpr bool takes(const Extent& e) const noexcept {
    return e.nprod_max <= max_nprod && e.span_max <= max_span && e.columns <= max_columns &&
           e.b_rows * e.columns <= max_b_area && e.b_uses >= min_b_uses &&
           (e.a_nnz_max <= max_a_nnz || (takes_single_b && e.single_b >= SingleEntries::never_fall)) &&
           e.span_per_product <= max_span_per_product && e.widest_per_product <= max_widest_per_product &&
           (e.sorted_b || !needs_sorted_b) && (e.runs || !needs_runs) && (e.shifts || !needs_shifts);
  }
  /// Whether the host can give them to it.
  [[nodiscard]] constexpr bool feasible(const Extent& e) const noexcept { return on_host && takes(e); }
  /// Whether it takes them though nothing was measured, `e` being what is known without.
  [[nodiscard]] constexpr bool feasible_unmeasured(const Extent& e) const noexcept {
    return max_unmeasured_span > 0 && e.span_max <= max_unmeasured_span && feasible(e);
  }
};

inline constexpr int kHostGroupSizes[] = {1};

}  // namespace rowan
