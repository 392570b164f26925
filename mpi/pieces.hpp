#pragma once
// A row that is given in two pieces, in the order of its columns: those of lower ranks, own ones, those of higher
// ranks.
#include <algorithm>
#include <cstdint>
#include <span>

#include <rowan/mpi.hpp>

namespace rowan::mpi {

template <class T>
class Pieces {
 public:
  Pieces(const RowsView<T>& m, int rank)
      : own_(m.own),
        others_(m.others),
        low_(static_cast<Column>(std::ranges::lower_bound(m.names, m.cols.begin(rank)) - m.names.begin())) {}

  [[nodiscard]] std::int64_t rows() const noexcept { return own_.rows; }
  [[nodiscard]] std::int64_t nnz() const noexcept { return own_.nnz() + others_.nnz(); }
  [[nodiscard]] std::int64_t length(std::int64_t r) const {
    return own_.row_ptr[r + 1] - own_.row_ptr[r] + others_.row_ptr[r + 1] - others_.row_ptr[r];
  }
  /// How many of the others' columns lie below the own ones.
  [[nodiscard]] Column low() const noexcept { return low_; }
  [[nodiscard]] const CsrView<T>& own() const noexcept { return own_; }
  [[nodiscard]] const CsrView<T>& others() const noexcept { return others_; }

  /// Writes the row's columns, own ones plus `shift` and others by `numbers`; returns the end.
  template <class To, class From>
  To* columns(std::int64_t r, To shift, std::span<const From> numbers, To* to) const {
    return in_order(
        r, to, [&](Column c) { return static_cast<To>(static_cast<To>(c) + shift); },
        [&](Column c) { return static_cast<To>(numbers[static_cast<std::size_t>(c)]); }, own_.col.data(),
        others_.col.data());
  }
  T* values(std::int64_t r, T* to) const {
    const auto same = [](T v) { return v; };
    return in_order(r, to, same, same, own_.val.data(), others_.val.data());
  }

  /// The same for all rows, one below another. Most rows have no columns of others: stretches of these are one loop.
  template <class To, class From>
  To* all_columns(To shift, std::span<const From> numbers, To* to) const {
    return all_rows(
        to, [&](std::int64_t r, To* at) { return columns(r, shift, numbers, at); },
        [&](std::int64_t begin, std::int64_t end, To* at) {
          return std::transform(own_.col.data() + begin, own_.col.data() + end, at,
                                [&](Column c) { return static_cast<To>(static_cast<To>(c) + shift); });
        });
  }
  T* all_values(T* to) const {
    return all_rows(
        to, [&](std::int64_t r, T* at) { return values(r, at); },
        [&](std::int64_t begin, std::int64_t end, T* at) {
          return std::copy(own_.val.data() + begin, own_.val.data() + end, at);
        });
  }

 private:
  template <class To, class Row, class Stretch>
  To* all_rows(To* to, const Row& of_row, const Stretch& of_stretch) const {
    for (std::int64_t r = 0; r < rows();) {
      std::int64_t end = r;
      while (end < rows() && others_.row_ptr[end + 1] == others_.row_ptr[r]) end++;
      if (end > r)
        to = of_stretch(own_.row_ptr[r], own_.row_ptr[end], to), r = end;
      else
        to = of_row(r++, to);
    }
    return to;
  }

  template <class To, class Own, class Other, class E>
  To* in_order(std::int64_t r, To* to, const Own& of_own, const Other& of_other, const E* own, const E* other) const {
    const std::int64_t begin = others_.row_ptr[r], end = others_.row_ptr[r + 1];
    for (std::int64_t k = begin; k < end; k++)
      if (others_.col[static_cast<std::size_t>(k)] < low_) *to++ = of_other(other[k]);
    to = std::transform(own + own_.row_ptr[r], own + own_.row_ptr[r + 1], to, of_own);
    for (std::int64_t k = begin; k < end; k++)
      if (others_.col[static_cast<std::size_t>(k)] >= low_) *to++ = of_other(other[k]);
    return to;
  }

  CsrView<T> own_, others_;
  Column low_;
};

}  // namespace rowan::mpi
