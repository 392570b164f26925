// hash. A table of groups, each as many keys as a vector has lanes: one comparison looks at a whole group, a column
// goes on to the next group only when its own is full. Keys are column + 1, so that an empty slot is zero. The table
// is the smallest power of two that the row's bound fills to at most a half (DeltaSPARSE, section III.A: twice the
// bound). Columns are listed as they first appear, sorted with their slots, and read out; the list also clears the
// table. Work O(products + nnz log nnz) a row; scratch (4 + sizeof(T)) 2..4 bytes and 8 bytes an entry of the longest
// row.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/hash/host.cpp"
#include <algorithm>
#include <bit>

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "accumulators/common/prefetch.hpp"
#include "accumulators/hash/candidate.hpp"
#include "lib/core/dispatch.hpp"
#include "lib/core/plus_times.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::hash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using TableKey = std::uint32_t;
using TableKeyTag = hn::ScalableTag<TableKey>;
constexpr std::size_t kLanes = HWY_LANES(TableKey);
constexpr std::uint32_t kScale = 0x9E3779B1U;  // 2^32 / golden ratio: neighbouring columns land far apart
constexpr std::int64_t kSortBySimd = 64;       // below this std::sort is faster than starting vqsort

HWY_INLINE std::size_t capacity_for(std::int64_t bound) {
  return HWY_MAX(std::bit_ceil(static_cast<std::size_t>(2 * HWY_MAX(bound, std::int64_t{1}))), 2 * kLanes);
}

/// The row's table; one for many rows, cleared through the list.
class Table {
 public:
  Table(TableKey* keys, std::uint64_t* list) : keys_(keys), list_(list) {}

  void start(std::int64_t bound) {
    const std::size_t groups = capacity_for(bound) / kLanes;
    mask_ = groups - 1, shift_ = 32 - static_cast<int>(std::bit_width(mask_)), count_ = 0;
  }

  /// The slot of a column; `fresh` tells whether it is new.
  HWY_INLINE std::size_t slot_of(Column column, bool& fresh) {
    const TableKeyTag d;
    const TableKey key = static_cast<TableKey>(column) + 1;
    const auto wanted = hn::Set(d, key);
    for (std::size_t group = (static_cast<TableKey>(column) * kScale) >> shift_;; group = (group + 1) & mask_) {
      TableKey* const at = keys_ + group * kLanes;
      const auto keys = hn::Load(d, at);
      const std::intptr_t found = hn::FindFirstTrue(d, hn::Eq(keys, wanted));
      if (found >= 0) {
        fresh = false;
        return group * kLanes + static_cast<std::size_t>(found);
      }
      const std::intptr_t free = hn::FindFirstTrue(d, hn::Eq(keys, hn::Zero(d)));
      if (free < 0) continue;
      const std::size_t free_slot = group * kLanes + static_cast<std::size_t>(free);
      keys_[free_slot] = key;
      list_[count_++] = std::uint64_t{static_cast<TableKey>(column)} << 32 | free_slot;
      fresh = true;
      return free_slot;
    }
  }

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const std::uint64_t* sorted_list() {
    if (count_ < kSortBySimd)
      std::sort(list_, list_ + count_);
    else
      sorter_(list_, static_cast<std::size_t>(count_), hwy::SortAscending());
    return list_;
  }
  void clear() {
    for (std::int64_t e = 0; e < count_; e++) keys_[static_cast<TableKey>(list_[e])] = 0;
  }

 private:
  TableKey* keys_;
  std::uint64_t* list_;
  std::size_t mask_ = 0;
  int shift_ = 0;
  std::int64_t count_ = 0;
  hwy::Sorter sorter_;
};

template <class T, class Ring = PlusTimes<T>>
std::int64_t hash_rows(const NumericTask<T>& t) {
  auto* list = reinterpret_cast<std::uint64_t*>(t.scratch.plain);
  auto* values = reinterpret_cast<T*>(list + t.extent.bound_max);
  Table table(reinterpret_cast<TableKey*>(t.scratch.zeroed), list);
  const bool far = is_far(t.b);
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    table.start(t.rows[i].bound());
    for (std::int64_t a = t.a.ptr[i]; a < t.a.ptr[i + 1]; a++) {
      if (far) prefetch_b(t.a, t.b, a, 4);
      const T x = t.a.val[a];
      const std::int64_t end = t.b.ptr[t.a.col[a] + 1];
      for (std::int64_t b = t.b.ptr[t.a.col[a]]; b < end; b++) {
        bool fresh = false;
        T& sum = values[table.slot_of(t.b.col[b], fresh)];
        const T before = fresh ? Ring::zero() : sum;
        sum = Ring::add(before, Ring::multiply(x, t.b.val[b]));
      }
    }
    const std::uint64_t* sorted = table.sorted_list();
    const std::int64_t n = t.nnz[i] = table.count();
    for (std::int64_t e = 0; e < n; e++) {
      t.col[k + e] = static_cast<Column>(sorted[e] >> 32);
      t.val[k + e] = values[static_cast<TableKey>(sorted[e])];
    }
    table.clear();
    k += n;
  }
  return k;
}
ROWAN_KERNELS(Numeric, hash_rows, NumericTask)

void Symbolic(const SymbolicTask& t) {
  Table table(reinterpret_cast<TableKey*>(t.scratch.zeroed), reinterpret_cast<std::uint64_t*>(t.scratch.plain));
  for (std::int64_t i = t.first; i < t.last; i++) {
    table.start(t.rows[i].bound());
    for (std::int64_t a = t.a.ptr[i]; a < t.a.ptr[i + 1]; a++) {
      const std::int64_t end = t.b.ptr[t.a.col[a] + 1];
      for (std::int64_t b = t.b.ptr[t.a.col[a]]; b < end; b++) {
        bool fresh = false;
        table.slot_of(t.b.col[b], fresh);
      }
    }
    t.nnz[i] = table.count();
    table.clear();
  }
}

ScratchBytes Bytes(const Extent& extent, std::size_t value_bytes) {
  const std::size_t capacity = capacity_for(extent.bound_max);
  return {capacity * sizeof(TableKey), static_cast<std::size_t>(extent.bound_max) * 8 + capacity * value_bytes};
}

}  // namespace rowan::hash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::hash {

ROWAN_DISPATCH(std::int64_t, numeric, Numeric, NumericTask)
HWY_EXPORT(Symbolic);
HWY_EXPORT(Bytes);

ScratchBytes scratch(const Extent& extent, std::size_t value_bytes) {
  return HWY_DYNAMIC_DISPATCH(Bytes)(extent, value_bytes);
}
void symbolic(const SymbolicTask& task) {
  HWY_DYNAMIC_DISPATCH(Symbolic)(task);
}

}  // namespace rowan::hash
#endif
