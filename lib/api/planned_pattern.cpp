#include "lib/api/planned_pattern.hpp"

#include <atomic>
#include <cstring>
#include <string>

#include "lib/core/values.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

template <class V>
Array<V> copied(std::span<const V> values) {
  Array<V> copy(values.size());
  std::copy(values.begin(), values.end(), copy.begin());
  return copy;
}

constexpr std::int64_t kComparedATask = 1 << 16;  // entries a task compares

template <class V>
bool equal(std::span<const V> x, std::span<const V> y, const Team& team) {
  if (x.size() != y.size()) return false;
  std::atomic<bool> differ = false;
  team.for_blocks(static_cast<std::int64_t>(x.size()), kComparedATask, [&](std::int64_t from, std::int64_t to) {
    if (std::memcmp(x.data() + from, y.data() + from, static_cast<std::size_t>(to - from) * sizeof(V)) != 0)
      differ = true;
  });
  return !differ;
}

}  // namespace

void PlannedPattern::copy_of(std::span<const std::int64_t> pointers, std::span<const Column> columns) {
  row_ptr = copied(pointers), col = copied(columns);
}

template <class T>
void PlannedPattern::give_to(Csr<T>& c, const Team& team) const {
  const bool sized = c.rows() == rows() && c.cols() == cols && c.nnz() == nnz() && c.val().size() == col.size();
  if (sized && c.pattern_ == token) return;
  if (c.rows() == 0 && c.nnz() == 0)
    c = {rows(), cols, copied<std::int64_t>(row_ptr.span()), copied<Column>(col.span()), Array<T>(nnz())};
  else if (!sized || !equal<std::int64_t>(c.row_ptr(), row_ptr.span(), team) ||
           !equal<Column>(c.col(), col.span(), team))
    throw Error(ErrorCode::invalid_argument, "C has " + std::to_string(c.rows()) + " x " + std::to_string(c.cols()) +
                                                 " with " + std::to_string(c.nnz()) +
                                                 " entries in other places than planned; give an empty C");
  c.pattern_ = token;
}

void PlannedPattern::require_values(std::size_t val) const {
  if (val != col.size())
    throw Error(ErrorCode::invalid_argument,
                "val has " + std::to_string(val) + " values, but C has " + std::to_string(col.size()) + " entries");
}

#define ROWAN_INSTANTIATE(T) template void PlannedPattern::give_to(Csr<T>&, const Team&) const;
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
