// One parallel pass that only says right or wrong; the slow search for the first wrong place runs only where there is
// one.
#include <atomic>
#include <limits>
#include <string>

#include "lib/core/border.hpp"
#include "lib/core/pattern_checks.hpp"
#include "lib/core/prepared.hpp"
#include "lib/core/values.hpp"
#include <rowan/error.hpp>
#include <rowan/operations.hpp>

namespace rowan {
namespace {

constexpr std::int64_t kCheckedGrain = 1 << 16;

[[noreturn]] void refuse(const char* name, const std::string& what) {
  throw Error(ErrorCode::invalid_argument, std::string(name) + ": " + what);
}

template <class P>
void check_ends(const P* ptr, std::int64_t rows, std::int64_t nnz, const char* name) {
  if (ptr[0] != 0) refuse(name, "the first row pointer is " + std::to_string(ptr[0]) + ", it must be 0");
  if (ptr[rows] != nnz)
    refuse(name, "the last row pointer is " + std::to_string(ptr[rows]) + ", but there are " + std::to_string(nnz) +
                     " columns");
}

template <class P>
void check_pointers(const P* ptr, std::int64_t rows, const char* name, const Team& team) {
  std::atomic<bool> falls = false;
  team.for_blocks(rows, kCheckedGrain, [&](std::int64_t from, std::int64_t to) {
    if (any_falls(ptr + from, to - from)) falls = true;
  });
  for (std::int64_t i = 0; falls && i < rows; i++)
    if (ptr[i + 1] < ptr[i])
      refuse(name, "row pointers fall from " + std::to_string(ptr[i]) + " to " + std::to_string(ptr[i + 1]) +
                       " at row " + std::to_string(i));
}

template <class P>
void check_columns(const P* ptr, const Column* col, std::int64_t rows, std::int64_t cols, const char* name,
                   const Team& team) {
  std::atomic<bool> outside = false;
  const auto limit = static_cast<std::uint32_t>(cols);
  team.for_blocks(ptr[rows], kCheckedGrain, [&](std::int64_t from, std::int64_t to) {
    if (any_outside(col + from, to - from, cols)) outside = true;
  });
  if (!outside) return;
  for (std::int64_t i = 0; i < rows; i++)
    for (std::int64_t k = ptr[i]; k < ptr[i + 1]; k++)
      if (static_cast<std::uint32_t>(col[k]) >= limit)
        refuse(name, "column " + std::to_string(col[k]) + " in row " + std::to_string(i) + " is outside [0, " +
                         std::to_string(cols) + ")");
}

void check_size(std::int64_t n, const char* what, const char* name) {
  if (n < 0) refuse(name, std::to_string(n) + " " + what);
  if (n > std::numeric_limits<Column>::max())
    throw Error(ErrorCode::overflow,
                std::string(name) + ": " + std::to_string(n) + " " + what + " do not fit 32-bit indices");
}

}  // namespace

template <class T>
void validate_sizes(const CsrView<T>& view, const char* name) {
  check_size(view.rows, "rows", name);
  check_size(view.cols, "columns", name);
  if (view.row_ptr.size() != static_cast<std::size_t>(view.rows) + 1)
    refuse(name, std::to_string(view.rows) + " rows need " + std::to_string(view.rows + 1) + " row pointers, not " +
                     std::to_string(view.row_ptr.size()));
  if (view.val.size() != view.col.size())
    refuse(name, std::to_string(view.col.size()) + " columns, but " + std::to_string(view.val.size()) + " values");
  if (const std::int64_t* wide = view.row_ptr.wide())
    check_ends(wide, view.rows, view.nnz(), name);
  else
    check_ends(view.row_ptr.narrow(), view.rows, view.nnz(), name);
}

template <class T>
void validate(const CsrView<T>& view, const char* name, const Team& team) {
  validate_sizes(view, name);
  const auto check = [&](const auto* ptr) {
    check_pointers(ptr, view.rows, name, team);
    check_columns(ptr, view.col.data(), view.rows, view.cols, name, team);
  };
  if (const std::int64_t* wide = view.row_ptr.wide())
    check(wide);
  else
    check(view.row_ptr.narrow());
}

template <class T>
void validate(const CsrView<T>& view, const char* name) try {
  validate(view, name, Team());
} catch (...) {
  rethrow_as_error();
}

#define ROWAN_INSTANTIATE(T)                                           \
  template void validate_sizes(const CsrView<T>&, const char*);        \
  template void validate(const CsrView<T>&, const char*, const Team&); \
  template void validate(const CsrView<T>&, const char*);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
