#pragma once
/// \file
/// R·A·P in one operation: how it is done, what it took, and plans of it. The calls are Context's.

#include <memory>
#include <span>
#include <string>

#include <rowan/csr.hpp>
#include <rowan/export.hpp>
#include <rowan/options.hpp>

namespace rowan {

/// fused: rows of A·P are made where rows of C need them, and soon forgotten; none is sorted. two_products: A·P, then
/// R·(A·P), each with all that multiply() chooses from. automatic: two_products, which take no longer on anything
/// measured. fused stores no A·P.
enum class GalerkinWay : std::uint8_t { automatic, fused, two_products };

/// Times in seconds, and what was done.
struct GalerkinStats {
  double prepare = 0;   ///< checks, transposes, widened row pointers
  double choosing = 0;  ///< sizes of the fused way; what the two products chose by is in `ap` and `rap`
  double numeric = 0;   ///< of the fused way, with the allocation of C
  double total = 0;
  bool fused = false;
  std::string reason = {};      ///< why it was done so
  int threads = 1;              ///< workers that could be used
  std::int64_t nprod_ap = 0;    ///< products of A·P
  std::int64_t rows_twice = 0;  ///< rows of A·P that the fused way made again, for a later row of C
  std::int64_t nprod_rap = 0;   ///< products of R with A·P
  std::int64_t nnz = 0;         ///< of C
  std::int64_t bytes_c = 0;
  std::int64_t bytes_temporary = 0;  ///< all that was held beside C, A·P too where it was made
  Stats ap = {}, rap = {};           ///< of the two products; empty where fused
};

/// R·A·P of known patterns: a Plan of A·P and one of R·(A·P), whichever way galerkin() would go. Owns C's pattern.
/// Several threads may execute it at the same time. A plan that was moved from is empty: its sizes are 0, execute()
/// throws Error{invalid_argument}.
class ROWAN_API GalerkinPlan {
 public:
  /// C's values for inputs of the planned patterns, with the bits of Context::galerkin. An empty C becomes the product;
  /// any other C must have the planned pattern, only its values are written. Memory: A·P's values. Throws
  /// Error{invalid_argument}, and leaves C unchanged, where a pattern is not the planned one (checked as Plan::execute
  /// does).
  void execute(const CsrView<float>& r, const CsrView<float>& a, const CsrView<float>& p, Csr<float>& c) const;
  void execute(const CsrView<double>& r, const CsrView<double>& a, const CsrView<double>& p, Csr<double>& c) const;
  /// The same of Pᵀ·A·P.
  void execute(const CsrView<float>& a, const CsrView<float>& p, Csr<float>& c) const;
  void execute(const CsrView<double>& a, const CsrView<double>& p, Csr<double>& c) const;
  /// The same into memory of the caller, which has nnz() values.
  void execute(const CsrView<float>& r, const CsrView<float>& a, const CsrView<float>& p, std::span<float> val) const;
  void execute(const CsrView<double>& r, const CsrView<double>& a, const CsrView<double>& p,
               std::span<double> val) const;
  void execute(const CsrView<float>& a, const CsrView<float>& p, std::span<float> val) const;
  void execute(const CsrView<double>& a, const CsrView<double>& p, std::span<double> val) const;

  /// C's pattern, the plan's memory; empty where the plan was moved from.
  [[nodiscard]] std::span<const std::int64_t> row_ptr() const noexcept;  ///< rows() + 1
  [[nodiscard]] std::span<const Column> col() const noexcept;            ///< nnz(), rising in each row

  [[nodiscard]] std::int64_t rows() const noexcept;
  [[nodiscard]] std::int64_t cols() const noexcept;
  [[nodiscard]] std::int64_t nnz() const noexcept;
  [[nodiscard]] std::int64_t bytes() const noexcept;  ///< that it keeps

  struct State;

 private:
  friend class Context;
  explicit GalerkinPlan(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  [[nodiscard]] const State& state() const;  // throws where it was moved from
  std::shared_ptr<const State> state_;
};

/// R·A·P with a context of its own; see Context::galerkin.
[[nodiscard]] ROWAN_API Csr<float> galerkin(const CsrView<float>& r, const CsrView<float>& a, const CsrView<float>& p,
                                            const Options& options = {});
[[nodiscard]] ROWAN_API Csr<double> galerkin(const CsrView<double>& r, const CsrView<double>& a,
                                             const CsrView<double>& p, const Options& options = {});
/// Pᵀ·A·P with a context of its own.
[[nodiscard]] ROWAN_API Csr<float> galerkin(const CsrView<float>& a, const CsrView<float>& p,
                                            const Options& options = {});
[[nodiscard]] ROWAN_API Csr<double> galerkin(const CsrView<double>& a, const CsrView<double>& p,
                                             const Options& options = {});

}  // namespace rowan
