#include "lib/core/prepared.hpp"

namespace rowan {

template <class T>
Prepared<T>::Prepared(const CsrView<T>& view, const char* name, bool check, const Team& team) {
  if (check) validate(view, name, team);
  CsrView<T> v = view;
  if (view.transposed) {
    turned_ = transpose_stored(view, team);
    v = turned_.view();
  }
  const std::int64_t* ptr = v.row_ptr.wide();
  if (ptr == nullptr) {
    widened_ = Array<std::int64_t>(v.row_ptr.size());
    team.for_blocks(v.rows + 1, 1 << 16, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t i = from; i < to; i++) widened_[i] = v.row_ptr.narrow()[i];
    });
    ptr = widened_.data();
  }
  operand_ = {{.rows = v.rows, .cols = v.cols, .ptr = ptr, .col = v.col.data()}, v.val.data()};
}

template <class T>
std::int64_t Prepared<T>::bytes() const noexcept {
  const auto entry = static_cast<std::int64_t>(sizeof(T) + sizeof(std::int32_t));
  return static_cast<std::int64_t>(widened_.size() + turned_.row_ptr().size()) * 8 + turned_.nnz() * entry;
}

template class Prepared<float>;
template class Prepared<double>;

}  // namespace rowan
