// sort: the networks by the zero-one principle, and rows of every length up to its limit.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include <doctest/doctest.h>

#include "accumulators/sort/network.hpp"
#include "tests/accumulators/kernels.hpp"
#include "tests/support/instruction_sets.hpp"
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
template <std::size_t First>
bool cleaners_sort() {
  const auto list = sort::half_cleaners<16>(First);
  constexpr std::size_t block = 2 * First;
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

/// What sort makes wrong with any instruction set, of a shape that it takes; empty if nothing.
template <class T>
std::string fault_of_any_set(const Shape& s, Values values, const std::vector<std::int64_t>& cuts = {}) {
  const Problem<T> p(s, values);
  REQUIRE(sort::candidate.feasible(p.extent()));
  for (const std::int64_t target : instruction_sets()) {
    const OnlyTarget only(target);
    const std::string fault =
        kernel_fault(sort::candidate, p, cuts.empty() ? std::vector{std::int64_t{0}, p.a.rows} : cuts);
    if (!fault.empty()) return std::string(hwy::TargetName(target)) + ": " + fault;
  }
  return "";
}

}  // namespace

TEST_CASE("the networks sort") {
  CHECK(sorts_zeros_and_ones<2>());
  CHECK(sorts_zeros_and_ones<4>());
  CHECK(sorts_zeros_and_ones<8>());
  CHECK(sorts_zeros_and_ones<16>());
  CHECK(cleaners_sort<8>());
  CHECK(cleaners_sort<4>());
}

TEST_CASE_TEMPLATE("rows of every length that sort takes, beside rows of like and unlike lengths", T, float, double) {
  std::vector<std::int64_t> rising, mixed;
  Random random(9);
  for (std::int64_t n = 0; n <= sort::kMaxProducts; n++) {
    rising.push_back(n);
    mixed.push_back(random.below(random.between(1, sort::kMaxProducts)));
  }
  for (const auto& lengths : {rising, mixed})
    for (const Values values : {Values::reals, Values::special})
      CHECK_EQ(fault_of_any_set<T>(rows_of(lengths), values), "");
}

// Such a row is sorted by itself, in the midst of rows that are sorted together.
TEST_CASE_TEMPLATE("rows that are nearly one row of B, whatever the others' columns are", T, float, double) {
  for (const std::int64_t columns : {3000, 20'000'000}) {  // keys of 32 bits, or not of all rows
    CAPTURE(columns);
    Random random(11);
    Rows a, b;
    for (const std::int64_t length : {120, 127, 128, 200, 255, 256, 300, 440}) {
      const auto first = static_cast<std::int32_t>(b.size());
      b.push_back(some_columns(random, length, columns / 10, columns - columns / 10));
      b.push_back(some_columns(random, length / 12, 0, columns));
      b.push_back(
          {b.back().front(), b[static_cast<std::size_t>(first)].front(), b[static_cast<std::size_t>(first)].back()});
      b.push_back(some_columns(random, length / 7, 0, columns));
      b.push_back(b[static_cast<std::size_t>(first)]);
      std::reverse(b.back().begin(), b.back().end());
      b.push_back(b[static_cast<std::size_t>(first)]);
      std::swap(b.back()[3], b.back()[static_cast<std::size_t>(length) - 5]);
      for (const std::vector<std::int32_t>& of_a : {std::vector{0},
                                                    {1, 0},
                                                    {0, 1},
                                                    {2, 0, 1},
                                                    {1, 0, 2},
                                                    {0, 2},
                                                    {3, 0},
                                                    {1, 2},
                                                    {4},
                                                    {4, 2},
                                                    {5, 1},
                                                    {2, 5}}) {
        a.emplace_back();
        for (const std::int32_t row : of_a) a.back().push_back(first + row);
      }
    }
    const Shape shape{"", from_rows(a, static_cast<std::int64_t>(b.size())), from_rows(b, columns)};
    for (const Values values : {Values::reals, Values::special}) {
      CHECK_EQ(fault_of_any_set<T>(shape, values), "");
      CHECK_EQ(fault_of_any_set<T>(shape, values, {0, 1, 2, 30, 31, 96}), "");
    }
  }
}

// A batch is gathered while the one before is emitted: each may be the shorter, the last, or of one row.
TEST_CASE_TEMPLATE("batches of every number of rows follow one another", T, float, double) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t rows = 1; rows <= 17; rows++)  // a batch ends where the next row is much longer or shorter
    for (std::int64_t i = 0; i < rows; i++) lengths.push_back(rows % 2 == 0 ? 7 + i % 3 : 200 + i % 5);
  const auto all = static_cast<std::int64_t>(lengths.size());
  CHECK_EQ(fault_of_any_set<T>(rows_of(lengths), Values::reals), "");
  CHECK_EQ(fault_of_any_set<T>(rows_of(lengths), Values::reals, {0, 0, 1, 2, 10, 11, 19, 60, all, all}), "");
}

