#pragma once
/// \file
/// C in two pieces side by side: what a process of many needs, whose own columns are a matrix of their own.

#include <rowan/csr.hpp>
#include <rowan/types.hpp>

namespace rowan {

/// Columns [first, last).
struct ColumnRange {
  Column first = 0;
  Column last = 0;
};

/// A matrix in two pieces: the columns of a range, and all others.
template <class T>
struct DividedCsr {
  Csr<T> inside = {};   ///< rows x (last - first); its column 0 is `first`
  Csr<T> outside = {};  ///< rows x the other columns: those below `first` as they are, those from `last` on behind them
};

}  // namespace rowan
