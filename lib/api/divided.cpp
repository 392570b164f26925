// C in two pieces: divided while it is made where the host makes it in memory enough, else afterwards.
#include <algorithm>
#include <string>

#include "lib/api/state.hpp"
#include "lib/core/border.hpp"
#include "lib/host/budget.hpp"
#include "lib/host/divider.hpp"
#include "lib/host/multiply.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

void check(ColumnRange inside, std::int64_t cols) {
  if (inside.first < 0 || inside.last < inside.first || inside.last > cols)
    throw Error(ErrorCode::invalid_argument, "columns [" + std::to_string(inside.first) + ", " +
                                                 std::to_string(inside.last) + ") are no range of the " +
                                                 std::to_string(cols) + " columns of C");
}

template <class T>
std::int64_t entries_outside(const Csr<T>& c, ColumnRange inside) {
  return std::ranges::count_if(c.col(), [&](Column k) { return k < inside.first || k >= inside.last; });
}

template <class T>
DividedCsr<T> multiply_and_divide(const Context& context, const Context::State& state, const CsrView<T>& a,
                                  const CsrView<T>& b, ColumnRange inside, Stats* stats) {
  if (state.options.unsorted) {  // rows are divided where columns of a range stand together
    Options sorted = state.options;
    sorted.unsorted = false;
    return Context(std::move(sorted)).multiply_divided(a, b, inside, stats);
  }
  const std::int64_t cols = cols_of(b);
  check(inside, cols);
  if (inside.first == 0 && inside.last == cols) {  // one process of one: C as it is, written around the caches
    Csr<T> c = context.multiply(a, b, stats);
    const std::int64_t rows = c.rows();
    return {std::move(c), Csr<T>(rows, 0, Array<std::int64_t>::zeroed(rows + 1), {}, {})};
  }
  Stats mine;
  Division<T> division{inside};
  const bool while_made = !state.device && !state.placing && state.options.memory_limit == 0;
  Csr<T> c =
      while_made ? multiply(a, b, state.settings(), mine, {.division = &division}) : context.multiply(a, b, &mine);
  DividedCsr<T> out;
  if (division.outside) {
    out = {std::move(c), *std::move(division.outside)};
  } else {
    constexpr auto kEntry = static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
    const std::int64_t more = 2 * entries_outside(c, inside) * kEntry + c.rows() * std::int64_t{24};
    Budget budget(state.options);
    budget.held = mine.bytes_c;
    budget.require(more, "the columns of C outside, once more");
    out = divide(std::move(c), inside);
  }
  mine.nnz = out.inside.nnz() + out.outside.nnz();
  if (stats != nullptr) *stats = std::move(mine);
  return out;
}

}  // namespace

#define ROWAN_DEFINE(T)                                                                                               \
  DividedCsr<T> Context::multiply_divided(const CsrView<T>& a, const CsrView<T>& b, ColumnRange inside, Stats* stats) \
      const try {                                                                                                     \
    return multiply_and_divide(*this, *state(), a, b, inside, stats);                                                 \
  } catch (...) {                                                                                                     \
    rethrow_as_error();                                                                                               \
  }
ROWAN_DEFINE(float)
ROWAN_DEFINE(double)
#undef ROWAN_DEFINE

}  // namespace rowan
