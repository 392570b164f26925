// Rows of A with the rows of B that they name.
#include "lib/device/pipeline/needed_rows.hpp"

#include <cstring>

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"

namespace rowan::test {
namespace {

using namespace device;

template <class T>
CsrView<T> view_of(const Operand<T>& m) {
  const auto nnz = static_cast<std::size_t>(m.nnz());
  return {.rows = m.rows,
          .cols = m.cols,
          .row_ptr = std::span<const std::int64_t>(m.ptr, static_cast<std::size_t>(m.rows) + 1),
          .col = std::span(m.col, nnz),
          .val = std::span(m.val, nnz)};
}

template <class T>
std::int64_t bytes_of(const NeededRows<T>& part) {
  const auto of = [](const Operand<T>& m) {
    return m.rows * 8 + m.nnz() * static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
  };
  return of(part.a) + of(part.b);
}

/// Products of chunks of so many bytes, one below another; chunks and whole copies of B are counted.
template <class T>
void check_parts(const Factors<T>& f, std::int64_t bytes, int& chunks, int& with_all_of_b) {
  const Team team(1);
  const Prepared<T> a(f.a(), "A", true, team), b(f.b(), "B", true, team);
  const auto expected = textbook(f.a(), f.b());
  RowGatherer<T> gatherer(a.operand(), b.operand());
  for (RowRange rows; rows.last < f.a().rows;) {
    rows = gatherer.fitting({rows.last, f.a().rows}, bytes);
    REQUIRE_GT(rows.size(), 0);
    chunks++;
    const NeededRows<T> part = gatherer.gather(rows, bytes, team);
    if (rows.size() > 1) CHECK_LE(bytes_of(part), bytes);
    if (part.b.ptr == b.operand().ptr)
      with_all_of_b++;
    else
      CHECK_LE(part.b.rows, part.a.nnz());
    const auto c = textbook(view_of(part.a), view_of(part.b));
    for (std::int64_t i = 0; i < rows.size(); i++) {
      const auto at = static_cast<std::size_t>(i), there = static_cast<std::size_t>(rows.first + i);
      const auto n = static_cast<std::size_t>(c.row_ptr[at + 1] - c.row_ptr[at]);
      REQUIRE_EQ(n, static_cast<std::size_t>(expected.row_ptr[there + 1] - expected.row_ptr[there]));
      const auto from = static_cast<std::size_t>(c.row_ptr[at]), to = static_cast<std::size_t>(expected.row_ptr[there]);
      CHECK(std::equal(c.col.begin() + static_cast<std::ptrdiff_t>(from),
                       c.col.begin() + static_cast<std::ptrdiff_t>(from + n),
                       expected.col.begin() + static_cast<std::ptrdiff_t>(to)));
      CHECK_EQ(0, std::memcmp(c.val.data() + from, expected.val.data() + to, n * sizeof(T)));
    }
  }
}

TEST_CASE("chunks of A's rows with the rows of B that they name have the product's bits, within their bytes") {
  for (const char* name : {"power law with a hub", "up to 600 products", "rows of B picked", "unsorted",
                           "duplicates in both", "few entries in many rows", "all empty", "arrow"}) {
    CAPTURE(name);
    const Factors<double> f(shape(name), Values::reals);
    const Factors<float> narrow(shape(name), Values::reals);
    int before = 1 << 30;
    for (const std::int64_t bytes : {1, 500, 4000, 30'000, 10'000'000}) {
      CAPTURE(bytes);
      int chunks = 0, with_all_of_b = 0;
      check_parts(f, bytes, chunks, with_all_of_b);
      CHECK_LE(chunks, before);
      before = chunks;
      if (bytes == 1) CHECK_EQ(chunks, f.a().rows);
      check_parts(narrow, bytes, chunks, with_all_of_b);
      if (bytes == 10'000'000) CHECK_EQ(with_all_of_b, 2);
    }
  }
}

TEST_CASE("rows can be gathered that were not cut, as where a chunk is halved") {
  const Factors<double> f(shape("up to 600 products"), Values::integers);
  const Team team(1);
  const Prepared<double> a(f.a(), "A", true, team), b(f.b(), "B", true, team);
  RowGatherer<double> gatherer(a.operand(), b.operand());
  const RowRange rows = gatherer.fitting({0, f.a().rows}, 30'000);
  REQUIRE_GT(rows.size(), 3);
  const NeededRows<double> all = gatherer.gather(rows, 30'000, team), one = gatherer.gather({2, 3}, 30'000, team);
  CHECK_EQ(one.a.nnz(), a.operand().length(2));
  CHECK_EQ(one.b.rows, one.a.nnz());
  CHECK_LT(one.b.rows, all.b.rows);
}

}  // namespace
}  // namespace rowan::test
