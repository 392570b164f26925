#include "lib/core/stack.hpp"

#include <limits>
#include <string>

#include "lib/core/border.hpp"
#include "lib/core/prepared.hpp"
#include "lib/core/values.hpp"
#include "lib/core/view.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

constexpr std::int64_t kStackedGrain = 1 << 16;

template <class V>
void copy_to(const V* from, std::int64_t n, V* to, const Team& team) {
  team.for_blocks(n, kStackedGrain,
                  [&](std::int64_t begin, std::int64_t end) { std::copy(from + begin, from + end, to + begin); });
}

}  // namespace

template <class T>
std::int64_t stack_bytes(const StackedView<T>& view) noexcept {
  std::int64_t bytes = sizeof(std::int64_t);
  for (const CsrView<T>& piece : view.pieces)
    bytes +=
        rows_of(piece) * std::int64_t{sizeof(std::int64_t)} + piece.nnz() * std::int64_t{sizeof(Column) + sizeof(T)};
  return bytes;
}

template <class T>
Csr<T> stack(const StackedView<T>& view, const char* name, bool check, const Team& team) {
  if (view.pieces.empty()) throw Error(ErrorCode::invalid_argument, std::string(name) + " has no pieces");
  const auto piece_name = [&](std::size_t p) { return std::string(name) + "'s piece " + std::to_string(p); };
  const std::int64_t cols = cols_of(view.pieces[0]);
  std::int64_t rows = 0, nnz = 0;
  for (std::size_t p = 0; p < view.pieces.size(); p++) {
    const CsrView<T>& piece = view.pieces[p];
    if (check) validate(piece, piece_name(p).c_str(), team);
    if (cols_of(piece) != cols)
      throw Error(ErrorCode::invalid_argument, piece_name(p) + " has " + std::to_string(cols_of(piece)) +
                                                   " columns, but piece 0 has " + std::to_string(cols));
    rows += rows_of(piece), nnz += piece.nnz();
  }
  if (rows > std::numeric_limits<Column>::max())
    throw Error(ErrorCode::overflow,
                std::string(name) + ": " + std::to_string(rows) + " rows do not fit 32-bit indices");
  Array<std::int64_t> row_ptr(rows + 1);
  Array<Column> col(nnz);
  Array<T> val(nnz);
  std::int64_t row = 0, entry = 0;
  row_ptr[0] = 0;
  for (std::size_t p = 0; p < view.pieces.size(); p++) {
    const Prepared<T> prepared(view.pieces[p], piece_name(p).c_str(), false, team);
    const Operand<T>& piece = prepared.operand();
    team.for_blocks(piece.rows, kStackedGrain, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t i = from; i < to; i++) row_ptr[row + i + 1] = entry + piece.ptr[i + 1];
    });
    copy_to(piece.col, piece.nnz(), col.data() + entry, team);
    copy_to(piece.val, piece.nnz(), val.data() + entry, team);
    row += piece.rows, entry += piece.nnz();
  }
  return {rows, cols, std::move(row_ptr), std::move(col), std::move(val)};
}

#define ROWAN_INSTANTIATE(T)                                                    \
  template std::int64_t stack_bytes(const StackedView<T>&) noexcept;            \
  template Csr<T> stack(const StackedView<T>&, const char*, bool, const Team&); \
  Csr<T> stack(const StackedView<T>& view, const char* name) try {              \
    return stack(view, name, true, Team(0));                                    \
  } catch (...) {                                                               \
    rethrow_as_error();                                                         \
  }
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
