// Small products in one launch, as the pipeline goes: what is tried, what is given up, what room there was.
#include "lib/device/pipeline/small.hpp"

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "lib/device/pipeline/one_launch.hpp"
#include "lib/device/pipeline/pair.hpp"
#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/lib/device/pipeline/made_by.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

using namespace device;

std::shared_ptr<Engine> engine_of(bool deterministic) {
  return std::make_shared<Engine>(0, default_policy(kBackend), "", deterministic, DeviceAllocator(), true);
}

/// C, or nothing where it was not multiplied so.
template <class T>
std::optional<Csr<T>> multiplied(const std::shared_ptr<Engine>& engine, const Factors<T>& f, Stats* stats = nullptr,
                                 std::int64_t memory_limit = 0) {
  return made_by(engine, f, [&](Engine& e, const Resident<T>& a, const Resident<T>& b, hipStream_t stream) {
    return small_product(e, a, b, memory_limit, stream, stats);
  });
}

std::uint64_t sizes_of(const Factors<double>& f) {
  return PastLaunches::name(OneLaunch::small, sizeof(double), f.a().rows, f.b().rows, f.b().cols, f.a().nnz(),
                            f.b().nnz());
}

/// One row in twenty of A has `entries` entries, too many products for lanes; the others have a few.
Shape few_long(std::int64_t rows, std::int64_t entries, std::int64_t columns) {
  Random random(3);
  Rows a;
  for (std::int64_t i = 0; i < rows; i++) a.push_back(some_columns(random, i % 20 == 7 ? entries : i % 4, 0, 400));
  return {"few long rows", from_rows(a, 400), scattered(400, columns, 20, 30, 2)};
}

/// Sums are exact, or else the textbook's by the order that was asked for.
template <class T>
std::string fault(const Shape& shape, Values values) {
  const Factors<T> f(shape, values);
  const auto c = multiplied(engine_of(values != Values::integers), f);
  return c ? difference(*c, textbook(f.a(), f.b())) : "given up";
}

}  // namespace

TEST_CASE("in one launch the device gives the textbook's product of every small shape, bit by bit") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    int taken = 0;
    for (const Shape& shape : shapes()) {
      if (shape.name.find("million") != std::string::npos) continue;
      CAPTURE(shape.name);
      if (const std::string found = fault<double>(shape, Values::integers); found != "given up") {
        CHECK_EQ(found, "");
        taken++;
      }
      const std::string in_order = fault<float>(shape, Values::special);
      if (in_order != "given up") CHECK_EQ(in_order, "");
    }
    CHECK_GT(taken, 15);
  });
}

TEST_CASE("rows of every length go in one launch: in registers, by a group of lanes, by a block") {
  for_schedules(2, [](int wave, int) {
    CAPTURE(wave);
    struct Case {
      const char* name;
      std::int32_t a_least, a_most;  // entries of a row of A
      std::int32_t columns;          // of B
      std::int32_t b_least, b_most;
    };
    for (const Case& c :
         {Case{"8 lanes", 0, 6, 900, 0, 6}, Case{"16 lanes", 2, 6, 90000, 4, 12}, Case{"32 lanes", 1, 12, 300, 1, 20},
          Case{"groups, one level", 1, 60, 9000, 5, 30}, Case{"groups, two levels", 1, 40, 120000, 1, 12},
          Case{"more than 32 of A", 30, 70, 500, 0, 2}}) {
      CAPTURE(c.name);
      const Shape shape{c.name, scattered(120, 200, c.a_least, c.a_most, 1),
                        scattered(200, c.columns, c.b_least, c.b_most, 2)};
      CHECK_EQ(fault<double>(shape, Values::integers), "");
      CHECK_EQ(fault<double>(shape, Values::reals), "");
    }
    for (const std::int64_t columns : {5000, 120000}) {
      CHECK_EQ(fault<double>(few_long(100, 100, columns), Values::integers), "");
      CHECK_EQ(fault<double>(few_long(60, 300, columns), Values::integers), "");  // batches of A's entries in turn
    }
  });
}

