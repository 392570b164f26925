#include "lib/api/digest.hpp"

#include <doctest/doctest.h>

#include "tests/support/matrices.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

Pattern of(const Sparsity& s) {
  return {.rows = s.rows, .cols = s.cols, .ptr = s.ptr.data(), .col = s.col.data()};
}

PatternDigest digest_of(const Sparsity& s, const DigestKey& key, int threads = 1) {
  return {of(s), static_cast<std::int64_t>(s.col.size()), key, Team(threads)};
}

}  // namespace

TEST_CASE("a digest does not depend on threads") {
  const DigestKey key = DigestKey::random();
  const Sparsity s = scattered(40000, 40000, 1, 9, 5);
  const PatternDigest digest = digest_of(s, key);
  CHECK(digest == digest_of(s, key, 4));
  CHECK(digest.matches(of(s), key, Team(1)));
  CHECK(digest.matches(of(s), key, Team(3)));
}

TEST_CASE("a digest takes every shape for itself, and says how large it is") {
  const DigestKey key = DigestKey::random();
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list) {
      CAPTURE(shape.name);
      const PatternDigest digest = digest_of(shape.a, key);
      CHECK(digest.matches(of(shape.a), key, Team(1)));
      CHECK_EQ(digest.rows(), shape.a.rows);
      CHECK_EQ(digest.cols(), shape.a.cols);
      CHECK_EQ(digest.nnz(), shape.a.nnz());
      CHECK_LE(digest.bytes(), (shape.a.rows + 1) / 4 + shape.a.nnz() / 8 + 64);
    }
}

TEST_CASE("a digest tells any one change") {
  const DigestKey key = DigestKey::random();
  Sparsity s = scattered(60, 900, 3, 9, 6);
  const PatternDigest digest = digest_of(s, key);
  std::int64_t taken = 0;
  const auto look = [&] { taken += digest.matches(of(s), key, Team(1)) ? 1 : 0; };
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
  CHECK_EQ(taken, 0);
  look();
  CHECK_EQ(taken, 1);
}

TEST_CASE("blocks that change places are told apart") {
  const DigestKey key = DigestKey::random();
  Sparsity s = scattered(1, 1 << 20, 1 << 18, 1 << 18, 7);
  const PatternDigest digest = digest_of(s, key);
  const auto block = static_cast<std::ptrdiff_t>(kDigestBlock / sizeof(std::int32_t));
  std::swap_ranges(s.col.begin(), s.col.begin() + block, s.col.begin() + block);
  CHECK(!digest.matches(of(s), key, Team(1)));
}

TEST_CASE("keys are drawn anew, and digests under them differ") {
  const Sparsity s = scattered(60, 900, 3, 9, 6);
  const DigestKey one = DigestKey::random(), two = DigestKey::random();
  CHECK(!(digest_of(s, one) == digest_of(s, two)));
  CHECK(!digest_of(s, one).matches(of(s), two, Team(1)));
}

}  // namespace rowan::test
