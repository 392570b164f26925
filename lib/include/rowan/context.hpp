#pragma once
/// \file
/// Multiplying: Context, Plan and the free functions.

#include <memory>
#include <span>

#include <rowan/csr.hpp>
#include <rowan/divided.hpp>
#include <rowan/export.hpp>
#include <rowan/galerkin.hpp>
#include <rowan/inspection.hpp>
#include <rowan/options.hpp>
#include <rowan/pattern.hpp>
#include <rowan/row_sink.hpp>
#include <rowan/stacked.hpp>
#include <rowan/wide.hpp>

namespace rowan {

/// Sizes of a product before its values are computed.
struct Symbolic {
  Array<std::int64_t> row_ptr = {};  ///< of C, rows + 1
  std::int64_t nprod = 0;
  std::int64_t nnz = 0;
  std::int64_t bytes_c = 0;          ///< that C takes
  std::int64_t bytes_temporary = 0;  ///< that a multiply takes beside it, at most
};

class Plan;

/// Holds options and a policy, and a device where the options name a device backend; matrices are in the host's memory
/// in any case. Several threads may use one context at the same time. Contexts share only what belongs to the process:
/// cached memory of freed results (release_memory), the limit on vector instructions (ROWAN_INSTRUCTIONS, read once),
/// and, where Options::threads is 0, the caller's oneTBB arena. A context that was moved from is empty: it can be
/// destroyed or assigned to; every other call throws Error{invalid_argument}.
class ROWAN_API Context {
 public:
  /// Throws Error{invalid_argument} for unknown names and impossible numbers, Error{unsupported} for a backend that
  /// this build does not have, Error{device} where there is no such device, and the errors of reading a policy file.
  explicit Context(Options options = {});

  /// C = A·B, (A.rows x B.cols), columns of each row rising, no duplicates, structural zeros kept.
  ///
  /// Every entry of C is the sum, from +0, of its products in the order of A's entries, each product rounded before it
  /// is added: the same bits for every choice, number of threads and instruction set (apart from the payload of a
  /// NaN). On a device the order is any. Duplicate entries of an input row count as their sum. O(products) for the
  /// usual accumulators. Memory: C, O(products) a thread at most, 25 bytes a row of A, 13 a row of B (empty rows do not
  /// count where most rows are empty). On a device C comes in chunks of rows where it does not fit the device's memory
  /// or the limit. Where A and B do not, chunks of A's rows go up, each with copies of the rows of B that it names (as
  /// much as A and B on the host at most). Throws
  /// Error: invalid_argument (a broken matrix, A.cols != B.rows), overflow, out_of_memory, memory_limit (on a device
  /// both where a single row does not fit, which is named), cancelled, device. The inputs are never changed; nothing is
  /// left behind on error. Gustavson 1978, row by row.
  [[nodiscard]] Csr<float> multiply(const CsrView<float>& a, const CsrView<float>& b, Stats* stats = nullptr) const;
  [[nodiscard]] Csr<double> multiply(const CsrView<double>& a, const CsrView<double>& b, Stats* stats = nullptr) const;

  /// The same where B is given in several pieces of rows, with the bits of the product with one B: the order of
  /// additions is that of A's entries, whatever pieces their rows of B are in. Pieces are copied one below another
  /// first (O(nnz(B)), within the memory limit); a single piece is not copied.
  [[nodiscard]] Csr<float> multiply(const CsrView<float>& a, const StackedView<float>& b, Stats* stats = nullptr) const;
  [[nodiscard]] Csr<double> multiply(const CsrView<double>& a, const StackedView<double>& b,
                                     Stats* stats = nullptr) const;

  /// C in two pieces side by side: the columns of a range, and all others, with the bits of multiply(). On the host C
  /// is divided while it is made, chunk by chunk in the cache; with a memory limit or on a device, afterwards.
  /// O(nnz(C)) more. Memory: what is outside, twice for a moment. Throws Error{invalid_argument} where `inside` is no
  /// range of C's columns, and what multiply() throws. What a process of many needs: own columns, and those of others.
  [[nodiscard]] DividedCsr<float> multiply_divided(const CsrView<float>& a, const CsrView<float>& b, ColumnRange inside,
                                                   Stats* stats = nullptr) const;
  [[nodiscard]] DividedCsr<double> multiply_divided(const CsrView<double>& a, const CsrView<double>& b,
                                                    ColumnRange inside, Stats* stats = nullptr) const;

