// A stable counting sort by rows. The pieces are dealt out in runs, one to each worker. Each counts the entries of
// every row in its run; counts become the worker's first place in each row; each worker then puts its values there, and
// in a second pass, which runs backwards and so finds the places again, its columns. The file's values are given back
// between the two: at most 24 bytes an entry are in use together, 2 times those of the matrix.
// Scratch: one int64 for each row and worker, and no more workers than keep that small against the entries (one worker
// always).
#include "lib/io/assemble.hpp"

#include <algorithm>

#include "lib/core/parallel.hpp"

namespace rowan::io {
namespace {

constexpr std::int64_t kRowGrain = 1 << 14;
constexpr std::int64_t kEntriesPerCounter = 2;  // 8 bytes for every 32: a quarter of what the entries take

class Sort {
 public:
  Sort(const Header& header, EntryPieces& pieces)
      : pieces_(pieces),
        rows_(static_cast<std::size_t>(header.rows)),
        mirrored_(header.symmetry != Symmetry::general),
        skew_(header.symmetry == Symmetry::skew_symmetric),
        valued_(header.field != Field::pattern) {
    const std::int64_t affordable = header.entries / (kEntriesPerCounter * header.rows);
    workers_ = static_cast<std::size_t>(
        std::clamp<std::int64_t>(std::min<std::int64_t>(affordable, team_.size()), 1, std::ssize(pieces)));
    places_ = Array<std::int64_t>::zeroed(workers_ * rows_);
  }

  /// The row pointers; places become the first of each worker and row.
  Array<std::int64_t> count() {
    for_workers([&](std::size_t worker, std::int64_t* count) {
      for (std::size_t i = first_piece(worker); i != first_piece(worker + 1); ++i) {
        for (const std::int32_t row : pieces_[i].row) ++count[row];
        if (!mirrored_) continue;
        const EntryPiece& piece = pieces_[i];
        for (std::size_t k = 0; k != piece.col.size(); ++k) count[piece.col[k]] += piece.row[k] != piece.col[k];
      }
    });
    auto row_ptr = Array<std::int64_t>::zeroed(rows_ + 1);
    for_rows([&](std::size_t row) {
      for (std::size_t worker = 0; worker != workers_; ++worker) row_ptr[row + 1] += places_[worker * rows_ + row];
    });
    for (std::size_t row = 0; row != rows_; ++row) row_ptr[row + 1] += row_ptr[row];
    for_rows([&](std::size_t row) {
      std::int64_t next = row_ptr[row];
      for (std::size_t worker = 0; worker != workers_; ++worker)
        next += std::exchange(places_[worker * rows_ + row], next);
    });
    return row_ptr;
  }

  /// Puts values into place and gives those of the pieces back.
  Array<double> values(std::int64_t nnz) {
    Array<double> val(nnz);
    for_workers([&](std::size_t worker, std::int64_t* place) {
      for (std::size_t i = first_piece(worker); i != first_piece(worker + 1); ++i) {
        EntryPiece& piece = pieces_[i];
        for (std::size_t k = 0; k != piece.row.size(); ++k) {
          const std::int32_t row = piece.row[k];
          const double value = valued_ ? piece.value[k] : 1;
          val[place[row]++] = value;
          if (mirrored_ && row != piece.col[k]) val[place[piece.col[k]]++] = skew_ ? -value : value;
        }
        piece.value = {};
      }
    });
    return val;
  }

  /// Puts columns into place, last ones first, and gives the pieces back. After values().
  Array<std::int32_t> columns(std::int64_t nnz) {
    Array<std::int32_t> col(nnz);
    for_workers([&](std::size_t worker, std::int64_t* behind) {
      for (std::size_t i = first_piece(worker + 1); i-- != first_piece(worker);) {
        EntryPiece& piece = pieces_[i];
        for (std::size_t k = piece.row.size(); k-- != 0;) {
          const std::int32_t row = piece.row[k];
          const std::int32_t column = piece.col[k];
          if (mirrored_ && row != column) col[--behind[column]] = row;
          col[--behind[row]] = column;
        }
        piece = {};
      }
    });
    return col;
  }

 private:
  [[nodiscard]] std::size_t first_piece(std::size_t worker) const { return pieces_.size() * worker / workers_; }

  /// f(worker, its positions)
  template <class F>
  void for_workers(const F& f) const {
    team_.for_blocks(static_cast<std::int64_t>(workers_), 1, [&](std::int64_t from, std::int64_t to) {
      for (auto worker = static_cast<std::size_t>(from); worker != static_cast<std::size_t>(to); ++worker)
        f(worker, places_.data() + worker * rows_);
    });
  }
  template <class F>
  void for_rows(const F& f) const {
    team_.for_blocks(static_cast<std::int64_t>(rows_), kRowGrain, [&](std::int64_t from, std::int64_t to) {
      for (auto row = static_cast<std::size_t>(from); row != static_cast<std::size_t>(to); ++row) f(row);
    });
  }

  Team team_;
  EntryPieces& pieces_;
  std::size_t rows_;
  bool mirrored_, skew_, valued_;
  std::size_t workers_ = 1;
  Array<std::int64_t> places_;
};

}  // namespace

Csr<double> assemble(const Header& header, EntryPieces pieces) {
  // zero pages stay untouched: a few bytes that promise an empty matrix of any size cost nothing
  if (header.entries == 0)
    return {header.rows, header.cols, Array<std::int64_t>::zeroed(static_cast<std::size_t>(header.rows) + 1), {}, {}};
  Sort sort(header, pieces);
  Array<std::int64_t> row_ptr = sort.count();
  const std::int64_t nnz = row_ptr[header.rows];
  Array<double> val = sort.values(nnz);
  Array<std::int32_t> col = sort.columns(nnz);
  return {header.rows, header.cols, std::move(row_ptr), std::move(col), std::move(val)};
}

}  // namespace rowan::io
