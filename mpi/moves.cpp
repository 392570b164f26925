#include "mpi/moves.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rowan::mpi {
namespace {

/// From how many rows go to each rank: how many come from each.
Moves announce(const Communicator& comm, const std::vector<std::int64_t>& to_each) {
  std::vector<std::int64_t> from_each;
  Moves moves;
  comm.together([&] { from_each.resize(to_each.size()); });
  MPI_Alltoall(to_each.data(), 1, MPI_INT64_T, from_each.data(), 1, MPI_INT64_T, comm.get());
  comm.together([&] {
    for (int r = 0; r < comm.size(); r++) {
      const auto k = static_cast<std::size_t>(r);
      if (to_each[k] > 0) moves.to.add(r, to_each[k]);
      if (from_each[k] == 0) continue;
      moves.from.add(r, from_each[k]);
      if (r < comm.rank()) moves.received_below = moves.from.all();
    }
  });
  return moves;
}

}  // namespace

Moves pull(const Communicator& comm, const Layout& rows, std::span<const std::int64_t> needed) {
  if (comm.size() == 1) return {};
  std::vector<std::int64_t> from_each;
  std::vector<Column> named;
  comm.together([&] {
    from_each.resize(static_cast<std::size_t>(comm.size()));
    named.reserve(needed.size());
    int owner = 0;
    for (const std::int64_t row : needed) {
      while (row >= rows.end(owner)) owner++;
      from_each[static_cast<std::size_t>(owner)]++;
      named.push_back(static_cast<Column>(row - rows.begin(owner)));
    }
  });
  Moves moves = announce(comm, from_each);
  std::swap(moves.to, moves.from);  // lists go to those from whom rows come
  Messages messages(comm);
  comm.together([&] {
    moves.sent.resize(static_cast<std::size_t>(moves.to.all()));
    messages.reserve({&moves.to, &moves.from});
  });
  moves.received_below = 0;
  for (std::size_t k = 0; k < moves.from.count(); k++)
    if (moves.from.rank[k] < comm.rank()) moves.received_below = moves.from.begin[k + 1];
  messages.receive(moves.to, moves.sent.data());
  messages.send(moves.from, named.data());
  messages.wait();
  return moves;
}

template <class T>
Moves push(const Communicator& comm, const RowsView<T>& matrix) {
  if (comm.size() == 1) return {};
  std::vector<std::int64_t> to_each;
  std::vector<std::vector<Column>> lists;
  comm.together([&] {
    const auto ranks = static_cast<std::size_t>(comm.size());
    to_each.resize(ranks), lists.resize(ranks);
    std::vector<int> owners(matrix.names.size());
    int owner = 0;
    for (std::size_t k = 0; k < owners.size(); k++) {
      while (matrix.names[k] >= matrix.cols.end(owner)) owner++;
      owners[k] = owner;
    }
    for (std::int64_t r = 0; r < matrix.others.rows; r++)
      for (std::int64_t k = matrix.others.row_ptr[r]; k < matrix.others.row_ptr[r + 1]; k++) {
        auto& list = lists[static_cast<std::size_t>(
            owners[static_cast<std::size_t>(matrix.others.col[static_cast<std::size_t>(k)])])];
        if (list.empty() || list.back() != r) list.push_back(static_cast<Column>(r));
      }
    for (std::size_t r = 0; r < ranks; r++) to_each[r] = static_cast<std::int64_t>(lists[r].size());
  });
  Moves moves = announce(comm, to_each);
  comm.together([&] {
    moves.sent.reserve(static_cast<std::size_t>(moves.to.all()));
    for (const auto& list : lists) moves.sent.insert(moves.sent.end(), list.begin(), list.end());
  });
  return moves;
}

Parts parts_of(const Communicator& comm, const Moves& moves, std::vector<std::int64_t> sent) {
  Parts parts;
  if (comm.size() == 1) return parts;
  {
    Messages messages(comm);
    comm.together([&] {
      parts.lengths.resize(static_cast<std::size_t>(moves.received()));
      messages.reserve({&moves.from, &moves.to});
    });
    messages.receive(moves.from, parts.lengths.data());
    messages.send(moves.to, sent.data());
    messages.wait();
  }
  comm.together([&] {
    const auto add = [](Peers& peers, const Peers& rows, const std::vector<std::int64_t>& lengths) {
      for (std::size_t k = 0; k < rows.count(); k++)
        peers.add(rows.rank[k], std::accumulate(lengths.begin() + rows.begin[k], lengths.begin() + rows.begin[k + 1],
                                                std::int64_t{0}));
    };
    add(parts.to, moves.to, sent);
    add(parts.from, moves.from, parts.lengths);
  });
  return parts;
}

template Moves push(const Communicator&, const RowsView<float>&);
template Moves push(const Communicator&, const RowsView<double>&);

}  // namespace rowan::mpi