  /// The same of matrices with 64-bit columns. Their columns are copied as 32-bit ones first; where B has more than
  /// 2^31 - 1 columns, or A, those that occur are renumbered, in their order, so the bits of C stay the same. Throws
  /// Error{overflow} where more than that occur, or a matrix has more rows; a transposed one may have no more columns.
  /// O(nnz) more, or O(nnz log nnz) where columns are renumbered; copies are within the memory limit.
  [[nodiscard]] WideCsr<float> multiply(const WideCsrView<float>& a, const WideCsrView<float>& b,
                                        Stats* stats = nullptr) const;
  [[nodiscard]] WideCsr<double> multiply(const WideCsrView<double>& a, const WideCsrView<double>& b,
                                         Stats* stats = nullptr) const;

  /// C = alpha·A·B + beta·E. Each entry is the sum, from +0, of (alpha·a)·b in the order of A's entries and then of
  /// beta·e in the order of E's, each product rounded; so beta·E comes last. C has an entry wherever A·B or E has one,
  /// also where alpha or beta is 0. O(products + nnz(E)): beta·E is added to rows of C while they are made, and copied
  /// are at most A's values, where alpha is not 1. On a device, within a memory limit and where columns of a row of E
  /// do not rise, it is the product [alpha·A | beta·I] by [B; E], copies of all three. Throws Error{invalid_argument}
  /// where E has not the size of A·B, and what multiply() throws.
  [[nodiscard]] Csr<float> multiply_add(float alpha, const CsrView<float>& a, const CsrView<float>& b, float beta,
                                        const CsrView<float>& e, Stats* stats = nullptr) const;
  [[nodiscard]] Csr<double> multiply_add(double alpha, const CsrView<double>& a, const CsrView<double>& b, double beta,
                                         const CsrView<double>& e, Stats* stats = nullptr) const;

  /// C = R·A·P (R.rows x P.cols), the coarse matrix of multigrid, with the bits of multiply(R, multiply(A, P)): each
  /// entry of A·P is the sum, from +0, of its products in the order of A's entries, and each entry of C that of its
  /// products in the order of R's. It is two multiplications, unless `way` asks for the fused one: there rows of A·P
  /// are made where rows of C need them and soon forgotten, so that A·P is never in memory as a whole. A device has two
  /// multiplications alone. R may be transposed(P). O(products), in the fused way times the share of rows of A·P that
  /// are made again. Throws as multiply(); messages name R, A and P.
  [[nodiscard]] Csr<float> galerkin(const CsrView<float>& r, const CsrView<float>& a, const CsrView<float>& p,
                                    GalerkinStats* stats = nullptr, GalerkinWay way = GalerkinWay::automatic) const;
  [[nodiscard]] Csr<double> galerkin(const CsrView<double>& r, const CsrView<double>& a, const CsrView<double>& p,
                                     GalerkinStats* stats = nullptr, GalerkinWay way = GalerkinWay::automatic) const;
  /// C = Pᵀ·A·P: galerkin(transposed(P), A, P).
  [[nodiscard]] Csr<float> galerkin(const CsrView<float>& a, const CsrView<float>& p, GalerkinStats* stats = nullptr,
                                    GalerkinWay way = GalerkinWay::automatic) const;
  [[nodiscard]] Csr<double> galerkin(const CsrView<double>& a, const CsrView<double>& p, GalerkinStats* stats = nullptr,
                                     GalerkinWay way = GalerkinWay::automatic) const;

  /// What does not depend on values, to compute R·A·P of the same patterns again; with `c`, and the first product, at
  /// little more than the time of two multiplications.
  [[nodiscard]] GalerkinPlan plan_galerkin(const CsrView<float>& r, const CsrView<float>& a, const CsrView<float>& p,
                                           Csr<float>* c = nullptr) const;
  [[nodiscard]] GalerkinPlan plan_galerkin(const CsrView<double>& r, const CsrView<double>& a, const CsrView<double>& p,
                                           Csr<double>* c = nullptr) const;
  /// Of Pᵀ·A·P.
  [[nodiscard]] GalerkinPlan plan_galerkin(const CsrView<float>& a, const CsrView<float>& p,
                                           Csr<float>* c = nullptr) const;
  [[nodiscard]] GalerkinPlan plan_galerkin(const CsrView<double>& a, const CsrView<double>& p,
                                           Csr<double>* c = nullptr) const;

  /// The exact size of C = A·B and of each of its rows, without its values. On a device in chunks as multiply(), where
  /// A and B do not fit.
  [[nodiscard]] Symbolic symbolic(const CsrView<float>& a, const CsrView<float>& b) const;
  [[nodiscard]] Symbolic symbolic(const CsrView<double>& a, const CsrView<double>& b) const;

