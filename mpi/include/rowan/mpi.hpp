#pragma once
/// \file
/// Products of matrices whose rows are spread over the processes of an MPI communicator: C = A·B, C = Aᵀ·B and
/// C = Pᵀ·A·P. A process has consecutive rows of every matrix, and fetches just the rows of B that its columns of A
/// name (1-D, sparsity-aware: Hong and Buluç, SC'24).
///
/// Every function here but those marked "local" is collective: all processes of the communicator call it, in the same
/// order. Where one of them fails, all throw: it what it found, the others an Error of the same code that names its
/// rank. Needs MPI 3; one thread of a process calls MPI (MPI_THREAD_FUNNELED).

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <mpi.h>

#include <rowan/context.hpp>
#include <rowan/csr.hpp>
#include <rowan/options.hpp>
#include <rowan/wide.hpp>

namespace rowan::mpi {

/// How many threads a process may use so that all together do not exceed the machine's: the CPUs of its affinity,
/// shared by the processes of this machine that may run on any of them. At least 1. Collective.
[[nodiscard]] int share_of_cpus(MPI_Comm comm);

/// Which rows, or columns, are which process's: rank r has [begin(r), end(r)), all in order. Copies share memory.
class Layout {
 public:
  Layout() = default;
  /// `begins` has an element for each rank and a last one, the number of all; the first is 0. Local.
  explicit Layout(std::vector<std::int64_t> begins)
      : begins_(std::make_shared<const std::vector<std::int64_t>>(std::move(begins))) {}
  /// From how many this process has.
  static Layout of(MPI_Comm comm, std::int64_t own);

  [[nodiscard]] int ranks() const noexcept { return begins_ == nullptr ? 1 : static_cast<int>(begins_->size()) - 1; }
  [[nodiscard]] std::int64_t begin(int rank) const {
    return begins_ == nullptr ? 0 : (*begins_)[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] std::int64_t end(int rank) const { return begin(rank + 1); }
  [[nodiscard]] std::int64_t own(int rank) const { return end(rank) - begin(rank); }
  [[nodiscard]] std::int64_t all() const noexcept { return begins_ == nullptr ? 0 : begins_->back(); }
  bool operator==(const Layout& other) const {
    if (begins_ == other.begins_) return true;
    if (ranks() != other.ranks()) return false;
    for (int r = 0; r <= ranks(); r++)
      if (begin(r) != other.begin(r)) return false;
    return true;
  }

 private:
  std::shared_ptr<const std::vector<std::int64_t>> begins_ = nullptr;  // nullptr: one process that has none
};

/// This process's rows of a matrix, in two pieces side by side: its own columns, and those of other processes. Memory
/// of the caller. The order of a row's entries is: columns of lower ranks, own columns, columns of higher ranks; in
/// each of the three that of the piece.
template <class T>
struct RowsView {
  Layout rows = {}, cols = {};
  CsrView<T> own = {};                       ///< own rows x own columns, counted from the first own column
  CsrView<T> others = {};                    ///< own rows x names.size(): column k is names[k]
  std::span<const std::int64_t> names = {};  ///< global columns of other processes, rising
};

/// The same with memory of its own: what products return. Each piece's rows are sorted.
template <class T>
struct Rows {
  Layout rows = {}, cols = {};
  Csr<T> own = {}, others = {};
  std::vector<std::int64_t> names = {};
  [[nodiscard]] RowsView<T> view() const {
    return {.rows = rows, .cols = cols, .own = own, .others = others, .names = names};
  }
  operator RowsView<T>() const { return view(); }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] std::int64_t nnz() const noexcept { return own.nnz() + others.nnz(); }
};

/// Rows with global columns as two pieces, each entry where it was in its row, and back. Local; O(nnz log(names)).
/// Throws Error{invalid_argument} where a column lies outside of `cols`.
template <class T>
[[nodiscard]] Rows<T> split(const WideCsrView<T>& own_rows, const Layout& rows, const Layout& cols, int rank);
template <class T>
[[nodiscard]] WideCsr<T> join(const RowsView<T>& matrix, int rank);

/// What a product has moved and done on this process. Times in seconds.
struct ProductStats {
  double exchange = 0;             ///< lists, columns and values sent and received, waiting included
  double assemble = 0;             ///< A and B brought together, columns renumbered
  double divide = 0;               ///< C in two pieces
  Stats local = {};                ///< of the multiplication
  std::int64_t rows_received = 0;  ///< of B
  std::int64_t bytes_received = 0;
  std::int64_t bytes_sent = 0;
};

/// A product whose patterns are known, and its first values. Keeps what was exchanged, so that new values of the same
/// patterns cost one message to each neighbour and a Plan's execution.
template <class T>
class Product {
 public:
  /// C = A·B: A.cols must be the layout of B's rows. The bits are those of the product in one process, on any number of
  /// processes: entries are summed in the order of A's columns (where rows of A are sorted). Memory: A, the rows of B
  /// that A names, C; the context's limit holds for the local multiplication. Throws Error as Context::multiply().
  /// `validate`: check A and B first, O(nnz); without it a broken matrix is undefined behaviour.
  static Product multiply(const Context& context, MPI_Comm comm, const RowsView<T>& a, const RowsView<T>& b,
                          bool validate = true);
  /// C = Aᵀ·B: A and B have one layout of rows, C has A's columns as rows. Rows of A and B go to the processes whose
  /// columns they have; Aᵀ is never a distributed matrix. Entries are summed in the order of A's rows.
  static Product transposed_multiply(const Context& context, MPI_Comm comm, const RowsView<T>& a, const RowsView<T>& b,
                                     bool validate = true);

