#include "lib/core/prepared.hpp"

#include <string>

#include "lib/core/values.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

/// The same memory where it can be used as it stands.
template <class P>
const Offset* as_offsets(const P* ptr) {
  if constexpr (std::is_same_v<P, Offset>)
    return ptr;
  else
    return nullptr;
}

}  // namespace

template <class T>
Prepared<T>::Prepared(const CsrView<T>& view, const char* name, bool check, const Team& team) {
  if (check) validate(view, name, team);
  view_ = view;
  if (view.transposed) {
    turned_ = transpose_stored(view, team);
    view_ = turned_.view();
  }
  const CsrView<T>& v = view_;
  const Offset* ptr = as_offsets(v.row_ptr.wide());
  if (ptr == nullptr) {
    if (v.nnz() > kMaxOffset)
      throw Error(ErrorCode::overflow, std::string(name) + " has " + std::to_string(v.nnz()) +
                                           " entries, more than row pointers up to " + std::to_string(kMaxOffset));
    offsets_ = Array<Offset>(v.row_ptr.size());
    team.for_blocks(v.rows + 1, 1 << 16, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t i = from; i < to; i++) offsets_[i] = static_cast<Offset>(v.row_ptr[i]);
    });
    ptr = offsets_.data();
  }
  operand_ = {{.rows = v.rows, .cols = v.cols, .ptr = ptr, .col = v.col.data()}, v.val.data()};
}

template <class T>
std::int64_t Prepared<T>::most_bytes(const CsrView<T>& view, const Team& team) noexcept {
  if (!view.transposed) return view.row_ptr.wide() != nullptr ? 0 : (view.rows + 1) * std::int64_t{sizeof(Offset)};
  const std::int64_t pointers = view.cols + 1 + transpose_counters(view, team);
  return pointers * std::int64_t{sizeof(std::int64_t)} + view.nnz() * std::int64_t{sizeof(T) + sizeof(Column)};
}

template <class T>
std::int64_t Prepared<T>::bytes() const noexcept {
  const auto entry = static_cast<std::int64_t>(sizeof(T) + sizeof(Column));
  return static_cast<std::int64_t>(offsets_.size() + turned_.row_ptr().size()) * 8 + turned_.nnz() * entry;
}

#define ROWAN_INSTANTIATE(T) template class Prepared<T>;
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
