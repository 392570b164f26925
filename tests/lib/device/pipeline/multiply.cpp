// The pipeline on a device, emulated or real, against the textbook.
#include <bit>
#include <thread>

#include <doctest/doctest.h>

#include "features/measure.hpp"
#include "lib/choose/extent.hpp"
#include "lib/core/prepared.hpp"
#include "lib/device/pipeline/host_product.hpp"
#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// C by the device under a policy, from and to the host.
template <class T>
Csr<T> multiplied(const CsrView<T>& a, const CsrView<T>& b, const std::string& force, Stats& stats,
                  std::int64_t memory_limit = 0) {
  const Team team(1);
  const Prepared<T> left(a, "A", true, team), right(b, "B", true, team);
  Engine engine(0, *embedded_policy("device-rules"), force);
  rowan::Options options;
  options.memory_limit = memory_limit;
  Csr<T> c = multiply_on_host({&engine}, left.operand(), right.operand(), false, options, stats);
  CHECK_EQ(engine.pool().in_use(), 0);
  return c;
}

template <class T>
void check_shape(const Shape& shape, const std::string& force) {
  CAPTURE(shape.name);
  CAPTURE(force);
  const Factors<T> f(shape, Values::integers);
  Stats stats;
  CHECK_EQ(difference(multiplied(f.a(), f.b(), force, stats), textbook(f.a(), f.b())), "");
}

/// The shapes with a row that the candidate takes, sizes of kernels apart.
std::vector<const Shape*> shapes_for(const Candidate& candidate) {
  std::vector<const Shape*> list;
  for (const Shape& shape : shapes()) {
    const Team team(1);
    const Factors<float> f(shape, Values::integers);
    const Prepared<float> a(f.a(), "A", true, team), b(f.b(), "B", true, team);
    const Measured measured = measure(a.operand(), b.operand(), team);
    const auto taken = [&](std::size_t i) {
      const rowan::CRow& row = measured.rows[i];
      Tally one;
      one.add(row, shape.a.ptr[i + 1] - shape.a.ptr[i], row.bound());
      return candidate.takes(extent_of(one, measured.b->sorted));
    };
    bool any = false;
    for (std::size_t i = 0; i < measured.rows.size() && !any; i++) any = taken(i);
    if (any) list.push_back(&shape);
  }
  return list;
}

/// Every candidate that devices have, over every shape that has rows for it. Of the others all rows are its fallbacks',
/// which have their turn, and that runs are looked for where there are none, the policy's case shows.
void check_candidates(int wave_width) {
  for (const Candidate& c : kCandidates) {
    if (!on_devices(*candidate_named(c.name))) continue;
    const std::vector<const Shape*> with_rows = shapes_for(c);
    CAPTURE(c.name);
    CHECK(!with_rows.empty());
    for_schedules_at(wave_width, 2, [&](int wave, int seed) {
      if (wave != 32 && seed == 1) return;  // in order once will do
      CAPTURE(wave);
      CAPTURE(seed);
      int number = seed + wave / 32;
      for (const Shape* const with_row : with_rows) {
        const Shape& shape = *with_row;
        number++;
        // the emulator is slow: windows over millions of columns once will do
        constexpr std::int64_t kWide = 1 << 20;
        if (shape.right().cols > kWide && shape.right().cols < INT32_MAX && (wave != 32 || seed > 1)) continue;
        if (c.max_a_nnz == 1 && seed > 1) continue;  // most rows are hash's, which has its turn
        if (number % 2 == 0)
          check_shape<float>(shape, std::string(c.name));
        else
          check_shape<double>(shape, std::string(c.name));
      }
    });
  }
}

}  // namespace

TEST_CASE("the device multiplies every shape exactly as the policy chooses, at waves of 32 and 64") {
  for_schedules(1, [](int wave, int) {  // the next cases run every kernel in two
    CAPTURE(wave);
    int number = wave / 32;
    for (const Shape& shape : shapes()) {
      if (number++ % 2 == 0)
        check_shape<double>(shape, "");
      else
        check_shape<float>(shape, "");
    }
  });
}

// Two cases, which run side by side. Two schedules: one in order, one with lanes preempted; a third finds no mistake of
// tests/mutants that these miss, and in order one width finds what the other does. Values of one type in each, the
// other for the next shape: kernels' schedules do not depend on it.
TEST_CASE("every candidate that devices have multiplies every shape exactly, where it is feasible, at waves of 32") {
  check_candidates(32);
}
TEST_CASE("every candidate that devices have multiplies every shape exactly, where it is feasible, at waves of 64") {
  check_candidates(64);
}

TEST_CASE("any number of lanes may walk a row of B") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    for (const std::string name : {"hash", "dense-rank", "dense-run", "direct"})
      for (int lanes = 1; lanes <= 64; lanes *= 2)
        for (const char* of : {"up to 600 products", "rows of B picked", "runs of 1 to 6 equal rows", "unsorted"}) {
          // how lanes walk does not depend on the values: each number of lanes with float and double, at one width
          // each; few lanes walk alike at both
          if (lanes < 32 && std::countr_zero(static_cast<unsigned>(lanes)) % 2 == wave / 64) continue;
          if ((std::countr_zero(static_cast<unsigned>(lanes)) + wave / 32) % 2 == 0)
            check_shape<float>(shape(of), name + ":" + std::to_string(lanes));
          else
            check_shape<double>(shape(of), name + ":" + std::to_string(lanes));
        }
  });
}

