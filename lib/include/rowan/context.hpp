#pragma once
/// \file
/// Multiplying: Context, Plan and the free function.

#include <memory>

#include <rowan/csr.hpp>
#include <rowan/inspection.hpp>
#include <rowan/options.hpp>

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

/// Holds options and a policy, and a device where the options name a backend that is one: matrices are the host's all
/// the same. Any number of threads may use one at once. What contexts share is the process's: freed memory that is kept
/// (release_memory), the limit on vector instructions (ROWAN_INSTRUCTIONS, read once), and where Options::threads is 0
/// the caller's oneTBB arena. A context that was moved from is empty: it can be destroyed or assigned to, every other
/// call throws Error{invalid_argument}.
class Context {
 public:
  /// Throws Error{invalid_argument} for unknown names and impossible numbers, Error{unsupported} for a backend that
  /// this build does not have, Error{device} where there is no such device, and what reading the model throws.
  explicit Context(Options options = {});

  /// C = A·B, (A.rows x B.cols), columns of each row rising, no duplicates, structural zeros kept.
  ///
  /// Every entry of C is the sum, from +0, of its products in the order of A's entries, each product rounded before it
  /// is added: the same bits whatever is chosen, on any number of threads and with any instruction set (which payload
  /// a NaN carries is not part of that). On a device the order is any. Duplicate entries of an input row count as their
  /// sum. O(products) for the usual accumulators; memory: C, O(products) a thread at most, 25 bytes a row of A, 13 a
  /// row of B (rows without entries do not count where they are most). On a device: C in chunks of rows where it does
  /// not fit its memory, or the limit; all of A and B must. Throws Error: invalid_argument (a broken matrix, A.cols !=
  /// B.rows), overflow, out_of_memory, memory_limit, cancelled, device. The inputs are never changed; nothing is left
  /// behind on error. Gustavson 1978, row by row.
  [[nodiscard]] Csr<float> multiply(const CsrView<float>& a, const CsrView<float>& b, Stats* stats = nullptr) const;
  [[nodiscard]] Csr<double> multiply(const CsrView<double>& a, const CsrView<double>& b, Stats* stats = nullptr) const;

  /// The exact size of C = A·B and of each of its rows, without its values.
  [[nodiscard]] Symbolic symbolic(const CsrView<float>& a, const CsrView<float>& b) const;
  [[nodiscard]] Symbolic symbolic(const CsrView<double>& a, const CsrView<double>& b) const;

  /// Everything that does not depend on values, for multiplying the same patterns again and again: C's pattern, and for
  /// each product its place in C's row (2 bytes, 4 in rows of more than 65,536 entries; once for rows of one pattern),
  /// unless those exceed the memory limit. Takes a multiply and a pass over the products. On a device: A, B and C in
  /// its memory and the decisions of the numeric phase, which runs anew for new values; C must fit there in one piece.
  [[nodiscard]] Plan plan(const CsrView<float>& a, const CsrView<float>& b) const;
  [[nodiscard]] Plan plan(const CsrView<double>& a, const CsrView<double>& b) const;

  /// What a multiply would choose, for every row, and why; `measure` also times every feasible accumulator of every
  /// bin (not on a device: Error{unsupported}).
  [[nodiscard]] Inspection inspect(const CsrView<float>& a, const CsrView<float>& b, bool measure = false) const;
  [[nodiscard]] Inspection inspect(const CsrView<double>& a, const CsrView<double>& b, bool measure = false) const;

  struct State;

 private:
  [[nodiscard]] const std::shared_ptr<const State>& state() const;  // throws where it was moved from
  std::shared_ptr<const State> state_;
};

/// A multiplication whose patterns are known. Keeps its context's policy and options alive and owns C's pattern; may be
/// executed from several threads at once (on a device they take turns). One that was moved from is empty: its sizes are
/// 0, execute() throws Error{invalid_argument}. Where an execution fails on its way, for want of memory or cancelled,
/// an empty C stays empty, and in any other some values are the new ones.
class Plan {
 public:
  /// C's values for inputs of the planned patterns. An empty C becomes the product; any other must be one made by this
  /// plan (or of its pattern), of which only the values are written. Throws Error{invalid_argument}, and leaves C as it
  /// was, where a pattern is not the planned one.
  ///
  /// A's and B's patterns are checked at every execution, whatever Options::validate says, by 128 bits for each
  /// kilobyte of them, under a key drawn at random for each plan: a pattern that is another passes with a probability
  /// of 2^-128 at most, unless it was made by someone who read the key in this process's memory. A C that this plan
  /// made is taken without a look (its pattern may not be changed); any other is compared, entry by entry, the first
  /// time. O(rows + nnz(A) + nnz(B)).
  void execute(const CsrView<float>& a, const CsrView<float>& b, Csr<float>& c) const;
  void execute(const CsrView<double>& a, const CsrView<double>& b, Csr<double>& c) const;

  [[nodiscard]] std::int64_t rows() const noexcept;
  [[nodiscard]] std::int64_t cols() const noexcept;
  [[nodiscard]] std::int64_t nnz() const noexcept;  ///< of C
  [[nodiscard]] std::int64_t nprod() const noexcept;
  [[nodiscard]] std::int64_t bytes() const noexcept;  ///< that the plan keeps, on the host and on a device

  struct State;

 private:
  friend class Context;
  explicit Plan(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  [[nodiscard]] const State& state() const;  // throws where it was moved from
  std::shared_ptr<const State> state_;
};

/// C = A·B with a context of its own; see Context::multiply.
[[nodiscard]] Csr<float> multiply(const CsrView<float>& a, const CsrView<float>& b, const Options& options = {});
[[nodiscard]] Csr<double> multiply(const CsrView<double>& a, const CsrView<double>& b, const Options& options = {});

}  // namespace rowan
