// Short rows in one phase, as the pipeline goes: what is taken, what is estimated, and what happens where it was wrong.
#include "lib/device/pipeline/one_phase.hpp"

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "lib/device/pipeline/host_product.hpp"
#include "lib/device/pipeline/pair.hpp"
#include "lib/device/pipeline/planned.hpp"
#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// Rules of the host's, which know sort and always ask for the method; on a device as good as any.
Policy always(Method method) {
  Policy policy = *embedded_policy("host-rules");
  policy.trees[static_cast<std::size_t>(Decision::method)] =
      embedded_policy(method == Method::one_phase ? "host-rules" : "nsparse")->tree(Decision::method);
  return policy;
}

/// From and to the host; sums are the textbook's, bit by bit.
template <class T>
Csr<T> multiplied(const Factors<T>& f, Method method, Stats& stats, std::int64_t memory_limit = 0) {
  const Team team(1);
  const Prepared<T> left(f.a(), "A", true, team), right(f.b(), "B", true, team);
  const Policy policy = always(method);
  Engine engine(0, policy, "", true);
  rowan::Options options;
  options.memory_limit = memory_limit;
  Csr<T> c = multiply_on_host({&engine}, left.operand(), right.operand(), false, options, stats);
  CHECK_EQ(engine.pool().in_use(), 0);
  return c;
}

/// Rows of C with `products` products each, of two rows of B; every other of `together` rows meets the same columns
/// twice, the others never.
Shape alternating(std::int64_t rows, std::int64_t together, std::int32_t products) {
  const std::int32_t length = products / 2;
  Rows a, b(3);
  for (std::int32_t k = 0; k < length; k++) b[0].push_back(2 * k), b[1].push_back(2 * k), b[2].push_back(2 * k + 1);
  for (std::int64_t i = 0; i < rows; i++)
    a.push_back(i / together % 2 == 0 ? std::vector<std::int32_t>{0, 1} : std::vector<std::int32_t>{0, 2});
  return {"alternating", from_rows(a, 3), from_rows(b, 2 * length)};
}

/// Most rows short; some long, direct or empty, in no order.
Shape mixed(std::int64_t rows) {
  Random random(7);
  Rows a;
  for (std::int64_t i = 0; i < rows; i++) {
    const std::int64_t kind = i % 37;
    a.push_back(some_columns(random, kind == 5 ? 25 : kind == 6 ? 1 : kind == 7 ? 0 : 2 + kind % 5, 0, 300));
  }
  return {"mixed", from_rows(a, 300), scattered(300, 900, 1, 12, 3)};
}

}  // namespace

TEST_CASE("in one phase the device gives the textbook's product of every shape, bit by bit") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    int in_one = 0;
    std::vector<Shape> all = shapes();
    all.push_back(mixed(400));
    for (const Shape& shape : all) {
      if (shape.name.find("million") != std::string::npos) continue;
      CAPTURE(shape.name);
      const Factors<double> d(shape, Values::reals);
      Stats stats;
      CHECK_EQ(difference(multiplied(d, Method::one_phase, stats), textbook(d.a(), d.b())), "");
      CHECK_EQ(stats.method == Method::two_phase, !stats.method_reason.empty());
      if (stats.method != Method::one_phase) continue;
      in_one++;
      const Factors<float> f(shape, Values::special);
      CHECK_EQ(difference(multiplied(f, Method::one_phase, stats), textbook(f.a(), f.b())), "");
    }
    CHECK_GT(in_one, 5);
  });
}

TEST_CASE("one phase is not taken where few of the products are in short rows, and it is said") {
  for_schedules(1, [](int, int) {
    const Factors<double> f({"long rows", scattered(60, 300, 30, 50, 1), scattered(300, 900, 20, 30, 2)},
                            Values::integers);
    Stats stats;
    CHECK_EQ(difference(multiplied(f, Method::one_phase, stats), textbook(f.a(), f.b())), "");
    CHECK_EQ(stats.method, Method::two_phase);
    CHECK(stats.method_reason.starts_with("rows of at most 512 products have "));
  });
}