  /// C's columns and values, with the bits of multiply(), into memory of the caller: `sizes` is what symbolic()
  /// returned for the same A and B, and `col` and `val` have sizes.nnz elements. Both calls together take about as long
  /// as a multiplication in two phases. Throws as multiply(), and Error{invalid_argument} where a span or `sizes` is of
  /// another product; nothing is written outside of the spans, in which some rows may stand then.
  void multiply_into(const CsrView<float>& a, const CsrView<float>& b, const Symbolic& sizes, std::span<Column> col,
                     std::span<float> val, Stats* stats = nullptr) const;
  void multiply_into(const CsrView<double>& a, const CsrView<double>& b, const Symbolic& sizes, std::span<Column> col,
                     std::span<double> val, Stats* stats = nullptr) const;

  /// C = A·B, with the bits of multiply(), where C may be larger than memory: in blocks of whole rows, in order, each
  /// given to `sink` (row_sink.hpp) and forgotten; the sink is not called where C has no rows. While the sink has a
  /// block the next one is computed: the time is the longer of multiply()'s and the sink's. All that is held together
  /// keeps Options::memory_limit: two blocks of C, at most 64 MiB each (one row may be larger), copies and facts of A
  /// and B and the temporaries of one block. A and B themselves do not count; they may be mapped files. On a device
  /// each block is a multiplication of its own, for which B is sent again, and blocks are larger; Backend::automatic is
  /// the host. Throws as multiply(), Error{memory_limit} where a row of C alone does not fit, which it names, and what
  /// the sink throws, unchanged; blocks that the sink took before stay taken. It returns, or throws, after the sink's
  /// last call has returned.
  void multiply_in_blocks(const CsrView<float>& a, const CsrView<float>& b, const RowSink<float>& sink,
                          Stats* stats = nullptr) const;
  void multiply_in_blocks(const CsrView<double>& a, const CsrView<double>& b, const RowSink<double>& sink,
                          Stats* stats = nullptr) const;
  /// The same of rows [first, rows of C), with exact sizes: `sizes` is what symbolic() returned for the same A and B.
  /// To know where a block goes before it is made, or to go on behind the last row that a sink took before. Throws
  /// Error{invalid_argument}, too, where `sizes` is of another product or C has no row `first`.
  void multiply_in_blocks(const CsrView<float>& a, const CsrView<float>& b, const Symbolic& sizes, std::int64_t first,
                          const RowSink<float>& sink, Stats* stats = nullptr) const;
  void multiply_in_blocks(const CsrView<double>& a, const CsrView<double>& b, const Symbolic& sizes, std::int64_t first,
                          const RowSink<double>& sink, Stats* stats = nullptr) const;

  /// C's pattern alone: row pointers and sorted columns, structural zeros kept. O(products + nnz(C) log(longest row))
  /// where rows are not measured (thin products), else a multiplication of zeros. Throws as multiply().
  [[nodiscard]] CsrPattern pattern(const PatternView& a, const PatternView& b) const;

  /// Everything that does not depend on values, to multiply the same patterns again: C's pattern, and for each product
  /// its position in C's row (2 bytes, 4 in rows of more than 65,536 entries; once for rows of one pattern), unless the
  /// positions exceed the memory limit. Takes a multiplication and a pass over the products. Where rows are not
  /// measured (thin products) it takes less than a multiplication and reads no value; positions are written down by the
  /// second execution. On a device: A, B and C in its memory and the decisions of the numeric phase, which runs again
  /// for new values; all of C must fit there.
  [[nodiscard]] Plan plan(const CsrView<float>& a, const CsrView<float>& b) const;
  [[nodiscard]] Plan plan(const CsrView<double>& a, const CsrView<double>& b) const;
  /// For a B of several pieces, which are copied one below another now and at each execution.
  [[nodiscard]] Plan plan(const CsrView<float>& a, const StackedView<float>& b) const;
  [[nodiscard]] Plan plan(const CsrView<double>& a, const StackedView<double>& b) const;
  /// The plan and its first product, in little more than the time of a multiplication: C becomes what multiply() gives,
  /// bit by bit, and is one that the plan made.
  [[nodiscard]] Plan plan(const CsrView<float>& a, const CsrView<float>& b, Csr<float>& c) const;
  [[nodiscard]] Plan plan(const CsrView<double>& a, const CsrView<double>& b, Csr<double>& c) const;
  /// The same plan from patterns that have no values yet. On a device it is first made for float, and made again by the
  /// first execution with double.
  [[nodiscard]] Plan plan(const PatternView& a, const PatternView& b) const;