TEST_CASE("rows that are long enough for a whole wave or block to look at them") {
  constexpr std::int32_t kColumns = 40;
  std::vector<std::int32_t> block, wave;
  Rows b;
  for (Column j = 0; j < 4200; j++) {
    block.push_back(j);  // past 64 entries a lane, at waves of 64 too
    if (j % 20 == 0) wave.push_back(j);
    b.push_back({j % kColumns});
  }
  const Shape shape{"long rows of A", from_rows({block, {1}, wave, {}}, 4200), from_rows(b, kColumns)};
  for_schedules(2, [&](int, int) { check_shape<double>(shape, ""); });
}

#if defined(ROWAN_EMULATED)
TEST_CASE(
    "only kernels that have rows are launched, and none that lists rows or looks for runs where there is no need") {
  Rows rows;
  for (std::int32_t i = 0; i < 300; i++) rows.push_back({i / 3, 100 + i * 7 % 200});
  const Shape shape{"all rows alike", from_rows(rows, 300), from_rows(rows, 300)};
  for_schedules(1, [&](int, int) {
    const std::uint64_t before = emulator::counters().launches;
    check_shape<double>(shape, "");
    // ranges and relations of rows, their facts, shift teams, bins; one that counts; bins; one that multiplies; two
    // that tell the host
    CHECK_LE(emulator::counters().launches - before, 9);
  });
}
#endif

TEST_CASE("values are computed again and again for a pattern that was counted once") {
  for_schedules(1, [](int, int) {
    for (const char* name : {"up to 600 products", "power law with a hub", "rows of B picked"}) {
      CAPTURE(name);
      const Factors<double> f(shape(name), Values::integers);
      const Team team(1);
      const Prepared<double> a(f.a(), "A", true, team), b(f.b(), "B", true, team);
      Engine engine(0, *embedded_policy("device-rules"), "");
      const OwnStream stream;
      Staging staging(engine.pool(), 1);
      Uploaded<double> left(engine.pool(), a.operand(), staging, stream.get()),
          right(engine.pool(), b.operand(), staging, stream.get());
      left.copy_values(f.a().val.data(), staging, stream.get()),
          right.copy_values(f.b().val.data(), staging, stream.get());
      auto counted = measure_and_count(engine, left.resident(), right.resident(), stream.get(), nullptr);
      allocate(engine, counted, 0, stream.get());
      const auto expected = textbook(f.a(), f.b());
      for (int again = 0; again < 3; again++) {
        fill(engine, left.resident(), right.resident(), counted, stream.get());
        std::vector<double> val(static_cast<std::size_t>(counted.c.nnz));
        check(hipMemcpyAsync(val.data(), counted.c.val.data(), val.size() * 8, hipMemcpyDeviceToHost, stream.get()),
              "copying");
        check(hipMemsetAsync(counted.c.val.data(), 0xff, val.size() * 8, stream.get()), "spoiling");
        check(hipStreamSynchronize(stream.get()), "waiting");
        CHECK(std::equal(val.begin(), val.end(), expected.val.begin(), expected.val.end()));
      }
    }
  });
}

TEST_CASE("several threads and streams multiply at once with one engine") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(shape("up to 600 products"), Values::integers);
    const Team team(1);
    const Prepared<double> a(f.a(), "A", true, team), b(f.b(), "B", true, team);
    const auto expected = textbook(f.a(), f.b());
    Engine engine(0, *embedded_policy("device-rules"), "");
    std::vector<std::string> differences(4, "not run");
    std::vector<std::thread> threads;
    for (std::string& found : differences)
      threads.emplace_back([&] {
        Stats stats;
        found =
            difference(multiply_on_host({&engine}, a.operand(), b.operand(), false, rowan::Options{}, stats), expected);
      });
    for (std::thread& t : threads) t.join();
    for (const std::string& found : differences) CHECK_EQ(found, "");
  });
}

TEST_CASE("many multiplies leave no memory behind") {
#if defined(ROWAN_EMULATED)
  constexpr int kTimes = 6;  // a leak shows in any
#else
  constexpr int kTimes = 1000;
#endif
  for_schedules(1, [](int, int) {
    const Factors<double> f(shape("power law with a hub"), Values::integers);
    const Team team(1);
    const Prepared<double> a(f.a(), "A", true, team);
    Engine engine(0, *embedded_policy("device-rules"), "");
    const auto once = [&] {
      Stats stats;
      (void)multiply_on_host({&engine}, a.operand(), a.operand(), true, rowan::Options{}, stats);
    };
    const auto memory_free = [] {
      std::size_t free = 0, total = 0;
      check(hipMemGetInfo(&free, &total), "asking for memory");
      return free;
    };
    for (int warm = 0; warm < 3; warm++) once();
    const std::int64_t in_use = engine.pool().in_use(), peak = engine.pool().peak();
    const std::size_t free = memory_free();
    for (int k = 0; k < kTimes; k++) once();
    CHECK_EQ(engine.pool().in_use(), in_use);
    CHECK_EQ(engine.pool().peak(), peak);
    CHECK_EQ(memory_free(), free);
  });
}

TEST_CASE("C is computed in chunks of rows where the memory limit asks for it, or refused") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(shape("up to 600 products"), Values::integers);
    const auto expected = textbook(f.a(), f.b());
    Stats whole, chunks;
    CHECK_EQ(difference(multiplied(f.a(), f.b(), "", whole), expected), "");
    const std::int64_t limit = (whole.bytes_c + whole.bytes_temporary) * 2 / 3;
    CHECK_EQ(difference(multiplied(f.a(), f.b(), "", chunks, limit), expected), "");
    CHECK_NE(chunks.method_reason, "");
    Stats none;
    CHECK_THROWS_AS((void)multiplied(f.a(), f.b(), "", none, 1000), Error);
  });
}

}  // namespace rowan::test
