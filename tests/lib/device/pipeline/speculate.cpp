// Products decided by the sums of the last ones with their sizes: the same bits, and none where their sums are others.
#include "lib/device/pipeline/speculate.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "lib/device/pipeline/multiply.hpp"
#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/lib/device/pipeline/made_by.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

using namespace device;

std::shared_ptr<Engine> engine_with(const std::string& force, bool deterministic = false) {
  return std::make_shared<Engine>(0, *embedded_policy("device-rules"), force, deterministic);
}
template <class T>
Csr<T> made(const std::shared_ptr<Engine>& engine, const Factors<T>& f, Stats* stats = nullptr) {
  return *made_by(engine, f, [&](Engine& e, const Resident<T>& a, const Resident<T>& b, hipStream_t stream) {
    return std::optional(std::move(product(e, a, b, 0, stream, stats).c));
  });
}
template <class T>
std::optional<Csr<T>> speculated(const std::shared_ptr<Engine>& engine, const Factors<T>& f, std::int64_t limit = 0,
                                 Stats* stats = nullptr) {
  return made_by(engine, f, [&](Engine& e, const Resident<T>& a, const Resident<T>& b, hipStream_t stream) {
    auto done = speculative_product(e, a, b, limit, stream, stats);
    return done ? std::optional(std::move(done->c)) : std::nullopt;
  });
}

/// As many rows, columns and entries, elsewhere.
Sparsity same_sizes(const Sparsity& s, std::uint64_t seed) {
  Random random(seed);
  Rows rows;
  std::int64_t left = static_cast<std::int64_t>(s.col.size());
  for (std::int64_t i = 0; i < s.rows; i++) {
    const std::int64_t rows_left = s.rows - i, even = (left + rows_left - 1) / rows_left;
    const std::int64_t least = left - (rows_left - 1) * s.cols;  // or the others cannot have the rest
    const std::int64_t n = rows_left == 1 ? left
                                          : std::clamp(even + static_cast<std::int64_t>(random.below(3)) - 1,
                                                       std::max<std::int64_t>(least, 0), std::min(s.cols, left));
    rows.push_back(some_columns(random, n, 0, s.cols));
    left -= n;
  }
  return from_rows(rows, s.cols);
}
/// Whether a matrix that wide, with rows that even, can be made of its entries.
bool can_be_spread(const Sparsity& s) {
  constexpr std::int64_t kWide = 1 << 20;
  return s.rows > 0 && s.cols < kWide && static_cast<std::int64_t>(s.col.size()) <= s.rows * s.cols;
}

/// Each shape three times, then another one of its sizes, with `force`.
void check_shapes(const std::string& force, std::size_t part, std::size_t parts) {
  std::size_t number = 0, refused = 0, all = 0;
  for (const Shape& shape : shapes()) {
    if (number++ % parts != part) continue;
    const Sparsity& right = shape.right();
    if (!can_be_spread(shape.a) || !can_be_spread(right)) continue;
    CAPTURE(shape.name);
    const Factors<double> one(shape, Values::integers),
        other(Shape{"other", same_sizes(shape.a, number), same_sizes(right, number + 100)}, Values::integers);
    const auto expected = textbook(one.a(), one.b());
    const auto engine = engine_with(force);
    CHECK_FALSE(speculated(engine, one));
    CHECK_EQ(difference(made(engine, one), expected), "");
    CHECK_FALSE(speculated(engine, one));  // once is not enough
    CHECK_EQ(difference(made(engine, one), expected), "");
    const auto again = speculated(engine, one);
    if (!again) continue;  // one phase, or rows listed by queue
    all++;
    CHECK_EQ(difference(*again, expected), "");
    if (const auto wrong = speculated(engine, other)) {
      CHECK_EQ(difference(*wrong, textbook(other.a(), other.b())), "");  // the same sums
      continue;
    }
    refused++;
    CHECK_FALSE(speculated(engine, one));  // they are forgotten
    CHECK_EQ(difference(made(engine, other), textbook(other.a(), other.b())), "");
  }
  CHECK_GT(all, 0);
  CHECK_GT(refused, 0);
}

}  // namespace

