// Hypersparse operands: C's bits are those of the product of all rows.
#include "lib/device/pipeline/packed.hpp"

#include <doctest/doctest.h>

#include "lib/device/pipeline/fastest.hpp"
#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/lib/device/pipeline/made_by.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

using namespace device;

constexpr std::int64_t kManyRows = (1 << 19) + 77;

std::shared_ptr<Engine> engine_in_order() {
  return std::make_shared<Engine>(0, *embedded_policy("device-rules"), "", true, DeviceAllocator(), true);
}

template <class T>
std::optional<Csr<T>> packed(const Factors<T>& f, Stats* stats = nullptr) {
  return made_by(engine_in_order(), f, [&](Engine& e, const Resident<T>& a, const Resident<T>& b, hipStream_t stream) {
    return packed_product(e, a, b, stream, stats);
  });
}

/// Some rows with entries: the first and the last, a stretch of neighbours, all others far apart.
Sparsity mostly_empty(std::int64_t rows, std::int64_t cols, std::uint64_t seed) {
  Random random(seed);
  Rows made(static_cast<std::size_t>(rows));
  const auto fill = [&](std::int64_t i) {
    made[static_cast<std::size_t>(i)] = some_columns(random, random.between(1, 5), 0, cols);
  };
  fill(0), fill(rows - 1);
  for (std::int64_t i = 5000; i < 5900; i++) fill(i);
  for (std::int64_t i = 100'000; i < rows; i += random.between(1, 4000)) fill(i);
  return from_rows(made, cols);
}

}  // namespace

TEST_CASE("rows with entries are multiplied alone where A or B has few of them, with the same bits") {
  const Sparsity tall = mostly_empty(kManyRows, 900, 1), small = scattered(900, 700, 0, 6, 2),
                 wide =
                     from_rows(Rows(40, {3, 5500, 5501, 250'000, static_cast<std::int32_t>(kManyRows - 1)}), kManyRows),
                 square = mostly_empty(kManyRows, kManyRows, 3), none = from_rows(Rows(kManyRows), 900);
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    for (const Shape& shape : {Shape{"A", tall, small}, Shape{"B", wide, tall}, Shape{"both", square, tall},
                               Shape{"neither has entries", none, small}, Shape{"B has none", wide, none}}) {
      CAPTURE(shape.name);
      const Factors<double> f(shape, Values::reals);
      Stats stats;
      const auto c = packed(f, &stats);
      REQUIRE(c);
      CHECK_EQ(difference(*c, textbook(f.a(), f.b())), "");
      CHECK_EQ(stats.nnz, c->nnz());
      CHECK_GT(stats.bytes_temporary, 0);
    }
  });
}

TEST_CASE("a matrix by itself is packed once") {
  const Sparsity square = mostly_empty(kManyRows, kManyRows, 3);
  const Shape shape{"by itself", square, square};
  const Factors<double> f(shape, Values::reals);
  const auto engine = engine_in_order();
  const auto c = made_by(engine, f, [&](Engine& e, const Resident<double>& a, const Resident<double>&, hipStream_t s) {
    return std::optional(fastest_product(e, a, a, 0, s, nullptr));
  });
  REQUIRE(c);
  CHECK_EQ(difference(*c, textbook(f.a(), f.a())), "");
}

TEST_CASE("other matrices are not packed") {
  CHECK(is_worth_packing(1 << 19, 1 << 17));
  CHECK_FALSE(is_worth_packing(1 << 19, (1 << 17) + 1));
  CHECK_FALSE(is_worth_packing((1 << 19) - 1, 0));
  const Factors<double> f(Shape{"short", scattered(900, 700, 0, 6, 2), scattered(700, 700, 0, 6, 3)}, Values::reals);
  CHECK_FALSE(packed(f).has_value());
}

}  // namespace rowan::test