  /// What a multiply would choose, for every row, and why; `measure` also times every feasible accumulator of every
  /// bin (not on a device: Error{unsupported}).
  [[nodiscard]] Inspection inspect(const CsrView<float>& a, const CsrView<float>& b, bool measure = false) const;
  [[nodiscard]] Inspection inspect(const CsrView<double>& a, const CsrView<double>& b, bool measure = false) const;

  struct State;

 private:
  [[nodiscard]] const std::shared_ptr<const State>& state() const;  // throws where it was moved from
  std::shared_ptr<const State> state_;
};

/// A multiplication whose patterns are known. Keeps its context's policy and options alive and owns C's pattern.
/// Several threads may execute it at the same time (on a device one after another). A plan that was moved from is
/// empty: its sizes are 0, execute() throws Error{invalid_argument}. Where an execution fails (out of memory, or
/// cancelled), an empty C stays empty; any other C may have some of the new values.
class ROWAN_API Plan {
 public:
  /// C's values for inputs of the planned patterns. An empty C becomes the product. Any other C must be made by this
  /// plan, or have its pattern; only its values are written. Throws Error{invalid_argument}, and leaves C unchanged,
  /// where a pattern is not the planned one.
  ///
  /// A's and B's patterns are checked at every execution, whatever Options::validate says, by a hash of each
  /// kilobyte of them, under a key drawn at random for each plan: a different pattern passes with a probability of
  /// 2^-64 at most, unless it was made with the key read from this process's memory. A C that this plan made is not
  /// checked (its pattern must not be changed); any other is compared, entry by entry, the first time. O(rows + nnz(A)
  /// + nnz(B)).
  void execute(const CsrView<float>& a, const CsrView<float>& b, Csr<float>& c) const;
  void execute(const CsrView<double>& a, const CsrView<double>& b, Csr<double>& c) const;
  /// The same for a B of several pieces; where they begin need not be as planned.
  void execute(const CsrView<float>& a, const StackedView<float>& b, Csr<float>& c) const;
  void execute(const CsrView<double>& a, const StackedView<double>& b, Csr<double>& c) const;
  /// The same into memory of the caller: C's values in the order of row_ptr() and col(). Throws Error{invalid_argument}
  /// where `val` has not nnz() values.
  void execute(const CsrView<float>& a, const CsrView<float>& b, std::span<float> val) const;
  void execute(const CsrView<double>& a, const CsrView<double>& b, std::span<double> val) const;

  /// C's pattern, the plan's memory; empty where the plan was moved from.
  [[nodiscard]] std::span<const std::int64_t> row_ptr() const noexcept;  ///< rows() + 1
  [[nodiscard]] std::span<const Column> col() const noexcept;            ///< nnz(), rising in each row

  [[nodiscard]] std::int64_t rows() const noexcept;
  [[nodiscard]] std::int64_t cols() const noexcept;
  [[nodiscard]] std::int64_t nnz() const noexcept;  ///< of C
  [[nodiscard]] std::int64_t nprod() const noexcept;
  [[nodiscard]] std::int64_t bytes() const noexcept;  ///< that it keeps, on the host and on a device, now

  struct State;

 private:
  friend class Context;
  explicit Plan(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  [[nodiscard]] const State& state() const;  // throws where it was moved from
  std::shared_ptr<const State> state_;
};

/// C = A·B with a context of its own; see Context::multiply.
[[nodiscard]] ROWAN_API Csr<float> multiply(const CsrView<float>& a, const CsrView<float>& b,
                                            const Options& options = {});
[[nodiscard]] ROWAN_API Csr<double> multiply(const CsrView<double>& a, const CsrView<double>& b,
                                             const Options& options = {});

/// alpha·A·B + beta·E with a context of its own; see Context::multiply_add.
[[nodiscard]] ROWAN_API Csr<float> multiply_add(float alpha, const CsrView<float>& a, const CsrView<float>& b,
                                                float beta, const CsrView<float>& e, const Options& options = {});
[[nodiscard]] ROWAN_API Csr<double> multiply_add(double alpha, const CsrView<double>& a, const CsrView<double>& b,
                                                 double beta, const CsrView<double>& e, const Options& options = {});

/// The pattern of A·B with a context of its own; see Context::pattern.
[[nodiscard]] ROWAN_API CsrPattern pattern(const PatternView& a, const PatternView& b, const Options& options = {});

}  // namespace rowan
