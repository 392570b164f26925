// Rows are counted several in one loop, so that no branch depends on where a short one ends (4 to 27 entries a row, ns
// an entry on Zen 5: each by itself 0.65 to 0.9, together 0.33). Where a row of B begins and where it ends is loaded by
// one load, and both are added up (0.33 for 0.45). Not: eight entries by gathers (0.9).
#include "lib/host/count_products.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/host/count_products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Of the entries of A from k up to `end`.
template <class P>
HWY_INLINE std::int64_t products_of(const Column* col, const P* b_ptr, std::int64_t k, std::int64_t end) {
  if constexpr (HWY_TARGET == HWY_SCALAR || sizeof(P) != sizeof(std::int64_t)) {
    std::int64_t n = 0;
    for (; k < end; k++) n += b_ptr[col[k] + 1] - b_ptr[col[k]];
    return n;
  } else {
    const hn::FixedTag<P, 2> d;
    const auto ends = [&](std::int64_t at) HWY_ATTR { return hn::LoadU(d, b_ptr + col[at]); };  // begin and end
    auto even = hn::Zero(d), odd = hn::Zero(d);
    for (; k + 4 <= end; k += 4) {
      even = hn::Add(even, hn::Add(ends(k), ends(k + 2)));
      odd = hn::Add(odd, hn::Add(ends(k + 1), ends(k + 3)));
    }
    for (; k < end; k++) even = hn::Add(even, ends(k));
    const auto sums = hn::Add(even, odd);
    return hn::ExtractLane(sums, 1) - hn::GetLane(sums);
  }
}

std::int64_t CountProducts(const Pattern& a, const Pattern& b, std::int64_t first, std::int64_t last,
                           std::int64_t* of_rows) {
  const Offset* const ptr = a.ptr;
  const auto count = [&](std::int64_t row, std::int64_t rows)
                         HWY_ATTR { return products_of(a.col, b.ptr, ptr[row], ptr[row + rows]); };
  std::int64_t longest = 0;
  // of those before: what the next ones may have
  auto products = static_cast<double>(b.nnz()), entries = static_cast<double>(b.rows);
  for (std::int64_t i = first; i < last; i += kCountedTogether) {
    const std::int64_t end = std::min(last, i + kCountedTogether);
    const auto expected = [&](std::int64_t row, std::int64_t rows) HWY_ATTR {  // products, times `entries`
      return static_cast<double>(ptr[row + rows] - ptr[row]) * products;
    };
    std::int64_t all = 0, rows = 0;
    for (std::int64_t row = i; row < end; row += rows) {
      rows = end - row;
      while (rows > 1 && expected(row, rows) > static_cast<double>(kProductsTogether) * entries) rows = (rows + 1) / 2;
      std::int64_t n = count(row, rows);
      while (rows > 1 && n > kProductsTogether) n = count(row, rows = (rows + 1) / 2);
      longest = std::max(longest, n), all += n;
    }
    products += static_cast<double>(all), entries += static_cast<double>(ptr[end] - ptr[i]);
    *of_rows++ = all;
  }
  return longest;
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan {

HWY_EXPORT(CountProducts);
std::int64_t count_products(const Pattern& a, const Pattern& b, std::int64_t first, std::int64_t last,
                            std::int64_t* of_rows) {
  return HWY_DYNAMIC_DISPATCH(CountProducts)(a, b, first, last, of_rows);
}

}  // namespace rowan
#endif
