// Products of a row that a block has, its entries of A staged (accumulators/common/device/staged.hpp).
#include "accumulators/common/device/staged.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/device/arrays.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

using namespace device;

constexpr int kStagers = 64;  // threads of a block: a wave at both widths is in it
constexpr int kColumnsOfB = 300;

/// A block a row: adds A's value, or without values 1, to the sum of each place in B that the row meets.
__global__ void __launch_bounds__(kStagers)
    sum_places(Pattern a, const double* a_val, Pattern b, const std::uint8_t* same, ColumnsOfB columns, int group,
               double* sum) {
  using Staged = StagedEntries<double, kStagers>;
  ROWAN_SHARED(Staged, staged, 1);
  const std::int64_t row = blockIdx.x;
  double* const mine = sum + row * b.ptr[b.rows];
  walk_staged(
      *staged, a, a_val, {b.ptr, same}, columns, row, group, [&](std::int64_t at) { return mine + at; },
      [&](double* at, double scale) { simt::atomic_add(at, a_val == nullptr ? 1.0 : scale); });
}

/// Rows of no entry, of one, of more than a block stages at a time; they meet rows of B of no entry up to many for all
/// threads, some of which equal the one before.
Shape staged_rows() {
  Random random(11);
  Rows b;
  for (std::int64_t j = 0; j < 160; j++) {
    if (j % 5 == 3)
      b.push_back(b.back());
    else
      b.push_back(some_columns(random, j % 31 == 0 ? 290 : random.below(24), 0, kColumnsOfB));
  }
  Rows a;
  for (const std::int64_t entries : {150, 1, 0, 3, 64, 65, 20}) a.push_back(some_columns(random, entries, 0, 160));
  a[1] = {62};  // a row of B that is long for any team
  return {"rows for a block", from_rows(a, 160), from_rows(b, kColumnsOfB)};
}

/// What sum_places() has to give: value(row, entry of A, entry of B) for each product.
template <class F>
std::vector<double> summed(const Sparsity& a, const Sparsity& b, const F& value) {
  std::vector<double> sum(static_cast<std::size_t>(a.rows * b.nnz()), 0);
  for (std::int64_t i = 0; i < a.rows; i++)
    for (std::int64_t k = a.ptr[static_cast<std::size_t>(i)]; k < a.ptr[static_cast<std::size_t>(i) + 1]; k++) {
      const auto j = static_cast<std::size_t>(a.col[static_cast<std::size_t>(k)]);
      for (std::int64_t e = b.ptr[j]; e < b.ptr[j + 1]; e++)
        sum[static_cast<std::size_t>(i * b.nnz() + e)] +=
            value(static_cast<std::size_t>(i), static_cast<std::size_t>(k), static_cast<std::size_t>(e));
    }
  return sum;
}

}  // namespace

TEST_CASE("a block meets every product of its row once, whatever the team, and without values leaves out equal rows") {
  const Shape shape = staged_rows();
  const Sparsity &a = shape.a, &b = *shape.b;
  std::vector<std::uint8_t> relation(static_cast<std::size_t>(b.rows), 0);
  for (std::size_t j = 3; j < relation.size(); j += 5) relation[j] = kSameAsPrevious;
  const Factors<double> factors(shape, Values::integers);
  std::vector<double> a_val(static_cast<std::size_t>(a.nnz()));
  for (std::size_t k = 0; k < a_val.size(); k++) a_val[k] = static_cast<double>(k + 1);
  const auto expected = [&](bool values, bool skip) {
    return summed(a, b, [&](std::size_t row, std::size_t k, std::size_t) {
      const bool first = static_cast<std::int64_t>(k) == a.ptr[row];
      const bool equal = relation[static_cast<std::size_t>(a.col[k])] != 0 && !first && a.col[k - 1] == a.col[k] - 1;
      return skip && equal ? 0 : values ? a_val[k] : 1;
    });
  };
  for_schedules(2, [&](int wave, int) {
    CAPTURE(wave);
    Pool pool(0);
    const Copied<double> left(pool, factors.a()), right(pool, factors.b());
    const Buffer<double> values = on_device(pool, a_val);
    const Buffer<std::uint8_t> same = on_device(pool, relation);
    const Buffer<double> sum(pool, a.rows * b.nnz(), nullptr);
    for (const int group : {1, 8, 32})
      for (const bool with_values : {true, false}) {
        CAPTURE(group);
        CAPTURE(with_values);
        check(hipMemsetAsync(sum.data(), 0, sum.bytes(), nullptr), "clearing");
        launch(sum_places, {.grid = a.rows, .block = kStagers}, nullptr, left.operand,
               with_values ? values.data() : nullptr, right.operand, same.data(), ColumnsOfB{}, group, sum.data());
        CHECK_EQ(on_host(sum), expected(with_values, !with_values));
      }
  });
}

TEST_CASE("a walk that is limited to some columns meets their products alone, those at both ends among them") {
  const Shape shape = staged_rows();
  const Sparsity &a = shape.a, &b = *shape.b;
  const Factors<double> factors(shape, Values::integers);
  const std::vector<double> ones(static_cast<std::size_t>(a.nnz()), 1);
  const Column some = b.col[static_cast<std::size_t>(b.ptr[62]) + 100], all = static_cast<Column>(kColumnsOfB);
  const auto expected = [&](Column begin, Column end) {
    return summed(
        a, b, [&](std::size_t, std::size_t, std::size_t e) { return b.col[e] >= begin && b.col[e] < end ? 1.0 : 0.0; });
  };
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    Pool pool(0);
    const Copied<double> left(pool, factors.a()), right(pool, factors.b());
    const Buffer<double> values = on_device(pool, ones);
    const Buffer<double> sum(pool, a.rows * b.nnz(), nullptr);
    for (const auto& [begin, end] : std::vector<std::pair<Column, Column>>{
             {0, all}, {0, some}, {some, all}, {some, some + 1}, {some, some}, {some / 2, some}, {all, all}}) {
      CAPTURE(begin);
      CAPTURE(end);
      check(hipMemsetAsync(sum.data(), 0, sum.bytes(), nullptr), "clearing");
      launch(sum_places, {.grid = a.rows, .block = kStagers}, nullptr, left.operand, values.data(), right.operand,
             nullptr, ColumnsOfB{right.operand.col, begin, end}, 8, sum.data());
      CHECK_EQ(on_host(sum), expected(begin, end));
    }
  });
}

}  // namespace rowan::test