TEST_CASE("in the textbook's order a block's row has its sums in shared memory, or in C where it is long") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    for (const std::int64_t columns : {3000, 120000}) {
      CAPTURE(columns);
      CHECK_EQ(fault<double>(few_long(40, 100, columns), Values::reals), "");
      CHECK_EQ(fault<float>(few_long(40, 100, columns), Values::special), "");
    }
  });
}

TEST_CASE("where C has more entries than its operands let one expect, there is a second launch") {
  for_schedules_at(32, 1, [](int, int) {
    // one long row of B, which all rows of A meet
    Rows a, b(2000);
    for (std::int32_t i = 0; i < 300; i++) a.push_back({0, 1 + i});
    for (std::int32_t k = 0; k < 400; k++) b[0].push_back(3 * k);
    for (std::int32_t i = 1; i < 2000; i++) b[static_cast<std::size_t>(i)].push_back(i);
    const Factors<double> f({"one long row of B", from_rows(a, 2000), from_rows(b, 2000)}, Values::integers);
    Stats stats;
    const auto c = multiplied(engine_of(false), f, &stats);
    REQUIRE(c);
    CHECK_GT(c->nnz(), 2 * f.a().nnz() + 300);  // of which the sizes let one expect 1.2 products each
    CHECK_EQ(difference(*c, textbook(f.a(), f.b())), "");
    CHECK(stats.small_product);
    CHECK_EQ(stats.nnz, c->nnz());
    CHECK_EQ(stats.nprod, 300 * 401);
    CHECK_EQ(stats.method, Method::one_phase);
  });
}

TEST_CASE("rows that are much longer than their operands let one expect are given up, and limits are kept") {
  for_schedules_at(32, 1, [](int, int) {
    Rows a, b(1000);
    for (std::int32_t i = 0; i < 8; i++) {
      a.emplace_back();
      for (std::int32_t k = 0; k < 20; k++) a.back().push_back(k);
    }
    for (std::int32_t i = 0; i < 20; i++)
      for (std::int32_t k = 0; k < 2000; k++) b[static_cast<std::size_t>(i)].push_back(k);
    const Factors<double> heavy({"heavy", from_rows(a, 1000), from_rows(b, 2000)}, Values::integers);
    CHECK_FALSE(multiplied(engine_of(false), heavy));
    const Factors<double> f({"small", scattered(50, 80, 1, 5, 1), scattered(80, 70, 1, 5, 2)}, Values::integers);
    CHECK(multiplied(engine_of(false), f));
    CHECK_FALSE(multiplied(engine_of(false), f, nullptr, 1000));
  });
}

TEST_CASE("sizes that were given up are tried with fewer rows a tile, then not for a while") {
  for_schedules_at(32, 1, [](int, int) {
    const Sparsity b = scattered(400, 3000, 200, 300, 2);
    Random random(3);
    Rows uneven, even;  // as many entries in all
    for (std::int64_t i = 0; i < 100; i++) {
      uneven.push_back(some_columns(random, i == 6 ? 400 : 1, 0, 400));
      even.push_back(some_columns(random, i == 6 ? 4 : 5, 0, 400));
    }
    const Factors<double> given_up({"uneven", from_rows(uneven, 400), b}, Values::reals);
    const Factors<double> taken({"even", from_rows(even, 400), b}, Values::reals);
    REQUIRE_EQ(given_up.a().nnz(), taken.a().nnz());
    const auto engine = engine_of(false);
    CHECK(multiplied(engine, taken));
    int given = 0;
    while (engine->past_launches().find(sizes_of(taken))->skips == 0 && given < 4)
      given += multiplied(engine, given_up) ? 5 : 1;
    CHECK_LE(given, 3);
    for (int skips = 31; skips-- > 0;) CHECK_FALSE(multiplied(engine, taken));
    CHECK(multiplied(engine, taken));
  });
}

