// Products of sizes whose last one had short rows alone: the same bits, or nothing.
#include "lib/device/pipeline/repeated.hpp"

#include <doctest/doctest.h>

#include "lib/device/pipeline/one_launch.hpp"
#include "lib/device/pipeline/one_phase.hpp"
#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/lib/device/pipeline/made_by.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// One that asks for one phase.
std::shared_ptr<Engine> choosing_engine(bool any_sizes) {
  return std::make_shared<Engine>(0, *embedded_policy("host-rules"), "", false, DeviceAllocator(), any_sizes);
}

template <class T>
std::optional<Csr<T>> first(const std::shared_ptr<Engine>& engine, const Factors<T>& f, bool in_one_phase = true) {
  return made_by(engine, f, [&](Engine& e, const Resident<T>& a, const Resident<T>& b, hipStream_t stream) {
    CountedProduct<T> made = product(e, a, b, 0, stream, nullptr);
    CHECK_EQ(made.method.method == Method::one_phase, in_one_phase);
    return std::optional(std::move(made.c));
  });
}
template <class T>
std::optional<Csr<T>> repeated(const std::shared_ptr<Engine>& engine, const Factors<T>& f, std::int64_t limit = 0,
                               Stats* stats = nullptr) {
  return made_by(engine, f, [&](Engine& e, const Resident<T>& a, const Resident<T>& b, hipStream_t stream) {
    return repeated_product(e, a, b, limit, stream, stats);
  });
}

/// Rows of A have 2 to `most` entries, all together 4 for each row; row 50 has `of_one`.
Shape with_rows(std::int64_t rows, std::int64_t of_one, std::int32_t columns, const Sparsity& b, unsigned seed) {
  Random random(seed);
  Rows a;
  for (std::int64_t i = 0, left = 4 * rows; i < rows; i++) {
    std::int64_t n = i == 50 ? of_one : std::min<std::int64_t>(2 + i % 5, left - (rows - 1 - i));
    if (i == rows - 1) n = left;
    left -= n;
    a.push_back(some_columns(random, std::max<std::int64_t>(n, 0), 0, columns));
  }
  return {"of one size", from_rows(a, 300), b};
}

}  // namespace

TEST_CASE("a repeated product of short rows has the textbook's bits, and where it is another one there is none") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    for (const bool wide : {false, true}) {
      CAPTURE(wide);
      const Sparsity b = wide ? scattered(300, 5000, 20, 24, 2) : scattered(300, 900, 3, 6, 2);
      const Factors<double> one(with_rows(600, 4, 300, b, 1), Values::reals),
          other(with_rows(600, 4, 300, b, 2), Values::reals), fewer(with_rows(600, 4, 6, b, 3), Values::reals),
          long_row(with_rows(600, 200, 300, b, 4), Values::reals);
      const auto engine = choosing_engine(true);
      CHECK_FALSE(repeated(engine, one));
      const auto c = first(engine, one);
      REQUIRE(c);
      CHECK_EQ(difference(*c, textbook(one.a(), one.b())), "");
      for (const Factors<double>* f : {&one, &fewer}) {
        REQUIRE_EQ(f->a().nnz(), one.a().nnz());
        Stats stats;
        const auto again = repeated(engine, *f, 0, &stats);
        REQUIRE(again);
        CHECK_EQ(difference(*again, textbook(f->a(), f->b())), "");
        CHECK_EQ(stats.method, Method::one_phase);
        CHECK_EQ(stats.nnz, again->nnz());
        CHECK_GE(stats.bytes_c + stats.bytes_temporary,
                 bytes_of_c<double>(c->rows(), c->nnz()));  // the last one's memory
        CHECK_FALSE(stats.small_product);
      }
      CHECK_FALSE(repeated(engine, one, 1000));  // the limit
      // longer rows, or more entries: nothing, and nothing the next time
      REQUIRE_EQ(long_row.a().nnz(), one.a().nnz());
      CHECK_FALSE(repeated(engine, long_row));
      CHECK_FALSE(repeated(engine, one));
      (void)first(engine, fewer);
      CHECK(repeated(engine, fewer));
      CHECK_FALSE(repeated(engine, other));
      CHECK_FALSE(repeated(engine, fewer));
    }
  });
}

TEST_CASE("where products are counted by a launch of their own the bits are the same, and longer rows are noticed") {
  for_schedules(1, [](int, int) {
    const Sparsity b = scattered(300, 900, 3, 6, 2);
    const Factors<double> one(with_rows(600, 4, 300, b, 1), Values::reals),
        long_row(with_rows(600, 200, 300, b, 4), Values::reals);
    const auto engine = choosing_engine(true);
    (void)first(engine, one);
    made_by(engine, one, [&](Engine& e, const Resident<double>& a, const Resident<double>& of_b, hipStream_t) {
      const std::uint64_t sizes = sizes_of(OneLaunch::repeated, a, of_b);
      PastLaunch past = e.past_launches().find(sizes).value();
      CHECK_FALSE(past.counted);
      past.counted = true;
      e.past_launches().note(sizes, past);
      return std::optional<device::Product<double>>();
    });
    const auto again = repeated(engine, one);
    REQUIRE(again);
    CHECK_EQ(difference(*again, textbook(one.a(), one.b())), "");
    CHECK_FALSE(repeated(engine, long_row));
    CHECK_FALSE(repeated(engine, one));
  });
}

TEST_CASE("rows of a large B that are met all over it are scattered") {
  constexpr std::int64_t kLarge = kShapes.one_phase.most_scattered_bytes;
  Tally bins[kBins] = {};
  bins[bin_number({3, RowKind::single, false})].nprod = 100;
  bins[bin_number({3, RowKind::single, true})].nprod = 90;
  CHECK_FALSE(is_scattered(bins, kLarge + 1));
  bins[bin_number({4, RowKind::single, true})].nprod = 20;
  CHECK(is_scattered(bins, kLarge + 1));
  CHECK_FALSE(is_scattered(bins, kLarge));
}

TEST_CASE("nothing is repeated where rows were not all short, or a policy or accumulator was named") {
  for_schedules_at(32, 1, [](int, int) {
    const Sparsity b = scattered(300, 900, 3, 6, 2);
    const Factors<double> one(with_rows(600, 4, 300, b, 1), Values::reals),
        long_row(with_rows(600, 200, 300, b, 4), Values::reals);
    const auto named = choosing_engine(false), any = choosing_engine(true);
    (void)first(named, one);
    CHECK_FALSE(repeated(named, one));
    (void)first(any, long_row);
    CHECK_FALSE(repeated(any, long_row));
  });
}

}  // namespace rowan::test