// Of rows of B no more is read than a step, and of the last ones nothing behind their end.
TEST_CASE_TEMPLATE("rows of B of every length, empty ones and B's last ones among them", T, float, double) {
  Random random(3);
  for (const std::int64_t longest : {1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 40}) {
    CAPTURE(longest);
    Rows a, b;
    for (std::int64_t j = 0; j < 60; j++) b.push_back(some_columns(random, random.between(0, longest), 0, 90));
    for (std::int32_t i = 0; i < 60; i++) {
      a.push_back(some_columns(random, random.between(0, 9), 0, 60));
      a.push_back({59 - i, 59, 58, 57});  // not in order
    }
    CHECK_EQ(fault_of_any_set<T>({"", from_rows(a, 60), from_rows(b, 90)}, Values::special), "");
    b.resize(56);  // and then none
    for (int j = 0; j < 4; j++) b.emplace_back();
    CHECK_EQ(fault_of_any_set<T>({"", from_rows(a, 60), from_rows(b, 90)}, Values::reals), "");
  }
}

TEST_CASE_TEMPLATE("products of -0 sum up to +0", T, float, double) {
  Shape s = rows_of({1, 2, 3, 4, 5, 16, 17, 40, 65, 130});
  Problem<T> p(s, Values::integers);
  std::vector<T> a_val(static_cast<std::size_t>(p.a.nnz()), T{-1}), b_val(static_cast<std::size_t>(p.b.nnz()), T{0});
  p.a.val = a_val.data(), p.b.val = b_val.data();
  for (auto& v : p.expected.val) v = T{0};
  for (const std::int64_t target : instruction_sets()) {
    const OnlyTarget only(target);
    CHECK_EQ(kernel_fault(sort::candidate, p), "");
  }
}

TEST_CASE("sort takes as many products as its lists hold, over any span") {
  CHECK(!sort::candidate.feasible({.nprod_max = sort::kMaxProducts + 1}));
  CHECK(sort::candidate.feasible({.nprod_max = sort::kMaxProducts, .span_max = std::int64_t{1} << 31}));
}

// Rows of 2^k products have 32 - k bits for their columns: spans around that border, beside rows of other lengths,
// which share a batch with them or may not.
TEST_CASE_TEMPLATE("rows whose keys just fit 32 bits, or just do not, in any order", T, float, double) {
  constexpr std::int64_t kMostColumns = std::numeric_limits<std::int32_t>::max();
  Random random(71);
  Rows b;
  for (int k = 0; k <= 9; k++)
    for (const int products : {1 << k, (1 << k) + 1})
      for (const std::int64_t more : {-1, 0, 1, 2}) {
        const std::int64_t span = std::min(kMostColumns, (std::int64_t{1} << (32 - k)) + more);
        const std::int64_t first = random.between(0, kMostColumns - span);
        std::vector<std::int32_t> row;
        for (int e = 0; e + 2 < products && products <= 512; e++)
          row.push_back(static_cast<std::int32_t>(first + 1 + e * ((span - 2) / products)));
        row.push_back(static_cast<std::int32_t>(first));
        if (products > 1) row.push_back(static_cast<std::int32_t>(first + span - 1));
        if (row.size() > static_cast<std::size_t>(sort::kMaxProducts)) continue;
        std::sort(row.begin(), row.end());
        b.push_back(row);
      }
  Rows a;
  const auto rows = static_cast<std::int64_t>(b.size());
  for (int i = 0; i < 300; i++) a.push_back({static_cast<std::int32_t>(i < rows ? i : random.between(0, rows - 1))});
  const Shape s{"", from_rows(a, rows), from_rows(b, kMostColumns)};
  REQUIRE_GT(Problem<T>(s, Values::reals).extent().span_max, sort::kMaxSpan);
  CHECK_EQ(fault_of_any_set<T>(s, Values::reals), "");
  CHECK_EQ(fault_of_any_set<T>(s, Values::special), "");
}

TEST_CASE_TEMPLATE("the longest and widest row has its last product in its last column", T, float, double) {
  constexpr auto kLast = static_cast<std::int32_t>(sort::kMaxSpan - 1);
  std::vector<std::int32_t> row(510);
  std::iota(row.begin(), row.end(), 0);
  const Shape s{"", from_rows({{0, 1, 1}}, 2), from_rows({row, {kLast}}, sort::kMaxSpan)};
  const Problem<T> p(s, Values::reals);
  REQUIRE_EQ(p.extent().nprod_max, sort::kMaxProducts);
  REQUIRE_EQ(p.extent().span_max, sort::kMaxSpan);
  CHECK_EQ(fault_of_any_set<T>(s, Values::reals), "");
}

// What rows are filled up with is beyond their keys even here.
TEST_CASE_TEMPLATE("rows of 509 to 512 products end in the last column there is", T, float, double) {
  constexpr auto kLast = static_cast<std::int32_t>(sort::kMaxSpan - 1);
  Rows a, b{{kLast}};
  for (std::int32_t n = 508; n <= 511; n++) {
    std::vector<std::int32_t> row(static_cast<std::size_t>(n));
    std::iota(row.begin(), row.end(), 0);
    a.push_back({static_cast<std::int32_t>(b.size()), 0});
    b.push_back(row);
  }
  const auto rows = static_cast<std::int64_t>(b.size());
  CHECK_EQ(fault_of_any_set<T>({"", from_rows(a, rows), from_rows(b, sort::kMaxSpan)}, Values::reals), "");
}

}  // namespace rowan::test
