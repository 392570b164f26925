// Operands of several pieces: one copy, one below another, and then a multiplication like any other; but what is added
// to a product comes to it while it is made, where its rows rise.
#include "lib/api/beside.hpp"
#include "lib/core/border.hpp"
#include "lib/core/stack.hpp"
#include "lib/core/view.hpp"
#include "lib/host/adder.hpp"
#include <rowan/error.hpp>
#include <rowan/operations.hpp>

namespace rowan {
namespace {

template <class T>
Csr<T> stacked(const Context::State& state, const StackedView<T>& view, const Team& team) {
  require_memory(state, stack_bytes(view), "B's pieces, one below another,");
  return stack(view, "B", state.options.validate, team);
}

template <class T>
Csr<T> multiply_pieces(const Context& context, const Context::State& state, const CsrView<T>& a,
                       const StackedView<T>& b, Stats* stats) {
  if (b.pieces.size() == 1) return context.multiply(a, b.pieces[0], stats);
  const Csr<T> all = stacked(state, b, Team(state.options.threads));
  return multiply_beside(context, state, a, all.view(), stack_bytes(b), stats);
}

/// [alpha A | beta I]: each row of A, scaled, and behind its entries beta in a column of its own.
template <class T>
Csr<T> with_identity(T alpha, const Operand<T>& a, T beta) {
  const std::int64_t nnz = a.nnz() + a.rows;
  Array<std::int64_t> row_ptr(a.rows + 1);
  Array<Column> col(nnz);
  Array<T> val(nnz);
  row_ptr[0] = 0;
  for (std::int64_t i = 0, k = 0; i < a.rows; i++) {
    for (std::int64_t e = a.ptr[i]; e < a.ptr[i + 1]; e++, k++) col[k] = a.col[e], val[k] = alpha * a.val[e];
    col[k] = static_cast<Column>(a.cols + i), val[k] = beta, k++;
    row_ptr[i + 1] = k;
  }
  return {a.rows, a.cols + a.rows, std::move(row_ptr), std::move(col), std::move(val)};
}

template <class T>
void check_sizes(const CsrView<T>& a, const CsrView<T>& b, const CsrView<T>& e) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorCode::invalid_argument, what); };
  if (cols_of(a) != rows_of(b))
    refuse("A has " + std::to_string(cols_of(a)) + " columns, but B has " + std::to_string(rows_of(b)) + " rows");
  if (rows_of(e) != rows_of(a) || cols_of(e) != cols_of(b))
    refuse("E is " + std::to_string(rows_of(e)) + " x " + std::to_string(cols_of(e)) + ", but A B is " +
           std::to_string(rows_of(a)) + " x " + std::to_string(cols_of(b)));
}

/// alpha A: the caller's, or with values of its own.
template <class T>
struct Scaled {
  Array<T> val = {};
  CsrView<T> view;

  Scaled(T alpha, const CsrView<T>& a, const Team& team) : view(a) {
    if (alpha == T{1}) return;
    val = Array<T>(a.nnz());
    team.for_blocks(a.nnz(), kEntriesAPiece, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t k = from; k < to; k++) val[k] = alpha * a.val[static_cast<std::size_t>(k)];
    });
    view.val = val.span();
  }
  [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(val.size() * sizeof(T)); }

 private:
  static constexpr std::int64_t kEntriesAPiece = 1 << 15;
};

