// Heavy rows over many blocks: every product, whatever the rows of B are like, and their values again and again.
#include "accumulators/dense/device/heavy.hpp"

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "lib/device/pipeline/host_product.hpp"
#include "lib/device/pipeline/pair.hpp"
#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// Rows of B.
constexpr std::int64_t kInner = 1500;

/// Two rows with most products among some with few, one with a single entry and one with none.
Shape few_heavy(std::string name, Sparsity b) {
  Random random(3);
  Rows a;
  for (int i = 0; i < 60; i++)
    a.push_back(some_columns(random,
                             i == 7    ? kInner
                             : i == 30 ? 1200
                             : i == 31 ? 1
                             : i == 32 ? 0
                                       : 2 + i % 3,
                             0, kInner));
  return {std::move(name), from_rows(a, kInner), std::move(b)};
}

/// Rows alike, each with fewer products than a block's share.
Shape all_heavy() {
  Random random(11);
  Rows a;
  for (int i = 0; i < 30; i++) a.push_back(some_columns(random, 400, 0, kInner));
  return {"many narrow rows", from_rows(a, kInner), scattered(kInner, 700, 9, 15, 12)};
}

/// And how many rows are heavy.
struct ShapeOfHeavyRows {
  Shape shape;
  std::int64_t heavy = 2;
};

std::vector<ShapeOfHeavyRows> shapes_with_heavy_rows() {
  Rows half_empty;
  Random random(9);
  for (int i = 0; i < kInner; i++) half_empty.push_back(some_columns(random, i % 2 == 0 ? 30 : 0, 500, 900));
  return {{few_heavy("rows alike", scattered(kInner, 3000, 12, 15, 1))},
          {few_heavy("far apart", scattered(kInner, 400000, 12, 15, 2))},
          {few_heavy("unsorted, repeated columns", shuffled(repeated(scattered(kInner, 700, 9, 15, 3), 2, 4), 5))},
          {few_heavy("empty rows of B", from_rows(half_empty, 2000))},
          {few_heavy("narrow, short rows of B", scattered(kInner, 90, 3, 9, 6))},
          {few_heavy("narrow, middling rows of B", scattered(kInner, 200, 12, 16, 7))},
          {few_heavy("narrow, long rows of B", scattered(kInner, 900, 30, 80, 8))},
          {all_heavy(), 30}};
}

template <class T>
void check_shape(const ShapeOfHeavyRows& rows) {
  const Shape& shape = rows.shape;
  CAPTURE(shape.name);
  const Factors<T> f(shape, Values::integers);
  const Team team(1);
  const Prepared<T> left(f.a(), "A", true, team), right(f.b(), "B", true, team);
  Engine engine(0, *embedded_policy("device-rules"), "");
  Stats stats;
  const auto expected = textbook(f.a(), f.b());
  CHECK_EQ(difference(multiply_on_host({&engine}, left.operand(), right.operand(), false, rowan::Options{}, stats),
                      expected),
           "");
  // the textbook's bits
  const Factors<T> r(shape, Values::reals);
  const Prepared<T> left_reals(r.a(), "A", true, team), right_reals(r.b(), "B", true, team);
  Engine in_order(0, *embedded_policy("device-rules"), "", true);
  CHECK_EQ(difference(multiply_on_host({&in_order}, left_reals.operand(), right_reals.operand(), false,
                                       rowan::Options{}, stats),
                      textbook(r.a(), r.b())),
           "");
  // a few rows at a time, whose entries do not begin at A's first
  constexpr Chunking kFew{.from_bytes = 0, .first_products = 4000, .least_products = 4000};
  CHECK_EQ(difference(multiply_on_host({&in_order}, left_reals.operand(), right_reals.operand(), false,
                                       rowan::Options{}, stats, {}, kFew),
                      textbook(r.a(), r.b())),
           "");
  // step by step, to see that there are heavy rows; values twice
  const OwnStream stream;
  Staging staging(engine.pool(), 1);
  Uploaded<T> up_a(engine.pool(), left.operand(), staging, stream.get()),
      up_b(engine.pool(), right.operand(), staging, stream.get());
  up_a.copy_values(f.a().val.data(), staging, stream.get()), up_b.copy_values(f.b().val.data(), staging, stream.get());
  auto counted = measure_and_count(engine, up_a.resident(), up_b.resident(), stream.get(), nullptr);
  CHECK_EQ(counted.heavy.size.rows, rows.heavy);
  CHECK_EQ(counted.record->bins[kNumeric][kHeavyBin].rows, rows.heavy);
  CHECK_EQ(counted.record->bins[kNumeric][kHeavyBin].nprod, counted.heavy.size.products);
  allocate(engine, counted, 0, stream.get());
  for (int again = 0; again < 2; again++) {
    check(hipMemsetAsync(counted.c.val.data(), 0xff, counted.c.val.bytes(), stream.get()), "spoiling");
    fill(engine, up_a.resident(), up_b.resident(), counted, stream.get());
    const auto val = fetched(counted.c.val.data(), counted.c.nnz, stream.get());
    CHECK(std::equal(val.begin(), val.end(), expected.val.begin(), expected.val.end()));
  }
}

}  // namespace

TEST_CASE("heavy rows are multiplied exactly, in order where that is asked for, and their values again") {
  const std::vector<ShapeOfHeavyRows> all = shapes_with_heavy_rows();
  for_schedules(2, [&](int wave, int seed) {
    CAPTURE(wave);
    for (const ShapeOfHeavyRows& rows : all)
      if ((wave == 32) == (seed == 1))
        check_shape<double>(rows);
      else
        check_shape<float>(rows);
  });
}

}  // namespace rowan::test