TEST_CASE("C has the same bits whatever was known of its sizes: as many entries, fewer, more, long rows") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    const Sparsity b = scattered(300, 900, 30, 40, 2);
    Random random(5);
    const auto with = [&](std::int64_t long_row, std::int32_t columns) {  // 300 entries in all
      Rows rows;
      for (std::int64_t i = 0; i < 101; i++)
        rows.push_back(i == 50 ? some_columns(random, long_row, 0, 300)
                               : some_columns(random, (300 - long_row) / 100, 0, columns));
      return Factors<double>({"of 300 entries", from_rows(rows, 300), b}, Values::reals);
    };
    const Factors<double> many = with(0, 300), few = with(0, 4), long_row = with(200, 300);
    REQUIRE_EQ(many.a().nnz(), long_row.a().nnz());
    const auto engine = engine_of(true);
    for (const Factors<double>* f : {&many, &many, &few, &few, &many, &long_row, &long_row, &few, &many}) {
      const auto c = multiplied(engine, *f);
      REQUIRE(c);
      CHECK_EQ(difference(*c, textbook(f->a(), f->b())), "");
    }
  });
}

TEST_CASE("a limit holds for the memory of a C that turns out smaller than the last one of its sizes, too") {
  for_schedules_at(32, 1, [](int, int) {
    Random random(5);
    Rows spread, close, rows_of_b;  // the first six rows of B are the same
    for (std::int32_t i = 0; i < 300; i++)
      rows_of_b.push_back(i == 0 || i > 5 ? some_columns(random, 35, 0, 900) : rows_of_b[0]);
    const Sparsity b = from_rows(rows_of_b, 900);
    for (int i = 0; i < 100; i++)
      spread.push_back(some_columns(random, 4, 0, 300)), close.push_back(some_columns(random, 4, 0, 6));
    const Factors<double> many({"many", from_rows(spread, 300), b}, Values::reals),
        few({"few", from_rows(close, 300), b}, Values::reals);
    const auto engine = engine_of(false);
    Stats stats;
    REQUIRE(multiplied(engine, many));
    REQUIRE(multiplied(engine, many, &stats));
    const std::int64_t of_many = stats.bytes_c + stats.bytes_temporary;
    CHECK(multiplied(engine, many, nullptr, of_many));
    CHECK_FALSE(multiplied(engine, few, nullptr, of_many));  // both are there while entries are copied
    CHECK(multiplied(engine, few, nullptr, of_many));        // now its size is known
  });
}

TEST_CASE("what is small goes by sizes, and by nobody having named anything") {
  const Team team(1);
  const auto may_be = [&](const Factors<double>& f, bool small_path) {
    const Prepared<double> left(f.a(), "A", true, team), right(f.b(), "B", true, team);
    const auto engine = std::make_shared<Engine>(0, default_policy(kBackend), "", false, DeviceAllocator(), small_path);
    const Pair<double> pair(engine, left.operand(), right.operand(), false);
    return may_be_small(*engine, pair.a(), pair.b());
  };
  for_schedules_at(32, 1, [&](int, int) {
    const Factors<double> small({"small", scattered(50, 80, 1, 5, 1), scattered(80, 70, 1, 5, 2)}, Values::integers);
    CHECK(may_be(small, true));
    CHECK_FALSE(may_be(small, false));
    const Factors<double> wide({"wide", scattered(50, 80, 1, 5, 1), scattered(80, 140000, 1, 5, 2)}, Values::integers);
    CHECK_FALSE(may_be(wide, true));
    const Factors<double> large({"large", scattered(4000, 100, 30, 50, 1), scattered(100, 300, 40, 60, 2)},
                                Values::integers);
    CHECK_FALSE(may_be(large, true));
  });
}

}  // namespace rowan::test