/// E's rows rise: they are added where a chunk of C has been made, or to all of it.
template <class T>
Csr<T> multiply_then_add(const Context::State& state, T alpha, const CsrView<T>& a, const CsrView<T>& b, T beta,
                         const Prepared<T>& e, const Team& team, Stats* stats) {
  const Scaled<T> left(alpha, a, team);
  Options options = state.options;
  options.validate = false;  // all three were
  const Settings settings{.options = options, .policy = state.policy, .small_path = state.settings().small_path};
  Stats mine;
  Addition<T> addition{.e = Adder<T>(e.operand(), beta)};
  Csr<T> c = multiply(left.view, b, settings, mine, {.addition = &addition});
  if (!addition.done) {
    c = add(std::move(c), e.operand(), beta);
    mine.bytes_temporary += mine.bytes_c;
    mine.nnz = c.nnz();
    mine.bytes_c = (c.rows() + 1) * static_cast<std::int64_t>(sizeof(std::int64_t)) +
                   c.nnz() * static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
  }
  mine.bytes_temporary += left.bytes() + e.bytes();
  if (stats != nullptr) *stats = std::move(mine);
  return c;
}

template <class T>
Csr<T> multiply_and_add(const Context& context, const Context::State& state, T alpha, const CsrView<T>& a,
                        const CsrView<T>& b, T beta, const CsrView<T>& e, Stats* stats) {
  const Team team(state.options.threads);
  if (state.options.validate) {
    validate(a, "A", team);
    validate(b, "B", team);
    validate(e, "E", team);
  }
  check_sizes(a, b, e);
  const CsrView<T> pieces[] = {b, e};
  const StackedView<T> below{pieces};
  if (!state.device && state.options.memory_limit == 0) {
    const Prepared<T> added(e, "E", false, team);
    if (rows_rise(added.operand(), team)) return multiply_then_add(state, alpha, a, b, beta, added, team, stats);
  }
  const std::int64_t rows = rows_of(a), entry = sizeof(Column) + sizeof(T);
  const std::int64_t held = stack_bytes(below) + (a.nnz() + rows) * entry + (rows + 1) * std::int64_t{8};
  require_memory(state, held, "A and B with the rows of E");
  const Csr<T> left = with_identity(alpha, Prepared<T>(a, "A", false, team).operand(), beta);
  const Csr<T> right = stack(below, "B", false, team);
  return multiply_beside(context, state, left.view(), right.view(), held, stats);
}

}  // namespace

#define ROWAN_DEFINE(T)                                                                                        \
  Csr<T> Context::multiply(const CsrView<T>& a, const StackedView<T>& b, Stats* stats) const try {             \
    return multiply_pieces(*this, *state(), a, b, stats);                                                      \
  } catch (...) {                                                                                              \
    rethrow_as_error();                                                                                        \
  }                                                                                                            \
  Csr<T> Context::multiply_add(T alpha, const CsrView<T>& a, const CsrView<T>& b, T beta, const CsrView<T>& e, \
                               Stats* stats) const try {                                                       \
    return multiply_and_add(*this, *state(), alpha, a, b, beta, e, stats);                                     \
  } catch (...) {                                                                                              \
    rethrow_as_error();                                                                                        \
  }                                                                                                            \
  Plan Context::plan(const CsrView<T>& a, const StackedView<T>& b) const try {                                 \
    return plan(a, stacked(*state(), b, Team(state()->options.threads)).view());                               \
  } catch (...) {                                                                                              \
    rethrow_as_error();                                                                                        \
  }                                                                                                            \
  void Plan::execute(const CsrView<T>& a, const StackedView<T>& b, Csr<T>& c) const try {                      \
    const Context::State& context = *state().context;                                                          \
    execute(a, stacked(context, b, Team(context.options.threads)).view(), c);                                  \
  } catch (...) {                                                                                              \
    rethrow_as_error();                                                                                        \
  }                                                                                                            \
  Csr<T> multiply_add(T alpha, const CsrView<T>& a, const CsrView<T>& b, T beta, const CsrView<T>& e,          \
                      const Options& options) try {                                                            \
    return Context(options).multiply_add(alpha, a, b, beta, e);                                                \
  } catch (...) {                                                                                              \
    rethrow_as_error();                                                                                        \
  }
ROWAN_FOR_EACH_VALUE(ROWAN_DEFINE)
#undef ROWAN_DEFINE

}  // namespace rowan
