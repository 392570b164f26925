// 64-bit columns: narrowed, or numbered anew where they are too many for 32 bits, and widened in C.
#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <string>

#include "lib/api/beside.hpp"
#include "lib/core/border.hpp"
#include "lib/core/values.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

using Wide = std::int64_t;
constexpr Wide kMostColumns = std::numeric_limits<Column>::max();
constexpr Wide kWideGrain = 1 << 16;

/// Throws where a column is outside [0, cols), naming the first entry.
void check_columns(std::span<const Wide> col, Wide cols, const char* name, const Team& team) {
  std::atomic<Wide> first = std::numeric_limits<Wide>::max();
  team.for_blocks(static_cast<Wide>(col.size()), kWideGrain, [&](Wide from, Wide to) {
    for (Wide k = from; k < to; k++)
      if (const Wide c = col[static_cast<std::size_t>(k)]; c < 0 || c >= cols) {
        for (Wide known = first; k < known && !first.compare_exchange_weak(known, k);) continue;
        return;
      }
  });
  if (first == std::numeric_limits<Wide>::max()) return;
  throw Error(ErrorCode::invalid_argument,
              std::string(name) + ": column " + std::to_string(col[static_cast<std::size_t>(first.load())]) +
                  " of entry " + std::to_string(first) + " is outside [0, " + std::to_string(cols) + ")");
}

/// The columns that occur, rising: a column's new number is its place here.
class Numbering {
 public:
  Numbering(std::span<const Wide> col, const char* name) : of_(col.size()) {
    std::copy(col.begin(), col.end(), of_.begin());
    std::sort(of_.begin(), of_.end());
    of_.shrink(std::unique(of_.begin(), of_.end()) - of_.begin());
    if (size() > kMostColumns)
      throw Error(ErrorCode::overflow, std::string(name) + " has entries in " + std::to_string(size()) +
                                           " columns, more than " + std::to_string(kMostColumns));
  }
  [[nodiscard]] Wide size() const noexcept { return static_cast<Wide>(of_.size()); }
  [[nodiscard]] Wide old_number(Column c) const noexcept { return of_[c]; }
  [[nodiscard]] Column new_number(Wide c) const noexcept {
    return static_cast<Column>(std::lower_bound(of_.begin(), of_.end(), c) - of_.begin());
  }

 private:
  Array<Wide> of_;
};

/// A matrix with 32-bit columns over the caller's row pointers and values.
template <class T>
struct Narrow {
  Array<Column> col;
  CsrView<T> view;

  Narrow(const WideCsrView<T>& m, const Numbering* numbering, const Team& team) : col(m.nnz()) {
    team.for_blocks(m.nnz(), kWideGrain, [&](Wide from, Wide to) {
      for (Wide k = from; k < to; k++) {
        const Wide c = m.col[static_cast<std::size_t>(k)];
        col[k] = numbering == nullptr ? static_cast<Column>(c) : numbering->new_number(c);
      }
    });
    view = {.rows = m.rows,
            .cols = numbering == nullptr ? m.cols : numbering->size(),
            .row_ptr = m.row_ptr,
            .col = col.span(),
            .val = m.val,
            .transposed = m.transposed};
  }
};

/// The rows of B that A's columns name, one behind another: entries are copied.
template <class T>
struct OccurringRows {
  Array<Wide> row_ptr, col;
  Array<T> val;
  WideCsrView<T> view;

  OccurringRows(const WideCsrView<T>& b, const Numbering& rows) : row_ptr(rows.size() + 1) {
    const auto range = [&](Wide i) {
      const Wide row = rows.old_number(static_cast<Column>(i)), from = b.row_ptr[row], to = b.row_ptr[row + 1];
      if (from < 0 || to < from || to > b.nnz())
        throw Error(ErrorCode::invalid_argument, "B: row pointers " + std::to_string(from) + " and " +
                                                     std::to_string(to) + " of row " + std::to_string(row) +
                                                     " are not of its " + std::to_string(b.nnz()) + " entries");
      return std::pair(from, to);
    };
    row_ptr[0] = 0;
    for (Wide i = 0; i < rows.size(); i++) {
      const auto [from, to] = range(i);
      row_ptr[i + 1] = row_ptr[i] + to - from;
    }
    col = Array<Wide>(row_ptr[rows.size()]), val = Array<T>(row_ptr[rows.size()]);
    for (Wide i = 0; i < rows.size(); i++) {
      const auto [from, to] = range(i);
      std::copy(b.col.data() + from, b.col.data() + to, col.data() + row_ptr[i]);
      std::copy(b.val.data() + from, b.val.data() + to, val.data() + row_ptr[i]);
    }
    view = {.rows = rows.size(), .cols = b.cols, .row_ptr = row_ptr, .col = col.span(), .val = val.span()};
  }
};