TEST_CASE("sums are assumed once two products of the same sizes had them") {
  const auto told = [](std::int32_t key, std::int64_t rows, std::int32_t flag) {
    auto sums = std::make_unique<ToldSums>();
    sums->count = 1, sums->flag = flag, sums->key[0] = key, sums->of[0].rows = rows;
    return sums;
  };
  const auto one = told(3, 10, 0);
  PastProducts past;
  DeviceRecord record;
  record.rows_of_key[kNumeric][3] = 12;
  const auto known_after = [&](const ToldSums& symbolic, const ToldSums& numeric, const std::string& reason) {
    past.note(7, symbolic, numeric, reason, 5, record);
    return past.repeated(7) != nullptr;
  };
  CHECK_FALSE(known_after(*one, *one, ""));
  CHECK(known_after(*one, *one, ""));
  CHECK(known_after(*one, *one, ""));
  CHECK_EQ(past.repeated(8), nullptr);
  CHECK_EQ(past.repeated(7)->symbolic->of[0].rows, 10);
  CHECK_EQ(past.repeated(7)->heavy, 5);
  CHECK_EQ(past.repeated(7)->record->rows_of_key[kNumeric][3], 12);
  // another key, number, flag, phase or reason
  for (const auto& other : {told(4, 10, 0), told(3, 11, 0), told(3, 10, 1)}) {
    CHECK_FALSE(known_after(*other, *one, ""));
    CHECK_FALSE(known_after(*one, *one, ""));
    CHECK_FALSE(known_after(*one, *other, ""));
    CHECK_FALSE(known_after(*one, *one, ""));
    CHECK(known_after(*one, *one, ""));
  }
  CHECK_FALSE(known_after(*one, *one, "why"));
  CHECK(known_after(*one, *one, "why"));
  past.forget(8 + 64);
  CHECK_NE(past.repeated(7), nullptr);
  past.forget(7);
  CHECK_EQ(past.repeated(7), nullptr);
}

TEST_CASE("a product as the last ones of its sizes has the textbook's bits, and another one is cancelled") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    check_shapes("", static_cast<std::size_t>(wave) / 64, 2);
  });
}

TEST_CASE("every kernel can be cancelled") {
  std::size_t part = 0;
  for (const Candidate& c : kCandidates) {
    if (!on_devices(*candidate_named(c.name))) continue;
    CAPTURE(c.name);
    for_schedules_at(part % 2 == 0 ? 32 : 64, 1, [&](int, int) { check_shapes(std::string(c.name), part % 5, 5); });
    part++;
  }
}

TEST_CASE("heavy rows are cancelled, too, and nothing is assumed of them where sums are in order") {
  const auto heavy = [](std::int64_t entries, std::uint64_t seed) {
    Random random(seed);
    Rows a;
    // one heavy row and, where it has fewer, another long one
    for (int i = 0; i < 40; i++)
      a.push_back(some_columns(random, i == 7 ? entries : i == 8 ? 402 - entries : 2, 0, 400));
    return Factors<double>({"heavy", from_rows(a, 400), scattered(400, 3000, 45, 45, seed)}, Values::integers);
  };
  const Factors<double> one = heavy(400, 1), others[] = {heavy(400, 2), heavy(380, 3), heavy(201, 4)};
  const auto expected = textbook(one.a(), one.b());
  for_schedules(1, [&](int, int) {
    for (const Factors<double>& other : others) {
      const auto engine = engine_with("");
      for (int k = 0; k < 2; k++) CHECK_EQ(difference(made(engine, one), expected), "");
      Stats stats;
      const auto again = speculated(engine, one, 0, &stats);
      REQUIRE(again);
      CHECK_EQ(difference(*again, expected), "");
      CHECK_EQ(stats.nnz, again->nnz());
      CHECK_EQ(stats.method, Method::two_phase);
      CHECK_FALSE(speculated(engine, one, 1 << 30));  // under another limit
      stats = {};
      CHECK_FALSE(speculated(engine, other, 0, &stats));
      CHECK_EQ(stats.nnz, 0);
      CHECK_EQ(stats.numeric, 0);
    }
  });
  // heavy in order, too, on a device as large as those are
  Random random(5);
  Rows a;
  for (int i = 0; i < 40; i++) a.push_back(some_columns(random, i % 20 == 0 ? 12000 : 2, 0, 12000));
  const Factors<double> longer({"heavier", from_rows(a, 12000), scattered(12000, 8000, 10, 10, 6)}, Values::reals);
#if defined(ROWAN_EMULATED)
  emulator::EmulatorOptions options;
  options.multiprocessors = 132;
  const Emulated emulated(options);
#endif
  const auto in_order = engine_with("", true);
  for (int k = 0; k < 3; k++) {
    CHECK_FALSE(speculated(in_order, longer));
    CHECK_EQ(difference(made(in_order, longer), textbook(longer.a(), longer.b())), "");
  }
}

}  // namespace rowan::test
