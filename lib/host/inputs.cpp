#include "lib/host/inputs.hpp"

#include <string>

#include "lib/core/values.hpp"
#include "lib/core/view.hpp"
#include <rowan/error.hpp>

namespace rowan {
template <class T>
void Inputs<T>::prepare(Side& side, const CsrView<T>& view, const char* name, const Team& team, Budget* budget,
                        EmptyRows empty_rows) {
  const bool drop = empty_rows == EmptyRows::drop_many && is_hypersparse(rows_of(view), view.nnz());
  if (budget != nullptr) {
    const std::int64_t most = drop ? non_empty_bytes(view) : Prepared<T>::most_bytes(view, team);
    budget->require(most, std::string(view.transposed ? "columns, values and row pointers of the transpose of "
                                                      : "64-bit row pointers of ") +
                              name);
  }
  if (drop)
    side.kept.emplace(non_empty_rows(view));
  else
    side.whole.emplace(view, name, false, team);
  if (budget != nullptr) budget->held += side.bytes();
}

template <class T>
Inputs<T>::Inputs(const CsrView<T>& a, const CsrView<T>& b, bool check, const Team& team, Budget* budget,
                  EmptyRows empty_rows) {
  const bool one = same_matrix(a, b);
  if (check) validate_both(a, b, team);
  if (cols_of(a) != rows_of(b))
    throw Error(ErrorCode::invalid_argument,
                "A has " + std::to_string(cols_of(a)) + " columns, but B has " + std::to_string(rows_of(b)) + " rows");
  rows_ = rows_of(a);
  if (budget != nullptr) {
    const std::int64_t pointers = (rows_ + 1) * static_cast<std::int64_t>(sizeof(std::int64_t));
    budget->require(pointers, "C's row pointers");
    budget->c = pointers;
  }
  prepare(left_, a, "A", team, budget, empty_rows);
  if (!one) prepare(right_, b, "B", team, budget, empty_rows);
  const Side& right = one ? left_ : right_;
  a_ = &left_.operand(), b_ = &right.operand();
  if (!right.kept) return;
  if (budget != nullptr) budget->require(renumbered_bytes(*a_), "A's entries, renumbered to B's rows that have any,");
  renumbered_a_.emplace(renumbered(*a_, std::span<const Column>(right.kept->row.span()), team));
  if (budget != nullptr) budget->held += renumbered_a_->bytes();
  a_ = &renumbered_a_->operand;
}

template <class T>
std::int64_t Inputs<T>::bytes() const noexcept {
  return left_.bytes() + right_.bytes() + (renumbered_a_ ? renumbered_a_->bytes() : 0);
}

template <class T>
Array<std::int64_t> Inputs<T>::row_pointers(Array<Offset> of_a) const {
  if (!left_.kept) return widened(std::move(of_a));
  const std::span<const Column> kept = left_.kept->row.span();
  Array<std::int64_t> all(rows_ + 1);
  std::int64_t next = 0;  // the first row whose pointer is not known yet
  for (std::size_t n = 0; n < kept.size(); n++)
    for (; next <= kept[n]; next++) all[next] = of_a[n];
  for (; next <= rows_; next++) all[next] = of_a[kept.size()];
  return all;
}

#define ROWAN_INSTANTIATE(T) template class Inputs<T>;
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
