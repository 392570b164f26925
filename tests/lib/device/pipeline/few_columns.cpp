// Products with a B of few columns: the textbook's bits, or nothing.
#include "lib/device/pipeline/few_columns.hpp"

#include <doctest/doctest.h>

#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/lib/device/pipeline/made_by.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

using namespace device;

std::shared_ptr<Engine> engine_for(bool in_order, bool any_choice = true) {
  return std::make_shared<Engine>(0, *embedded_policy("device-rules"), "", in_order, DeviceAllocator(), any_choice);
}

template <class T>
std::optional<Csr<T>> few(const std::shared_ptr<Engine>& engine, const Factors<T>& f, std::int64_t limit = 0,
                          Stats* stats = nullptr) {
  return made_by(engine, f, [&](Engine& e, const Resident<T>& a, const Resident<T>& b, hipStream_t stream) {
    return few_columns_product(e, a, b, limit, stream, stats);
  });
}

constexpr std::int64_t kRowsOfB = 2600;

/// Rows of A of no entry and more, some of them so long that a block has them, or several blocks, times rows of B of no
/// entry, some and all.
Shape with_columns(std::int64_t columns) {
  Random random(static_cast<std::uint64_t>(columns));
  Rows a, b;
  for (std::int64_t i = 0; i < 90; i++) {
    const bool is_long = i == 0 || i % 37 == 11;
    const std::int64_t entries = i == 11 ? 2049 : is_long ? random.between(512, kRowsOfB) : random.between(0, 29);
    a.push_back(some_columns(random, entries, 0, kRowsOfB));
  }
  for (std::int64_t j = 0; j < kRowsOfB; j++)
    b.push_back(some_columns(random, random.between(0, columns > 8 ? columns / 3 : columns), 0, columns));
  b[7] = some_columns(random, columns, 0, columns);
  return {"", from_rows(a, kRowsOfB), from_rows(b, columns)};
}

}  // namespace

TEST_CASE("a product with a B of few columns has the textbook's values, in order its bits") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    for (const std::int64_t columns : {1, 7, 8, 9, 16, 17, 32, 33, 64, 65, 100, 128}) {
      CAPTURE(columns);
      const Shape shape = with_columns(columns);
      const Factors<double> reals(shape, Values::reals), whole(shape, Values::integers);
      const auto in_order = few(engine_for(true), reals);
      REQUIRE(in_order);
      CHECK_EQ(difference(*in_order, textbook(reals.a(), reals.b())), "");
      Stats stats;
      const auto any_order = few(engine_for(false), whole, 0, &stats);
      REQUIRE(any_order);
      CHECK_EQ(difference(*any_order, textbook(whole.a(), whole.b())), "");
      CHECK_EQ(stats.nnz, any_order->nnz());
      CHECK_EQ(stats.method_reason, kFewColumnsReason);
    }
    const Factors<float> single(with_columns(40), Values::integers);
    const auto c = few(engine_for(false), single);
    REQUIRE(c);
    CHECK_EQ(difference(*c, textbook(single.a(), single.b())), "");
  });
}

TEST_CASE("in order, the shorter of many long rows stay with their lanes: the textbook's bits") {
  constexpr std::int64_t kColumns = 128, kManyRows = 257;  // 16 blocks a long row: more than 4,096
  Random random(5);
  Rows a, b;
  for (std::int64_t i = 0; i < kManyRows; i++) a.push_back(some_columns(random, i == 100 ? 1100 : 512, 0, kRowsOfB));
  for (std::int64_t j = 0; j < kRowsOfB; j++) b.push_back(some_columns(random, 15, 0, kColumns));
  const Factors<float> f({"", from_rows(a, kRowsOfB), from_rows(b, kColumns)}, Values::reals);
  const auto c = few(engine_for(true), f);
  REQUIRE(c);
  CHECK_EQ(difference(*c, textbook(f.a(), f.b())), "");
}

TEST_CASE("where rows of B have few entries for its columns, there is one if A has a long row") {
  Rows one(kRowsOfB), short_rows(90);
  for (std::size_t j = 0; j < one.size(); j++) one[j] = {static_cast<Column>(j % 24)};
  for (std::size_t i = 0; i < short_rows.size(); i++)
    for (Column j = 0; j < 40; j++) short_rows[i].push_back(static_cast<Column>(i) + 7 * j);
  const Sparsity b = from_rows(one, 24);
  const Factors<double> with({"", with_columns(24).a, b}, Values::integers);
  const Factors<double> without({"", from_rows(short_rows, kRowsOfB), b}, Values::integers);
  for (const bool in_order : {false, true}) {
    const auto engine = engine_for(in_order);
    for (int times = 0; times < 2; times++) {
      const auto c = few(engine, with);
      REQUIRE(c);
      CHECK_EQ(difference(*c, textbook(with.a(), with.b())), "");
      CHECK_FALSE(few(engine, without));
    }
  }
}

TEST_CASE("there is none with more columns, few entries of B for its columns, rows that fall, or memory too short") {
  const Factors<double> wide(with_columns(129), Values::integers), f(with_columns(20), Values::integers);
  CHECK_FALSE(few(engine_for(false), wide));
  CHECK_FALSE(few(engine_for(false, false), f));  // an accumulator or a policy was asked for
  CHECK_FALSE(few(engine_for(false), f, 1000));
  Rows one(kRowsOfB);
  one[5] = {3};
  CHECK_FALSE(few(engine_for(false), Factors<double>({"", with_columns(20).a, from_rows(one, 100)}, Values::integers)));
  Shape falls = with_columns(20);
  falls.b = shuffled(*falls.b, 3);
  const Factors<double> fallen(falls, Values::integers);
  const auto engine = engine_for(false);
  for (int times = 0; times < 2; times++) CHECK_FALSE(few(engine, fallen));
}

}  // namespace rowan::test
