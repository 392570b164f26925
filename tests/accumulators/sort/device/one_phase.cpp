// Short rows in one phase, as the kernel is called: where tiles end, what lies between short rows, what finds no place.
#include "accumulators/sort/device/one_phase.hpp"

#include <optional>

#include <doctest/doctest.h>

#include "tests/lib/device/arrays.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// What the feature pass says of rows, as far as it is read; rows are short up to `most` products.
template <class T>
struct Facts {
  Product<T> c;
  std::vector<device::CRow> c_rows;
  std::vector<bool> is_short;
  std::uint64_t short_products = 0, short_entries = 0;

  Facts(const CsrView<T>& a, const CsrView<T>& b, int most)
      : c(textbook(a, b)), c_rows(static_cast<std::size_t>(a.rows)), is_short(static_cast<std::size_t>(a.rows)) {
    for (std::size_t i = 0; i < is_short.size(); i++) {
      const auto row = static_cast<std::int64_t>(i);
      std::int64_t n = 0;
      for (std::int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; k++) {
        const std::int64_t j = a.col[static_cast<std::size_t>(k)];
        n += b.row_ptr[j + 1] - b.row_ptr[j];
      }
      c_rows[i].lo = n == 0 ? 0 : c.col[static_cast<std::size_t>(c.row_ptr[i])];
      c_rows[i].nprod = static_cast<std::uint32_t>(n);
      is_short[i] = n != 0 && n <= most && a.row_ptr[row + 1] - a.row_ptr[row] != 1;
      if (!is_short[i]) continue;
      short_products += static_cast<std::uint64_t>(n);
      short_entries += static_cast<std::uint64_t>(entries(i));
    }
  }
  [[nodiscard]] std::int64_t entries(std::size_t i) const { return c.row_ptr[i + 1] - c.row_ptr[i]; }
};

/// What is wrong with C's row pointers and short rows, or nothing. Of C's entries there is room for `capacity`, else
/// for all; rows are short up to `most` products. `placed`: the kernel is told where rows are.
template <class T>
std::string fault(const Shape& shape, Values values, int wave, int most, std::int64_t capacity = INT64_MAX,
                  bool placed = false) {
  const Factors<T> f(shape, values);
  const Facts<T> facts(f.a(), f.b(), most);
  const Product<T>& want = facts.c;
  const std::size_t rows = facts.is_short.size();
  capacity = std::min(capacity, want.row_ptr.back());
  std::vector<std::int64_t> row_ptr(rows + 1, -1);
  for (std::size_t i = 0; i < rows; i++)
    if (!facts.is_short[i]) row_ptr[i] = facts.entries(i);
  if (placed) row_ptr = want.row_ptr;
  Pool pool(0);
  const Copied<T> left(pool, f.a()), right(pool, f.b());
  const Buffer<device::CRow> c_rows = on_device(pool, facts.c_rows.data(), facts.c_rows.size());
  const Buffer<std::int64_t> d_row_ptr = on_device(pool, row_ptr.data(), row_ptr.size());
  const std::vector<std::int32_t> no_column(static_cast<std::size_t>(capacity), -7);
  const std::vector<T> no_value(no_column.size(), T{-7});
  const Buffer<Column> col = on_device(pool, no_column.data(), no_column.size());
  const Buffer<T> val = on_device(pool, no_value.data(), no_value.size());
  device::HostMailbox<std::int64_t> told(pool, nullptr);
  std::optional<device::ZeroWords> words;
  if (!placed) words.emplace(pool, device::sort::one_phase_words(left.operand.rows, most), nullptr);
  device::sort::one_phase<T>({.a = left.operand,
                              .b = right.operand,
                              .c_rows = c_rows.data(),
                              .most = most,
                              .short_products = static_cast<double>(facts.short_products),
                              .short_entries = static_cast<double>(facts.short_entries),
                              .placed = placed,
                              .row_ptr = d_row_ptr.data(),
                              .col = col.data(),
                              .val = val.data(),
                              .capacity = capacity,
                              .words = placed ? device::LaunchWords() : words->words(),
                              .told = placed ? device::HostMailbox<std::int64_t>::Sender() : told.sender(),
                              .wave = wave,
                              .stream = nullptr});
  if (!placed) {
    words->launched();
    if (const std::int64_t nnz = told.wait("waiting"); nnz != want.row_ptr[rows])
      return "told of " + std::to_string(nnz) + " entries, not " + std::to_string(want.row_ptr[rows]);
  }
  const auto got_ptr = on_host(d_row_ptr);
  const auto got_col = on_host(col);
  const auto got_val = on_host(val);
  for (std::size_t i = 0; i <= rows; i++)
    if (got_ptr[i] != want.row_ptr[i])
      return "row " + std::to_string(i) + " begins at " + std::to_string(got_ptr[i]) + ", not " +
             std::to_string(want.row_ptr[i]);
  for (std::size_t i = 0; i < rows; i++)
    for (auto k = static_cast<std::size_t>(want.row_ptr[i]); k < static_cast<std::size_t>(want.row_ptr[i + 1]); k++) {
      if (k >= no_column.size()) break;
      const bool same = facts.is_short[i] ? got_col[k] == want.col[k] && same_bits(got_val[k], want.val[k])
                                          : got_col[k] == no_column[k] && got_val[k] == no_value[k];
      if (!same) return "row " + std::to_string(i) + ", entry " + std::to_string(k);
    }
  return "";
}

