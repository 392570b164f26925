#pragma once
// Which process this is, and its part of a matrix that every process has.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include <rowan/mpi.hpp>

namespace rowan::test {

inline int rank() {
  int r = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  return r;
}
inline int ranks() {
  int n = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

/// This process's rows.
inline mpi::Rows<double> mine(const Csr<double>& whole, const mpi::Layout& rows, const mpi::Layout& cols) {
  const auto first = static_cast<std::size_t>(rows.begin(rank())), last = static_cast<std::size_t>(rows.end(rank()));
  const std::int64_t from = whole.row_ptr()[first], to = whole.row_ptr()[last];
  std::vector<std::int64_t> ptr;
  for (std::size_t r = first; r <= last; r++) ptr.push_back(whole.row_ptr()[r] - from);
  const std::vector<std::int64_t> col(whole.col().begin() + from, whole.col().begin() + to);
  const std::vector<double> val(whole.val().begin() + from, whole.val().begin() + to);
  return mpi::split<double>({.rows = rows.own(rank()), .cols = whole.cols(), .row_ptr = ptr, .col = col, .val = val},
                            rows, cols, rank());
}

}  // namespace rowan::test
