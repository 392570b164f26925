// Sums in the textbook's order (accumulators/common/device/in_order.hpp).
#include "accumulators/common/device/in_order.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/device/arrays.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

using namespace device;

constexpr int kAdders = 256;  // threads of a block: several waves
constexpr int kPlaces = 300, kHidden = 17;

/// Sums of a row: columns below kHidden have no place.
__device__ int place_of(Column column) {
  return column < kHidden ? kNoPlace : column;
}

/// A block a row.
__global__ void __launch_bounds__(kAdders)
    by_blocks(Operand<float> a, Operand<float> b, bool distinct, int part, float* out) {
  ROWAN_SHARED(float, sums, kPlaces);
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  simt::DynamicShared shared;
  const OrderedProducts<float> ordered(shared, part);
  for (int c = block.rank(); c < kPlaces; c += kAdders) sums[c] = 0;
  block.sync();
  const std::int64_t row = blockIdx.x;
  add_in_order(block, ordered, a, b, {}, row, distinct, sums, place_of);
  for (int c = block.rank(); c < kPlaces; c += kAdders) out[row * kPlaces + c] = sums[c];
}

/// `size` lanes a row; sums in `out`, zero at first.
__global__ void __launch_bounds__(kAdders) by_lanes(Operand<float> a, Operand<float> b, int size, float* out) {
  const Lanes lanes(size);
  const std::int64_t row = (static_cast<std::int64_t>(blockIdx.x) * kAdders + threadIdx.x) / size;
  if (row >= a.rows) return;
  add_in_order(lanes, a, b, row, out + row * kPlaces, place_of);
}

/// Rows of no entry, of one, of more than a part of the largest block. They meet rows of B that are all long, all
/// short, or both; without `distinct` some of B's rows name a column several times.
Shape rows_to_add(bool distinct) {
  Random random(11);
  Rows b;
  for (std::int64_t j = 0; j < 320; j++) {
    const std::int64_t length = j < 160 ? 140 + random.below(150) : j % 31 == 0 ? 290 : random.below(6);
    b.push_back(some_columns(random, length, 0, kPlaces));
    if (!distinct && b.back().size() > 2) b.back()[1] = b.back()[0];
  }
  Rows a;
  for (const std::int64_t entries : {150, 1, 0, 130})
    for (const std::int64_t first : {0, 80, 160}) a.push_back(some_columns(random, entries, first, first + 160));
  return {"rows to add", from_rows(a, 320), from_rows(b, kPlaces)};
}

std::vector<float> textbook_sums(const Factors<float>& factors) {
  const auto a = factors.a(), b = factors.b();
  std::vector<float> sums(static_cast<std::size_t>(a.rows * kPlaces), 0);
  for (std::int64_t i = 0; i < a.rows; i++)
    for (auto k = static_cast<std::size_t>(a.row_ptr[static_cast<std::size_t>(i)]);
         k < static_cast<std::size_t>(a.row_ptr[static_cast<std::size_t>(i) + 1]); k++) {
      const auto j = static_cast<std::size_t>(a.col[k]);
      for (auto e = static_cast<std::size_t>(b.row_ptr[j]); e < static_cast<std::size_t>(b.row_ptr[j + 1]); e++) {
        const float product = a.val[k] * b.val[e];
        if (b.col[e] >= kHidden) sums[static_cast<std::size_t>(i * kPlaces + b.col[e])] += product;
      }
    }
  return sums;
}

/// What add(A, B, sums) leaves of sums that are zero at first.
template <class Add>
std::vector<float> sums_of(const Factors<float>& factors, const Add& add) {
  Pool pool(0);
  const Copied<float> left(pool, factors.a()), right(pool, factors.b());
  const Buffer<float> sums(pool, left.operand.rows * kPlaces, nullptr);
  check(hipMemsetAsync(sums.data(), 0, static_cast<std::size_t>(sums.bytes()), nullptr), "clearing");
  add(left.operand, right.operand, sums.data());
  return on_host(sums);
}

}  // namespace

TEST_CASE("a block adds in the textbook's order, whatever its part and the rows of B") {
  for (const bool distinct : {true, false}) {
    CAPTURE(distinct);
    const Factors<float> factors(rows_to_add(distinct), Values::reals);
    const std::vector<float> expected = textbook_sums(factors);
    for_schedules(1, [&](int wave, int) {
      for (const int part : {wave, kAdders - wave}) {
        CAPTURE(wave);
        CAPTURE(part);
        CHECK_EQ(sums_of(factors,
                         [&](const Operand<float>& a, const Operand<float>& b, float* sums) {
                           launch(by_blocks,
                                  {.grid = a.rows, .block = kAdders, .shared = OrderedProducts<float>::bytes(part)},
                                  nullptr, a, b, distinct, part, sums);
                         }),
                 expected);
      }
    });
  }
}

TEST_CASE("lanes add in the textbook's order, however many they are") {
  const Factors<float> factors(rows_to_add(false), Values::reals);
  const std::vector<float> expected = textbook_sums(factors);
  for_schedules(1, [&](int wave, int) {
    for (const int size : {4, 32}) {
      CAPTURE(wave);
      CAPTURE(size);
      CHECK_EQ(sums_of(factors,
                       [&](const Operand<float>& a, const Operand<float>& b, float* sums) {
                         launch(by_lanes, {.grid = (a.rows * size + kAdders - 1) / kAdders, .block = kAdders}, nullptr,
                                a, b, size, sums);
                       }),
               expected);
    }
  });
}

TEST_CASE("the part of a block is as large as its memory lets it, but never less than a wave") {
  using Ordered = OrderedProducts<double>;
  CHECK_EQ(Ordered::most(512, Ordered::bytes(480), 32), 480);
  CHECK_EQ(Ordered::most(512, Ordered::bytes(480) - 1, 32), 448);
  CHECK_EQ(Ordered::most(512, Ordered::bytes(448) - 1, 64), 384);
  CHECK_EQ(Ordered::most(512, 0, 64), 64);
  CHECK_EQ(Ordered::most(64, 1 << 16, 64), 64);  // a block of one wave has no other for it
}

}  // namespace rowan::test