/// Rows with about this many products each: 3 entries of A and more, rows of B with `length` entries in `columns`.
Shape rows_of(std::string name, const std::vector<int>& products, int length, Column columns) {
  Rows a, b;
  Random random(static_cast<std::uint64_t>(length + columns));
  for (const int n : products) {
    std::vector<std::int32_t> row;
    for (int left = n; left > 0; left -= length) {
      row.push_back(static_cast<std::int32_t>(b.size()));
      b.push_back(some_columns(random, std::min(left, length), 0, columns));
    }
    a.push_back(row);
  }
  const auto b_rows = static_cast<std::int64_t>(b.size());
  return {std::move(name), from_rows(a, b_rows), from_rows(b, columns)};
}

/// As many rows as `of` gives numbers, `times` over.
std::vector<int> repeated(const std::vector<int>& of, int times) {
  std::vector<int> all;
  for (int k = 0; k < times; k++) all.insert(all.end(), of.begin(), of.end());
  return all;
}

std::vector<Shape> all_shapes() {
  return {rows_of("all alike", std::vector<int>(300, 30), 6, 200),
          rows_of("few products", std::vector<int>(300, 12), 4, 4000),
          rows_of("full of one column", std::vector<int>(90, 64), 1, 1),
          rows_of("every number", repeated({0, 1, 2, 63, 64, 65, 31, 32, 33, 15, 16, 17, 8, 48}, 20), 5, 90),
          rows_of("more than there is room for", std::vector<int>(200, 64), 7, 100000),
          rows_of("long rows between", repeated({20, 500, 3, 0, 0, 64, 129, 64, 64}, 25), 9, 3000),
          rows_of("long rows only", std::vector<int>(100, 70), 7, 3000),
          rows_of("long rows of every number", repeated({128, 129, 512, 513, 255, 256, 257, 0, 511, 65}, 6), 17, 700),
          rows_of("long rows around three quarters of a network",
                  repeated({95, 95, 96, 96, 97, 97, 192, 191, 193, 384, 383, 385, 72, 96}, 5), 17, 700),
          rows_of("long rows that fall together", repeated({512, 300, 200, 100}, 10), 3, 3),
          rows_of("nothing", std::vector<int>(100, 0), 1, 10),
          rows_of(
              "a short row at the end of many empty ones",
              [] {
                std::vector<int> n(500, 0);
                n.back() = 40;
                return n;
              }(),
              8, 100),
          shape("unsorted runs with duplicates")};
}

}  // namespace

TEST_CASE("device rows in one phase are the textbook's, bit by bit, whatever lies between them") {
  const std::vector<Shape> all = all_shapes();
  for_schedules(2, [&](int wave, int seed) {
    CAPTURE(wave);
    CAPTURE(seed);
    for (const Shape& shape : all)
      for (const int most : shape.name.starts_with("long") ? std::vector{64, 100, 256, 512} : std::vector{16, 32, 64}) {
        CAPTURE(shape.name);
        CAPTURE(most);
        CHECK_EQ(fault<double>(shape, Values::reals, wave, most), "");
        CHECK_EQ(fault<float>(shape, Values::special, wave, most), "");
      }
  });
}

TEST_CASE("device rows in one phase find their places, or are told") {
  const std::vector<Shape> all = all_shapes();
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    for (const Shape& shape : all) {
      CAPTURE(shape.name);
      for (const int most : {64, 256, 512})
        CHECK_EQ(fault<double>(shape, Values::reals, wave, most, INT64_MAX, true), "");
    }
  });
}

TEST_CASE("a sample of device rows in one phase counts short rows, all of them where they are few") {
  const Shape some = rows_of("every number", repeated({0, 1, 2, 63, 64, 65, 31, 200}, 40), 5, 90);
  for_schedules(2, [&](int, int) {
    const Factors<double> f(some, Values::integers);
    const Facts<double> facts(f.a(), f.b(), 64);
    Pool pool(0);
    const Copied<double> a(pool, f.a()), b(pool, f.b());
    const Buffer<device::CRow> c_rows = on_device(pool, facts.c_rows.data(), facts.c_rows.size());
    const Buffer<device::sort::ShortSample> d_sample(pool, 1, nullptr);
    check(hipMemsetAsync(d_sample.data(), 0, d_sample.bytes(), nullptr), "clearing");
    const Buffer<std::uint32_t> blocks_done(pool, 1, nullptr);
    check(hipMemsetAsync(blocks_done.data(), 0, blocks_done.bytes(), nullptr), "clearing");
    HostMailbox<device::sort::ShortSample> told(pool, nullptr);
    device::sort::sample_short_rows(a.operand, b.operand, c_rows.data(), d_sample.data(), blocks_done.data(),
                                    told.sender(), nullptr);
    const device::sort::ShortSample sample = told.wait("waiting");
    CHECK_EQ(sample.part[0].products, facts.short_products);
    CHECK_EQ(sample.part[0].entries, facts.short_entries);
    const Facts<double> with_wide(f.a(), f.b(), 512);
    CHECK_EQ(sample.part[1].products, with_wide.short_products - facts.short_products);
    CHECK_EQ(sample.part[1].entries, with_wide.short_entries - facts.short_entries);
  });
}

TEST_CASE("device rows in one phase: nothing is written beyond the capacity, and row pointers are complete") {
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    for (const std::int64_t capacity : {0, 1, 777, 4000})
      for (const int products : {30, 300})
        CHECK_EQ(fault<double>(rows_of("all alike",
                                       std::vector<int>(9000 / static_cast<std::size_t>(products), products), 6, 200),
                               Values::integers, wave, products < 64 ? 64 : 512, capacity),
                 "");
  });
}

}  // namespace rowan::test
