#pragma once
// Rows on their way between processes: which go where, and what of them.
#include <cstdint>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"
#include "mpi/pieces.hpp"

namespace rowan::mpi {

/// Which rows this process sends to whom, and how many it receives from whom.
struct Moves {
  Peers to = {}, from = {};         // rows
  std::vector<Column> sent = {};    // own rows, by the process they go to
  std::int64_t received_below = 0;  // rows from lower ranks
  [[nodiscard]] std::int64_t received() const noexcept { return from.all(); }
};

/// Every process gets the rows that it names: `needed` rises and has no row of its own. Collective.
Moves pull(const Communicator& comm, const Layout& rows, std::span<const std::int64_t> needed);

/// Each row goes to the processes that have one of its columns, this one left out. Collective.
template <class T>
Moves push(const Communicator& comm, const RowsView<T>& matrix);

/// What of the rows travels: how many elements to and from whom, and how long the rows received are.
struct Parts {
  Peers to = {}, from = {};
  std::vector<std::int64_t> lengths = {};  // of rows received
};

/// `sent` has the length of each part sent. Collective.
Parts parts_of(const Communicator& comm, const Moves& moves, std::vector<std::int64_t> sent);

}  // namespace rowan::mpi
