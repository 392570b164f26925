// Values by a list of products (lib/device/pipeline/product_list.hpp).
#include "lib/device/pipeline/product_list.hpp"

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "lib/device/pipeline/planned.hpp"
#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// Entries of C with `many` products and with few, beside each other. `every`: of B's rows that have the two columns of
/// such entries; `twice`: they have them twice.
Shape long_sums(std::int64_t many, int every = 1, bool twice = false) {
  Random random(11);
  Rows a, b;
  for (int i = 0; i < 30; i++) a.push_back(some_columns(random, i % 5 == 0 ? many : 3, 0, many));
  for (std::int64_t i = 0; i < many; i++) {
    b.push_back(some_columns(random, 4, 10, 300));
    const Column column = i % (2 * every) == 0 ? 3 : 5;
    if (i % every == 0) b.back().insert(b.back().begin(), twice ? 2U : 1U, column);
  }
  return {"long sums", from_rows(a, many), from_rows(b, 300)};
}

struct Made {
  std::string difference;
  std::int64_t listed = 0, products = 0, bytes = 0;
};

/// Values by a plan, which was made for other ones.
template <class T>
Made planned(const Shape& shape, bool deterministic, Values values, std::int64_t memory_limit = 0) {
  const Factors<T> f(shape, values);
  const Team team(1);
  const Prepared<T> left(f.a(), "A", true, team), right(f.b(), "B", true, team);
  const auto engine = std::make_shared<Engine>(0, *embedded_policy("device-rules"), "", deterministic);
  const OwnStream stream;
  Staging staging(engine->pool(), 1);
  Uploaded<T> a(engine->pool(), left.operand(), staging, stream.get()),
      b(engine->pool(), right.operand(), staging, stream.get());
  const std::vector<T> ones(std::max(f.a().val.size(), f.b().val.size()), T{1});
  a.copy_values(ones.data(), staging, stream.get()), b.copy_values(ones.data(), staging, stream.get());
  Planned<T> plan(engine, a.resident(), b.resident(), memory_limit, stream.get());
  a.copy_values(f.a().val.data(), staging, stream.get()), b.copy_values(f.b().val.data(), staging, stream.get());
  const auto& c = plan.c();
  const Buffer<T> val(engine->pool(), c.nnz, stream.get());
  check(hipMemsetAsync(val.data(), 0xff, val.bytes(), stream.get()), "spoiling");
  plan.fill(a.resident(), b.resident(), val.data(), stream.get());
  auto row_ptr = fetched(c.row_ptr.data(), c.rows + 1, stream.get());
  auto col = fetched(c.col.data(), c.nnz, stream.get());
  auto found = fetched(val.data(), c.nnz, stream.get());
  const Csr<T> result(c.rows, c.cols, std::move(row_ptr), std::move(col), std::move(found));
  return {difference(result, textbook(f.a(), f.b())), plan.listed(), plan.nprod(), plan.bytes()};
}

}  // namespace

TEST_CASE("values by a list are the textbook's: exact sums in any order, all others where the order is asked for") {
  std::vector<Shape> all;
  for (const char* name : {"up to 40 products", "up to 600 products", "rows of B picked", "duplicates in both", "wide",
                           "power law with a hub", "beyond a narrow span", "unsorted", "empty rows and columns"})
    all.push_back(shape(name));
  for (const std::int64_t many : {16, 17, 40, 200, 700}) all.push_back(long_sums(many));
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    for (const Shape& one : all) {
      CAPTURE(one.name);
      const Made exact = planned<double>(one, false, Values::integers),
                 ordered = planned<float>(one, true, Values::reals);
      CHECK_EQ(exact.difference, "");
      CHECK_EQ(ordered.difference, "");
      CHECK_EQ(exact.listed, exact.products);
      CHECK_EQ(ordered.listed, ordered.products);
    }
  });
}

TEST_CASE("a sum of more products than a block holds is in the textbook's order") {
  for_schedules_at(32, 1,
                   [&](int, int) { CHECK_EQ(planned<float>(long_sums(9000), true, Values::reals).difference, ""); });
}

TEST_CASE(
    "long sums are in the textbook's order, whichever way they are sorted: far apart in A, of an entry named twice") {
  for_schedules(1, [&](int, int) {
    for (const Shape& one : {long_sums(1500), long_sums(6000, 12), long_sums(1500, 1, true), long_sums(6000, 12, true)})
      CHECK_EQ(planned<double>(one, true, Values::reals).difference, "");
  });
}

TEST_CASE("where memory is too short to keep each product's place, it is found twice, and the list is the same") {
  for_schedules(1, [&](int, int) {
    for (const Shape& one : {shape("up to 600 products"), long_sums(700)}) {
      const Made whole = planned<float>(one, true, Values::reals);
      // the least memory that gives a list is less than a place for each product beyond what a list needs
      std::int64_t limit = whole.bytes;
      Made limited;
      do {
        limit += whole.products;
        REQUIRE_LT(limit, whole.bytes + 100 * whole.products);
        limited = planned<float>(one, true, Values::reals, limit);
      } while (limited.listed == 0);
      CHECK_EQ(limited.difference, "");
      CHECK_EQ(limited.listed, whole.listed);
    }
  });
}

TEST_CASE("rows in runs are not listed, those beside them are, a plan without a list gives the same values") {
  for_schedules(1, [&](int, int) {
    for (const char* name : {"runs of 1 to 6 equal rows", "shift runs"}) {
      CAPTURE(name);
      const Made made = planned<double>(shape(name), false, Values::integers);
      CHECK_EQ(made.difference, "");
      CHECK_LT(made.listed, made.products);
    }
    const Made whole = planned<double>(shape("up to 600 products"), false, Values::integers);
    const Made limited = planned<double>(shape("up to 600 products"), false, Values::integers, whole.bytes);
    CHECK_EQ(whole.listed, whole.products);
    CHECK_EQ(limited.difference, "");
    CHECK_EQ(limited.listed, 0);  // with C's values it does not fit
    CHECK_LT(limited.bytes, whole.bytes);
  });
}

}  // namespace rowan::test
