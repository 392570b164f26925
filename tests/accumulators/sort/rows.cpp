// sort: the networks by the zero-one principle, and rows of every length up to its limit.
#include <algorithm>
#include <array>

#include <doctest/doctest.h>

#include "accumulators/sort/network.hpp"
#include "tests/accumulators/kernels.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

/// A network that sorts every sequence of zeros and ones sorts everything (Knuth, volume 3, 5.3.4).
template <std::size_t N>
bool sorts_zeros_and_ones() {
  for (std::uint32_t bits = 0; bits < std::uint32_t{1} << N; bits++) {
    std::array<bool, N> keys{};
    for (std::size_t i = 0; i < N; i++) keys[i] = (bits >> i & 1) != 0;
    for (const auto& c : sort::network<N>())
      if (keys[c.low] && !keys[c.high]) std::swap(keys[c.low], keys[c.high]);
    if (!std::ranges::is_sorted(keys)) return false;
  }
  return true;
}

/// Sixteen keys in two sorted halves, of which the second is turned: what half-cleaners get.
bool cleaners_sort(std::size_t first) {
  const auto list = sort::half_cleaners<16>(first);
  const std::size_t block = 2 * first;
  for (std::size_t rise = 0; rise <= block; rise++)
    for (std::size_t fall = rise; fall <= block; fall++) {
      std::array<bool, 16> keys{};
      for (std::size_t i = 0; i < keys.size(); i++) keys[i] = i % block >= rise && i % block < fall;
      for (std::size_t n = 0; n < list.count; n++)
        if (keys[list.at[n].low] && !keys[list.at[n].high]) std::swap(keys[list.at[n].low], keys[list.at[n].high]);
      for (std::size_t from = 0; from < keys.size(); from += block)
        if (!std::is_sorted(keys.begin() + static_cast<std::ptrdiff_t>(from),
                            keys.begin() + static_cast<std::ptrdiff_t>(from + block)))
          return false;
    }
  return true;
}

/// Rows of `lengths` products each, every other product of a column that the row has already.
Shape rows_of(const std::vector<std::int64_t>& lengths) {
  Random random(5);
  Rows a, b;
  for (const std::int64_t n : lengths) {
    const auto j = static_cast<std::int32_t>(b.size());
    const auto half = some_columns(random, n / 2, 0, 700);
    a.push_back({j + 1, j});
    b.push_back(half);
    b.push_back(n % 2 == 0 ? half : some_columns(random, n - n / 2, 0, 700));
  }
  const auto cols = static_cast<std::int64_t>(b.size());
  return {"", from_rows(a, cols), from_rows(b, 700)};
}

}  // namespace

TEST_CASE("the networks sort") {
  CHECK(sorts_zeros_and_ones<2>());
  CHECK(sorts_zeros_and_ones<4>());
  CHECK(sorts_zeros_and_ones<8>());
  CHECK(sorts_zeros_and_ones<16>());
  CHECK(cleaners_sort(8));
  CHECK(cleaners_sort(4));
}

TEST_CASE_TEMPLATE("rows of every length that sort takes, beside rows of like and unlike lengths", T, float, double) {
  std::vector<std::int64_t> rising, mixed;
  Random random(9);
  for (std::int64_t n = 0; n <= sort::kMaxProducts; n++) {
    rising.push_back(n);
    mixed.push_back(random.below(random.between(1, sort::kMaxProducts)));
  }
  for (const auto& lengths : {rising, mixed}) {
    const Problem<T> p(rows_of(lengths), Values::reals);
    REQUIRE(sort::candidate.feasible(p.extent()));
    CHECK_EQ(kernel_fault(sort::candidate, p), "");
  }
}

TEST_CASE("sort takes no more products and no wider rows than its keys hold") {
  CHECK(!sort::candidate.feasible({.nprod_max = sort::kMaxProducts + 1}));
  CHECK(!sort::candidate.feasible({.nprod_max = 1, .span_max = sort::kMaxSpan + 1}));
  CHECK(sort::candidate.feasible({.nprod_max = sort::kMaxProducts, .span_max = sort::kMaxSpan}));
}

TEST_CASE_TEMPLATE("the longest and widest row has its last product in its last column", T, float, double) {
  constexpr auto kLast = static_cast<std::int32_t>(sort::kMaxSpan - 1);
  std::vector<std::int32_t> row;
  for (std::int32_t j = 0; j < 510; j++) row.push_back(j);
  const Shape s{"", from_rows({{0, 1, 1}}, 2), from_rows({row, {kLast}}, sort::kMaxSpan)};
  const Problem<T> p(s, Values::reals);
  REQUIRE_EQ(p.extent().nprod_max, sort::kMaxProducts);
  REQUIRE_EQ(p.extent().span_max, sort::kMaxSpan);
  CHECK_EQ(kernel_fault(sort::candidate, p), "");
}

}  // namespace rowan::test
