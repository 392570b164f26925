// A stable counting sort by rows. The pieces are dealt out in runs, one to each worker. Each counts the entries of
// every row in its run; counts become the worker's first place in each row; each worker then puts its entries there.
// Scratch: one int64 for each row and worker, and no more workers than keep that small against the entries (one worker
// always).
#include "lib/io/assemble.hpp"

#include <algorithm>

#include "lib/core/parallel.hpp"

namespace rowan::io {
namespace {

constexpr std::int64_t kRowGrain = 1 << 14;
constexpr std::int64_t kEntriesPerCounter = 2;  // 8 bytes for every 32: a quarter of what the entries take

/// Calls f(row, col, value) for all that the pieces [from, to) stand for.
template <class F>
void for_each_entry(const Header& header, const EntryPieces& pieces, std::size_t from, std::size_t to, const F& f) {
  const bool mirrored = header.symmetry != Symmetry::general;
  const bool skew = header.symmetry == Symmetry::skew_symmetric;
  for (std::size_t i = from; i != to; ++i) {
    for (const Entry& entry : pieces[i]) {
      f(entry.row, entry.col, entry.value);
      if (mirrored && entry.row != entry.col) f(entry.col, entry.row, skew ? -entry.value : entry.value);
    }
  }
}

}  // namespace

Csr<double> assemble(const Header& header, const EntryPieces& pieces) {
  const auto rows = static_cast<std::size_t>(header.rows);
  auto row_ptr = Array<std::int64_t>::zeroed(rows + 1);
  // zero pages stay untouched: a few bytes that promise an empty matrix of any size cost nothing
  if (header.entries == 0) return {header.rows, header.cols, std::move(row_ptr), {}, {}};

  const Team team;
  const std::int64_t affordable = header.entries / (kEntriesPerCounter * header.rows);
  const auto workers = static_cast<std::size_t>(
      std::clamp<std::int64_t>(std::min<std::int64_t>(affordable, team.size()), 1, std::ssize(pieces)));
  const auto first_piece = [&](std::size_t worker) { return pieces.size() * worker / workers; };
  const auto for_workers = [&](const auto& f) {
    team.for_blocks(static_cast<std::int64_t>(workers), 1, [&](std::int64_t from, std::int64_t to) {
      for (auto worker = static_cast<std::size_t>(from); worker != static_cast<std::size_t>(to); ++worker) f(worker);
    });
  };
  const auto for_rows = [&](const auto& f) {
    team.for_blocks(header.rows, kRowGrain, [&](std::int64_t from, std::int64_t to) {
      for (auto row = static_cast<std::size_t>(from); row != static_cast<std::size_t>(to); ++row) f(row);
    });
  };

  auto places = Array<std::int64_t>::zeroed(workers * rows);
  for_workers([&](std::size_t worker) {
    std::int64_t* const count = places.data() + worker * rows;
    for_each_entry(header, pieces, first_piece(worker), first_piece(worker + 1),
                   [&](std::int32_t row, std::int32_t, double) { ++count[row]; });
  });
  for_rows([&](std::size_t row) {
    for (std::size_t worker = 0; worker != workers; ++worker) row_ptr[row + 1] += places[worker * rows + row];
  });
  for (std::size_t row = 0; row != rows; ++row) row_ptr[row + 1] += row_ptr[row];
  for_rows([&](std::size_t row) {
    std::int64_t next = row_ptr[row];
    for (std::size_t worker = 0; worker != workers; ++worker) next += std::exchange(places[worker * rows + row], next);
  });

  const auto nnz = static_cast<std::size_t>(row_ptr[rows]);
  Array<std::int32_t> col(nnz);
  Array<double> val(nnz);
  for_workers([&](std::size_t worker) {
    std::int64_t* const place = places.data() + worker * rows;
    for_each_entry(header, pieces, first_piece(worker), first_piece(worker + 1),
                   [&](std::int32_t row, std::int32_t column, double value) {
                     const auto k = static_cast<std::size_t>(place[row]++);
                     col[k] = column, val[k] = value;
                   });
  });
  return {header.rows, header.cols, std::move(row_ptr), std::move(col), std::move(val)};
}

}  // namespace rowan::io
