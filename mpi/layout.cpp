#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "mpi/communicator.hpp"
#include "mpi/pieces.hpp"
#include <rowan/error.hpp>

namespace rowan::mpi {

Layout Layout::of(MPI_Comm comm, std::int64_t own) {
  const Communicator all(comm);
  std::vector<std::int64_t> begins;
  Layout layout;
  all.together([&] { begins.resize(static_cast<std::size_t>(all.size()) + 1); });
  MPI_Allgather(&own, 1, MPI_INT64_T, begins.data() + 1, 1, MPI_INT64_T, comm);
  for (std::size_t r = 1; r < begins.size(); r++) begins[r] += begins[r - 1];
  all.together([&] { layout = Layout(std::move(begins)); });
  return layout;
}

template <class T>
Rows<T> split(const WideCsrView<T>& in, const Layout& rows, const Layout& cols, int rank) {
  const std::int64_t first = cols.begin(rank), last = cols.end(rank);
  if (in.rows != rows.own(rank))
    throw Error(ErrorCode::invalid_argument, "the matrix has " + std::to_string(in.rows) +
                                                 " rows, its layout gives rank " + std::to_string(rank) + " " +
                                                 std::to_string(rows.own(rank)));
  if (last - first > std::numeric_limits<Column>::max())
    throw Error(ErrorCode::overflow, "one process has more than 2^31 - 1 columns");
  Rows<T> out{.rows = rows, .cols = cols};
  std::int64_t inside = 0;
  for (const std::int64_t c : in.col) {
    if (c < 0 || c >= cols.all())
      throw Error(ErrorCode::invalid_argument,
                  "column " + std::to_string(c) + " lies outside of the layout's " + std::to_string(cols.all()));
    if (c >= first && c < last)
      inside++;
    else
      out.names.push_back(c);
  }
  std::ranges::sort(out.names);
  out.names.erase(std::unique(out.names.begin(), out.names.end()), out.names.end());
  const std::int64_t outside = in.nnz() - inside;
  auto own_ptr = Array<std::int64_t>::zeroed(in.rows + 1), other_ptr = Array<std::int64_t>::zeroed(in.rows + 1);
  Array<Column> own_col(inside), other_col(outside);
  Array<T> own_val(inside), other_val(outside);
  std::int64_t o = 0, x = 0;
  for (std::int64_t r = 0; r < in.rows; r++) {
    for (std::int64_t k = in.row_ptr[r]; k < in.row_ptr[r + 1]; k++) {
      const std::int64_t c = in.col[static_cast<std::size_t>(k)];
      const T v = in.val[static_cast<std::size_t>(k)];
      if (c >= first && c < last) {
        own_col.data()[o] = static_cast<Column>(c - first), own_val.data()[o++] = v;
      } else {
        other_col.data()[x] = static_cast<Column>(std::ranges::lower_bound(out.names, c) - out.names.begin());
        other_val.data()[x++] = v;
      }
    }
    own_ptr.data()[r + 1] = o, other_ptr.data()[r + 1] = x;
  }
  out.own = Csr<T>(in.rows, last - first, std::move(own_ptr), std::move(own_col), std::move(own_val));
  out.others = Csr<T>(in.rows, static_cast<std::int64_t>(out.names.size()), std::move(other_ptr), std::move(other_col),
                      std::move(other_val));
  return out;
}

template <class T>
WideCsr<T> join(const RowsView<T>& matrix, int rank) {
  const Pieces<T> pieces(matrix, rank);
  WideCsr<T> out{.rows = pieces.rows(),
                 .cols = matrix.cols.all(),
                 .row_ptr = Array<std::int64_t>::zeroed(pieces.rows() + 1),
                 .col = Array<std::int64_t>(pieces.nnz()),
                 .val = Array<T>(pieces.nnz())};
  std::int64_t* col = out.col.data();
  T* val = out.val.data();
  for (std::int64_t r = 0; r < out.rows; r++) {
    col = pieces.columns(r, matrix.cols.begin(rank), matrix.names, col);
    val = pieces.values(r, val);
    out.row_ptr.data()[r + 1] = col - out.col.data();
  }
  return out;
}

template Rows<float> split(const WideCsrView<float>&, const Layout&, const Layout&, int);
template Rows<double> split(const WideCsrView<double>&, const Layout&, const Layout&, int);
template WideCsr<float> join(const RowsView<float>&, int);
template WideCsr<double> join(const RowsView<double>&, int);

}  // namespace rowan::mpi
