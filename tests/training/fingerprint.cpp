#include "training/fingerprint.hpp"

#include <set>

#include <doctest/doctest.h>

#include "tests/support/matrices.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

std::uint64_t print_of(const Sparsity& s, int threads = 1) {
  const Pattern m{.rows = s.rows, .cols = s.cols, .ptr = s.ptr.data(), .col = s.col.data()};
  return fingerprint(m, static_cast<std::int64_t>(s.col.size()), Team(threads));
}

}  // namespace

TEST_CASE("a fingerprint does not depend on threads") {
  const Sparsity s = scattered(40000, 40000, 1, 9, 5);
  CHECK_EQ(print_of(s, 1), print_of(s, 4));
  CHECK_EQ(print_of(s, 1), print_of(s, 3));
}

TEST_CASE("a fingerprint tells any one change from any other") {
  Sparsity s = scattered(60, 900, 3, 9, 6);
  std::set<std::uint64_t> seen{print_of(s)};
  std::size_t changes = 0;
  const auto look = [&] { seen.insert(print_of(s)), changes++; };
  for (std::int32_t& c : s.col)
    for (int bit = 0; bit < 31; bit++) {
      c ^= 1 << bit;
      look();
      c ^= 1 << bit;
    }
  for (std::size_t k = 1; k < s.col.size(); k++) {
    if (s.col[k] == s.col[k - 1]) continue;
    std::swap(s.col[k], s.col[k - 1]);
    look();
    std::swap(s.col[k], s.col[k - 1]);
  }
  for (std::size_t i = 1; i + 1 < s.ptr.size(); i++) {
    s.ptr[i]++;
    look();
    s.ptr[i]--;
  }
  s.rows--, look(), s.rows++;
  s.cols++, look(), s.cols--;
  CHECK_EQ(seen.size(), changes + 1);
}

TEST_CASE("blocks that change places are told apart") {
  Sparsity s = scattered(1, 1 << 20, 1 << 18, 1 << 18, 7);
  const std::uint64_t before = print_of(s);
  const auto block = static_cast<std::ptrdiff_t>(1 << 16);  // entries of a task
  std::swap_ranges(s.col.begin(), s.col.begin() + block, s.col.begin() + block);
  CHECK(print_of(s) != before);
}

}  // namespace rowan::test