  Product(Product&&) noexcept;
  Product& operator=(Product&&) noexcept;
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  ~Product();

  /// C as it was first computed, once: it belongs to the caller then.
  [[nodiscard]] Rows<T> take();

  /// C's values for new values of the same patterns (not checked), in the order of the pieces of take(). The first
  /// call also makes a Plan.
  void execute(const RowsView<T>& a, const RowsView<T>& b, std::span<T> own, std::span<T> others);

  [[nodiscard]] const ProductStats& stats() const noexcept;

  struct State;

 private:
  explicit Product(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// C = Pᵀ·A·P as two products: A·P stays where its rows are, its rows go to the processes whose rows of C they add to.
/// The bits are those of Context::galerkin(A, P) in one process.
template <class T>
class GalerkinProduct {
 public:
  GalerkinProduct(const Context& context, MPI_Comm comm, const RowsView<T>& a, const RowsView<T>& p,
                  bool validate = true);
  GalerkinProduct(GalerkinProduct&&) noexcept;
  GalerkinProduct& operator=(GalerkinProduct&&) noexcept;
  GalerkinProduct(const GalerkinProduct&) = delete;
  GalerkinProduct& operator=(const GalerkinProduct&) = delete;
  ~GalerkinProduct();
  [[nodiscard]] Rows<T> take();
  void execute(const RowsView<T>& a, const RowsView<T>& p, std::span<T> own, std::span<T> others);
  [[nodiscard]] const ProductStats& first() const noexcept;   ///< of A·P
  [[nodiscard]] const ProductStats& second() const noexcept;  ///< of Pᵀ·(A·P)

  struct State;

 private:
  std::unique_ptr<State> state_;
};

/// C alone; see Product::multiply.
template <class T>
[[nodiscard]] Rows<T> multiply(const Context& context, MPI_Comm comm, const RowsView<T>& a, const RowsView<T>& b) {
  return Product<T>::multiply(context, comm, a, b).take();
}
template <class T>
[[nodiscard]] Rows<T> multiply(const Context& context, MPI_Comm comm, const Rows<T>& a, const Rows<T>& b) {
  return multiply(context, comm, a.view(), b.view());
}

}  // namespace rowan::mpi