TEST_CASE("rows of up to 512 products go in one phase, too, but not where many fall together") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    const Factors<double> apart({"apart", scattered(300, 400, 2, 16, 1), scattered(400, 5000, 10, 30, 2)},
                                Values::reals);
    Stats stats;
    CHECK_EQ(difference(multiplied(apart, Method::one_phase, stats), textbook(apart.a(), apart.b())), "");
    CHECK_EQ(stats.method, Method::one_phase);
    const Factors<double> close({"close", scattered(300, 400, 10, 16, 1), scattered(400, 40, 10, 30, 2)},
                                Values::reals);
    CHECK_EQ(difference(multiplied(close, Method::one_phase, stats), textbook(close.a(), close.b())), "");
    CHECK_EQ(stats.method, Method::two_phase);
    CHECK(stats.method_reason.ends_with(" products fall together"));
  });
}

TEST_CASE("a sample that says too little costs another try, and nothing else") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    constexpr std::int64_t kTogether = 16;  // rows of a sample, every other of which is taken
    const Factors<double> f(alternating(4096, kTogether, 16), Values::reals);
    const auto expected = textbook(f.a(), f.b());
    Stats stats;
    CHECK_EQ(difference(multiplied(f, Method::one_phase, stats), expected), "");
    CHECK_EQ(stats.method, Method::one_phase);
    CHECK_EQ(stats.nnz, static_cast<std::int64_t>(expected.col.size()));
  });
}

TEST_CASE("one phase keeps the memory limit: where its estimate is beyond it, C is counted first") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(alternating(2000, 1, 32), Values::integers);
    const auto expected = textbook(f.a(), f.b());
    Stats two, one, tight;
    CHECK_EQ(difference(multiplied(f, Method::two_phase, two), expected), "");
    CHECK_EQ(difference(multiplied(f, Method::one_phase, one), expected), "");
    CHECK_EQ(one.method, Method::one_phase);
    CHECK_EQ(one.bytes_c, two.bytes_c);
    CHECK_GT(one.bytes_temporary, two.bytes_temporary);
    const std::int64_t enough = two.bytes_c + two.bytes_temporary;
    CHECK_EQ(difference(multiplied(f, Method::one_phase, tight, enough), expected), "");
    CHECK_EQ(tight.method, Method::two_phase);
    CHECK(tight.method_reason.ends_with("is beyond the memory there is"));
  });
}

TEST_CASE("values can be computed again of a product that was made in one phase") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    const Factors<double> f(mixed(300), Values::reals);
    const Team team(1);
    const Prepared<double> left(f.a(), "A", true, team), right(f.b(), "B", true, team);
    const Policy policy = always(Method::one_phase);
    const auto engine = std::make_shared<Engine>(0, policy, "", true);
    const Pair<double> pair(engine, left.operand(), right.operand(), false);
    Planned<double> planned(engine, pair.a(), pair.b(), 0, pair.stream());
    CHECK_EQ(planned.method(), Method::one_phase);
    const auto expected = textbook(f.a(), f.b());
    for (int again = 0; again < 2; again++) {
      const Buffer<double> val(engine->pool(), planned.c().nnz, pair.stream());
      planned.fill(pair.a(), pair.b(), val.data(), pair.stream());
      CHECK_EQ(difference(Csr<double>(planned.c().rows, planned.c().cols,
                                      fetched(planned.c().row_ptr.data(), planned.c().rows + 1, pair.stream()),
                                      fetched(planned.c().col.data(), planned.c().nnz, pair.stream()),
                                      fetched(val.data(), val.size(), pair.stream())),
                          expected),
               "");
    }
  });
}

#if defined(ROWAN_EMULATED)
TEST_CASE("where the device has no room for the estimate, C is counted first") {
  const Factors<double> f(alternating(2000, 1, 32), Values::integers);
  emulator::EmulatorOptions options;
  Stats stats;
  std::int64_t least = 1 << 24, enough = 0;  // bytes with which one phase is taken, and with which it is not
  for (int k = 0; k < 12; k++) {
    options.memory = static_cast<std::size_t>((least + enough) / 2);
    const Emulated emulated(options);
    Stats one;
    bool fits = false;
    try {
      CHECK_EQ(difference(multiplied(f, Method::one_phase, one), textbook(f.a(), f.b())), "");
      fits = one.method == Method::one_phase && one.method_reason.empty();
    } catch (const Error&) {
      fits = false;
    }
    if (!fits && one.method_reason.ends_with("is beyond the memory there is")) stats = one;
    (fits ? least : enough) = (least + enough) / 2;
  }
  CHECK_EQ(stats.method, Method::two_phase);
}
#endif

}  // namespace rowan::test