/// What must hold before columns are numbered anew; all else is checked of the copies.
template <class T>
void check(const WideCsrView<T>& m, const char* name, bool columns, const Team& team) {
  const auto refuse = [&](ErrorCode code, const std::string& what) { throw Error(code, std::string(name) + what); };
  if (m.rows < 0 || m.cols < 0 || m.row_ptr.size() != static_cast<std::size_t>(m.rows) + 1)
    refuse(ErrorCode::invalid_argument,
           " has " + std::to_string(m.row_ptr.size()) + " row pointers and " + std::to_string(m.rows) + " rows");
  if (m.val.size() != m.col.size())
    refuse(ErrorCode::invalid_argument,
           " has " + std::to_string(m.col.size()) + " columns, but " + std::to_string(m.val.size()) + " values");
  if (m.transposed && m.cols > kMostColumns)
    refuse(ErrorCode::overflow,
           " is transposed and has " + std::to_string(m.cols) + " columns, more than " + std::to_string(kMostColumns));
  if (columns || m.cols > kMostColumns) check_columns(m.col, m.cols, name, team);
}

template <class T>
WideCsr<T> multiply_wide(const Context& context, const Context::State& state, const WideCsrView<T>& a,
                         const WideCsrView<T>& b, Stats* stats) {
  const Team team(state.options.threads);
  check(a, "A", state.options.validate, team), check(b, "B", state.options.validate, team);
  const Wide inner = a.transposed ? a.rows : a.cols, b_rows = b.transposed ? b.cols : b.rows;
  if (inner != b_rows)
    throw Error(ErrorCode::invalid_argument,
                "A has " + std::to_string(inner) + " columns, but B has " + std::to_string(b_rows) + " rows");
  const bool inner_anew = !a.transposed && a.cols > kMostColumns && !b.transposed;
  const bool outer_anew = !b.transposed && b.cols > kMostColumns;
  Wide held = (a.nnz() + b.nnz()) * Wide{sizeof(Column)};
  if (inner_anew) held += a.nnz() * Wide{16} + b.nnz() * Wide{8 + sizeof(T)};
  if (outer_anew) held += b.nnz() * Wide{8};
  require_memory(state, held, "copies of A's and B's columns");
  std::optional<Numbering> inner_numbers, outer_numbers;
  std::optional<OccurringRows<T>> rows_of_b;
  WideCsrView<T> right = b;
  if (inner_anew) right = rows_of_b.emplace(b, inner_numbers.emplace(a.col, "A")).view;
  if (outer_anew) outer_numbers.emplace(right.col, "B");
  const Narrow<T> left(a, inner_numbers ? &*inner_numbers : nullptr, team);
  const Narrow<T> below(right, outer_numbers ? &*outer_numbers : nullptr, team);
  CsrArrays<T> c = multiply_beside(context, state, left.view, below.view, held, stats).release();
  Array<Wide> col(c.col.size());
  team.for_blocks(static_cast<Wide>(col.size()), kWideGrain, [&](Wide from, Wide to) {
    for (Wide k = from; k < to; k++) col[k] = outer_numbers ? outer_numbers->old_number(c.col[k]) : c.col[k];
  });
  return {c.rows, b.transposed ? b.rows : b.cols, std::move(c.row_ptr), std::move(col), std::move(c.val)};
}

}  // namespace

#define ROWAN_DEFINE(T)                                                                                    \
  WideCsr<T> Context::multiply(const WideCsrView<T>& a, const WideCsrView<T>& b, Stats* stats) const try { \
    return multiply_wide(*this, *state(), a, b, stats);                                                    \
  } catch (...) {                                                                                          \
    rethrow_as_error();                                                                                    \
  }
ROWAN_FOR_EACH_VALUE(ROWAN_DEFINE)
#undef ROWAN_DEFINE

}  // namespace rowan
