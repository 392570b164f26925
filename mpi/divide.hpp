#pragma once
// C of the local multiplication, whose columns are numbered [lower ranks' | own | higher ranks'], in two pieces.
#include <cstdint>
#include <span>
#include <vector>

#include <rowan/csr.hpp>
#include <rowan/divided.hpp>

namespace rowan::mpi {

template <class T>
struct Divided {
  Csr<T> own = {}, others = {};
  std::vector<std::int64_t> names = {};  // of the others' columns that occur
  std::vector<Column> low = {};          // of each row: entries below the own columns; empty where there are no others
  std::vector<Column> outside = {};      // of each row: entries of the others
};

/// `low` names lie below the own columns. O(rows + entries of others + names).
template <class T>
[[nodiscard]] Divided<T> divided(DividedCsr<T>&& c, Column low, std::span<const std::int64_t> names);

/// Values alone, of a C with these row pointers.
template <class T>
void divide_values(std::span<const std::int64_t> row_ptr, const T* val, const Divided<T>& as, T* own, T* others);

}  // namespace rowan::mpi
