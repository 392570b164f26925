#include "lib/host/met_rows.hpp"

#include <algorithm>
#include <numeric>

#include <hwy/cache_control.h>

#include "lib/core/prepared.hpp"
#include "lib/core/values.hpp"

namespace rowan {
namespace {

/// Entries and row pointers of B that are looked at before it is multiplied.
template <class T>
std::int64_t prepared(const CsrView<T>& b, bool check) {
  return (check ? b.rows + b.nnz() : 0) + (b.row_ptr.narrow() != nullptr ? b.rows : 0);
}

/// Of what a worker prepares: to copy a product takes some times as long.
constexpr std::int64_t kShare = 8;

/// Entries of A whose rows of B are on their way. (10 million rows of which A's million entries meet any: 92 -> 68 ms;
/// nobody else reads B before.)
constexpr std::int64_t kAhead = 24;

/// Where the rows that A's entries meet begin in B, and in their copies.
struct MetPlaces {
  Array<std::int64_t> in_b, ptr;
};

/// Empty where the products are too many or B's row pointers cannot be right.
template <class T, class P>
std::optional<MetPlaces> places_of(const CsrView<T>& a, const CsrView<T>& b, const P* b_ptr, std::int64_t most) {
  const std::int64_t nnz = a.nnz();
  MetPlaces met{Array<std::int64_t>(nnz), Array<std::int64_t>(nnz + 1)};
  met.ptr[0] = 0;
  for (std::int64_t k = 0; k < nnz; k++) {
    if (k + kAhead < nnz) hwy::Prefetch(b_ptr + a.col[static_cast<std::size_t>(k + kAhead)]);
    const std::int64_t begin = b_ptr[a.col[static_cast<std::size_t>(k)]],
                       end = b_ptr[a.col[static_cast<std::size_t>(k)] + 1];
    if (begin < 0 || end < begin || end > b.nnz()) return std::nullopt;
    met.in_b[k] = begin, met.ptr[k + 1] = met.ptr[k] + end - begin;
    if (met.ptr[k + 1] > most) return std::nullopt;
  }
  return met;
}

}  // namespace

template <class T>
std::optional<MetRows<T>> MetRows<T>::copied(const CsrView<T>& a, const CsrView<T>& b, bool check, const Team& team) {
  if (a.transposed || b.transposed || a.cols != b.rows || a.nnz() == 0) return std::nullopt;
  const std::int64_t most = prepared(b, check) / (kShare * team.size());
  if (a.nnz() > most || a.nnz() > most * b.rows / std::max<std::int64_t>(b.nnz(), 1)) return std::nullopt;
  if (check) {
    validate(a, "A", Team(1));
    validate_sizes(b, "B");
  }
  const auto copy = [&](const auto* b_ptr) -> std::optional<MetRows> {
    std::optional<MetPlaces> places = places_of(a, b, b_ptr, most);
    if (!places) return std::nullopt;
    const auto& [in_b, ptr] = *places;
    const std::int64_t nnz = a.nnz(), nprod = ptr[nnz];
    Array<Column> col(nprod), numbers(nnz);
    Array<T> val(nprod);
    std::uint32_t outside = 0;  // in the sign, as validate() has it
    const auto last = static_cast<std::uint32_t>(b.cols) - 1;
    for (std::int64_t k = 0; k < nnz; k++) {
      if (k + kAhead < nnz)
        hwy::Prefetch(b.col.data() + in_b[k + kAhead]), hwy::Prefetch(b.val.data() + in_b[k + kAhead]);
      const auto from = static_cast<std::size_t>(in_b[k]), n = static_cast<std::size_t>(ptr[k + 1] - ptr[k]);
      for (std::size_t e = from; e < from + n; e++) {
        const auto column = static_cast<std::uint32_t>(b.col[e]);
        outside |= column | (last - column);
      }
      std::copy_n(b.col.data() + from, n, col.data() + ptr[k]);
      std::copy_n(b.val.data() + from, n, val.data() + ptr[k]);
    }
    if (check && outside >> 31 != 0) return std::nullopt;
    std::iota(numbers.data(), numbers.data() + nnz, Column{0});
    MetRows met;
    met.given_a_ = a, met.numbers_ = std::move(numbers);
    met.b_ = Csr<T>(nnz, b.cols, std::move(places->ptr), std::move(col), std::move(val));
    return met;
  };
  return b.row_ptr.wide() != nullptr ? copy(b.row_ptr.wide()) : copy(b.row_ptr.narrow());
}

template <class T>
CsrView<T> MetRows<T>::a() const noexcept {
  CsrView<T> a = given_a_;
  a.cols = a.nnz(), a.col = numbers_.span();
  return a;
}

template <class T>
std::int64_t MetRows<T>::bytes() const noexcept {
  constexpr std::int64_t kEntry = sizeof(Column) + sizeof(T);
  return b_.nnz() * kEntry + (b_.rows() + 1) * std::int64_t{8} + b_.rows() * std::int64_t{sizeof(Column)};
}

#define ROWAN_INSTANTIATE(T) template class MetRows<T>;
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
