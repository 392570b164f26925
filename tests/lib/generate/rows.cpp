// Kinds whose rows are made one by one.
#include <algorithm>
#include <map>
#include <set>

#include <doctest/doctest.h>

#include "tests/lib/generate/made.hpp"

namespace rowan::test {

TEST_CASE("generate random: every row has its length, from nothing to everything") {
  for (const std::int64_t length : {0, 1, 4, 30, 59, 60}) {
    const Csr<double> m = generate("random:n=60,row_length=" + std::to_string(length));
    for (std::int64_t i = 0; i < 60; i++) CHECK(std::ssize(row_of(m, i)) == length);
  }
}

TEST_CASE("generate rectangular: row lengths take every value of their range") {
  const Csr<double> m = generate("rectangular:rows=500,cols=40,least=2,most=9");
  CHECK(m.rows() == 500);
  CHECK(m.cols() == 40);
  std::set<std::size_t> lengths;
  for (std::int64_t i = 0; i < 500; i++) lengths.insert(row_of(m, i).size());
  CHECK(lengths == std::set<std::size_t>{2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("generate banded: entries lie within reach, as many as asked for or as there are") {
  const Csr<double> m = generate("banded:n=300,reach=10,row_length=15");
  for_entries(m, [](std::int64_t i, Column j) { CHECK(std::abs(i - j) <= 10); });
  for (std::int64_t i = 0; i < 300; i++)
    CHECK(std::ssize(row_of(m, i)) == std::min<std::int64_t>({15, i + 11, 300 - i + 10}));
  const Csr<double> full = generate("banded:n=50,reach=3,row_length=7");
  CHECK(columns(full, 0) == std::vector<std::int32_t>{0, 1, 2, 3});
  CHECK(columns(full, 20) == std::vector<std::int32_t>{17, 18, 19, 20, 21, 22, 23});
}

TEST_CASE("generate diagonals: entries lie on few diagonals, the main one is full, the others in part") {
  const Csr<double> m = generate("diagonals:n=3000,pairs=6,reach=500,percent=70");
  std::map<std::int64_t, int> count;
  for_entries(m, [&](std::int64_t i, Column j) { count[j - i]++; });
  CHECK(count.size() == 13);
  for (const auto& [offset, n] : count) {
    CHECK(std::abs(offset) <= 500);
    CHECK(count.contains(-offset));
    const double share = n / static_cast<double>(3000 - std::abs(offset));
    if (offset == 0)
      CHECK(share == 1);
    else
      CHECK(share == doctest::Approx(0.7).epsilon(0.06));
  }
}

TEST_CASE("generate blocks: dense blocks of the sizes asked for") {
  const Csr<double> m = generate("blocks:n=2000,least=5,most=20");
  std::set<std::int64_t> sizes;
  for (std::int64_t i = 0; i < 2000;) {
    const auto first = columns(m, i);
    const std::int64_t size = std::ssize(first);
    CHECK(first.front() == i);
    for (std::int64_t k = 0; k < size; k++) CHECK(columns(m, i + k) == first);
    CHECK(first.back() == i + size - 1);
    i += size;
    if (i < 2000) sizes.insert(size);
  }
  CHECK(*sizes.begin() == 5);
  CHECK(*sizes.rbegin() == 20);
  CHECK(generate("blocks:n=7,least=7,most=7").nnz() == 49);
}

TEST_CASE("generate powerlaw: few long rows, dense rows, popular columns") {
  const Csr<double> m = generate("powerlaw:n=20000,least=2,longest=400,tail=3,skew=3,dense_rows=4,dense_length=9000");
  int dense = 0, at_least_8 = 0, at_least_64 = 0;
  for (std::int64_t i = 0; i < m.rows(); i++) {
    const auto length = std::ssize(row_of(m, i));
    CHECK(length >= 1);
    CHECK((length <= 400 || length == 9000));
    dense += length == 9000 ? 1 : 0;
    at_least_8 += length >= 8 ? 1 : 0;
    at_least_64 += length >= 64 ? 1 : 0;
  }
  CHECK(dense == 4);
  // rows of x times the least: one in x^(4/3); 8 is 4 times, 64 is 32 times as long, less some columns drawn twice
  CHECK(at_least_8 == doctest::Approx(20000 * 0.1575).epsilon(0.1));
  CHECK(at_least_64 == doctest::Approx(20000 * 0.0098).epsilon(0.25));
  std::int64_t popular = 0;
  for_entries(m, [&](std::int64_t i, Column j) { popular += j < 2500 && row_of(m, i).size() < 9000 ? 1 : 0; });
  CHECK(popular * 2 > (m.nnz() - 4 * 9000) * 85 / 100);  // an eighth of the columns draws half, less repeated draws
  CHECK(generate("powerlaw:n=5000,dense_rows=0,dense_length=0,longest=5000").nnz() > 10000);
}

}  // namespace rowan::test
