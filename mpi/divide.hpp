#pragma once
// C of the local multiplication, whose columns are numbered [lower ranks' | own | higher ranks'], in two pieces.
#include <cstdint>
#include <span>
#include <vector>

#include <rowan/csr.hpp>

namespace rowan::mpi {

template <class T>
struct Divided {
  Csr<T> own = {}, others = {};
  std::vector<std::int64_t> names = {};  // of the others' columns that occur
  std::vector<Column> low = {};          // of each row: entries below the own columns; empty where there are no others
  std::vector<Column> outside = {};      // of each row: entries of the others
};

/// The own part stays in C's memory, moved together: a copy would cost as much as the multiplication, most of it for
/// memory touched the first time. `low` names lie below the `own` columns. O(nnz + names).
template <class T>
[[nodiscard]] Divided<T> divide(Csr<T>&& c, Column low, Column own, std::span<const std::int64_t> names);

/// The same for values alone, of a C with these row pointers.
template <class T>
void divide_values(std::span<const std::int64_t> row_ptr, const T* val, const Divided<T>& as, T* own, T* others);

}  // namespace rowan::mpi
