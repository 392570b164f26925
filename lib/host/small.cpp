#include "lib/host/small.hpp"

#include <bit>
#include <utility>

#include "lib/core/values.hpp"
#include "lib/host/inputs.hpp"
#include "lib/host/monitor.hpp"
#include "lib/host/timer.hpp"

namespace rowan {
namespace {

using Word = std::uint64_t;
constexpr std::int64_t kBits = 64;
static_assert(kSmallColumns == kBits * kBits);

/// A matrix by the row pointers that it has.
template <class T, class P>
struct GivenRows {
  const P* ptr;
  const Column* col;
  const T* val;
};

struct Sizes {
  std::int64_t nprod = 0;
  std::int64_t bound = 0;  // entries of C, at most
};

template <class T, class P>
Sizes sizes_of(const GivenRows<T, P>& a, const GivenRows<T, P>& b, std::int64_t rows, std::int64_t cols) {
  Sizes s;
  for (std::int64_t i = 0; i < rows; i++) {
    std::int64_t nprod = 0;
    for (std::int64_t e = a.ptr[i]; e < a.ptr[i + 1]; e++) nprod += b.ptr[a.col[e] + 1] - b.ptr[a.col[e]];
    s.nprod += nprod, s.bound += std::min(nprod, cols);
  }
  return s;
}

/// The columns of a word's bits and their sums, which leave zeros behind.
template <class T>
std::int64_t take_word(Word word, Column first, T* window, std::int64_t k, Column* col, T* val) {
  for (; word != 0; word &= word - 1, k++) {
    const Column at = first + std::countr_zero(word);
    col[k] = at, val[k] = window[at], window[at] = T{0};
  }
  return k;
}

/// All rows; returns the entries written. Few columns: one word of bits, which stays in a register (marks in memory
/// wait for one another).
template <bool OneWord, class T, class P>
std::int64_t multiply_rows(const GivenRows<T, P>& a, const GivenRows<T, P>& b, std::int64_t rows, std::int64_t cols,
                           std::int64_t* row_ptr, Column* col, T* val) {
  T window[kSmallColumns];
  Word bits[kBits];
  std::fill_n(window, cols, T{0});
  std::fill_n(bits, (cols + kBits - 1) / kBits, Word{0});
  std::int64_t k = 0;
  row_ptr[0] = 0;
  for (std::int64_t i = 0; i < rows; i++) {
    Word met = 0;  // words that have bits; OneWord: the word
    for (std::int64_t e = a.ptr[i]; e < a.ptr[i + 1]; e++) {
      const T x = a.val[e];
      const std::int64_t end = b.ptr[a.col[e] + 1];
      for (std::int64_t l = b.ptr[a.col[e]]; l < end; l++) {
        const auto at = static_cast<std::uint32_t>(b.col[l]);
        window[at] += x * b.val[l];
        if constexpr (!OneWord) bits[at / kBits] |= Word{1} << (at % kBits);
        met |= Word{1} << (OneWord ? at : at / kBits);
      }
    }
    if constexpr (OneWord) k = take_word(std::exchange(met, 0), 0, window, k, col, val);
    for (; met != 0; met &= met - 1) {
      const int q = std::countr_zero(met);
      k = take_word(std::exchange(bits[q], 0), q * static_cast<Column>(kBits), window, k, col, val);
    }
    row_ptr[i + 1] = k;
  }
  return k;
}

template <class T, class P>
std::optional<Csr<T>> multiply_checked(const GivenRows<T, P>& a, const GivenRows<T, P>& b, std::int64_t rows,
                                       std::int64_t cols, Stats& stats) {
  const Sizes sizes = sizes_of(a, b, rows, cols);
  if (sizes.nprod > kSmallProducts) return std::nullopt;
  Array<std::int64_t> row_ptr(rows + 1);
  Array<Column> col(sizes.bound);
  Array<T> val(sizes.bound);
  const auto multiply = cols <= kBits ? multiply_rows<true, T, P> : multiply_rows<false, T, P>;
  const std::int64_t nnz = multiply(a, b, rows, cols, row_ptr.data(), col.data(), val.data());
  col.shrink(nnz), val.shrink(nnz);
  stats.nprod = sizes.nprod, stats.nnz = nnz;
  stats.bytes_temporary = cols * static_cast<std::int64_t>(sizeof(T));
  stats.bytes_c = (rows + 1) * static_cast<std::int64_t>(sizeof(std::int64_t)) +
                  nnz * static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
  return Csr<T>(rows, cols, std::move(row_ptr), std::move(col), std::move(val));
}

/// Whether the sizes alone let it be small, products estimated.
template <class T>
bool may_be_small(const CsrView<T>& a, const CsrView<T>& b) noexcept {
  constexpr std::int64_t kMost = 2 * kSmallProducts;
  return !a.transposed && !b.transposed && b.cols <= kSmallColumns && a.cols == b.rows && a.rows <= kMost &&
         b.rows <= kMost && a.nnz() <= kMost && b.nnz() <= kMost &&
         a.nnz() * b.nnz() <= kMost * std::max<std::int64_t>(b.rows, 1) &&
         (a.row_ptr.wide() == nullptr) == (b.row_ptr.wide() == nullptr);
}

}  // namespace

template <class T>
std::optional<Csr<T>> multiply_small(const CsrView<T>& a, const CsrView<T>& b, const Settings& settings, Stats& stats) {
  if (!may_be_small(a, b)) return std::nullopt;
  const Timer total(stats.total);
  if (settings.options.validate) {
    const Team alone(1);
    validate(a, "A", alone);
    if (!same_matrix(a, b)) validate(b, "B", alone);
  }
  Monitor monitor(settings.options);
  monitor.check();
  std::optional<Csr<T>> c;
  const auto multiply = [&]<class P>(const P* a_ptr, const P* b_ptr) {
    c = multiply_checked<T, P>({a_ptr, a.col.data(), a.val.data()}, {b_ptr, b.col.data(), b.val.data()}, a.rows, b.cols,
                               stats);
  };
  if (a.row_ptr.wide() != nullptr)
    multiply(a.row_ptr.wide(), b.row_ptr.wide());
  else
    multiply(a.row_ptr.narrow(), b.row_ptr.narrow());
  if (!c) return c;
  stats.policy = settings.policy.name, stats.small_product = true;
  monitor.begin(a.rows);
  if (a.rows != 0) monitor.done(a.rows);
  return c;
}

template <class T>
bool is_small(const CsrView<T>& a, const CsrView<T>& b, std::int64_t nprod) noexcept {
  return nprod <= kSmallProducts && may_be_small(a, b);
}

#define ROWAN_INSTANTIATE(T)                                                           \
  template bool is_small(const CsrView<T>&, const CsrView<T>&, std::int64_t) noexcept; \
  template std::optional<Csr<T>> multiply_small(const CsrView<T>&, const CsrView<T>&, const Settings&, Stats&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
