// Products of operands that do not fit a device's memory, or the limit of it.
#include "lib/device/pipeline/in_parts.hpp"

#include <atomic>
#include <string>

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "lib/device/pipeline/host_product.hpp"
#include "lib/device/pipeline/symbolic.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/lib/device/pipeline/machine.hpp"
#include "tests/lib/io/errors.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

using namespace device;

constexpr Chunking kFewRows{.from_bytes = 0, .bytes = 3000, .first_products = 100, .least_products = 40};

template <class T>
std::int64_t operand_bytes(const CsrView<T>& a, const CsrView<T>& b) {
  const std::int64_t of_a = bytes_of_c<T>(a.rows, static_cast<std::int64_t>(a.col.size()));
  return of_a + (a.col.data() == b.col.data() ? 0 : bytes_of_c<T>(b.rows, static_cast<std::int64_t>(b.col.size())));
}

/// Peaks of the devices' memory are kept too.
template <class T>
void check_product(const Machine& machine, const CsrView<T>& a, const CsrView<T>& b, std::int64_t limit,
                   const Chunking& chunking, Stats& stats) {
  const Team team(1);
  const bool same = a.col.data() == b.col.data();
  const Prepared<T> left(a, "A", true, team), right(b, "B", true, team);
  const auto expected = textbook(a, b);
  rowan::Options options;
  options.memory_limit = limit, options.threads = 2;
  for (Engine* engine : machine.engines) engine->pool().restart_peak();
  const Csr<T> c = multiply_on_host(machine.engines, left.operand(), (same ? left : right).operand(), same, options,
                                    stats, {}, chunking);
  CHECK_EQ(difference(c, expected), "");
  if (limit != 0)
    for (Engine* engine : machine.engines) CHECK_LE(engine->pool().peak(), limit);
  CHECK_EQ(stats.nnz, c.nnz());
  CHECK_EQ(stats.bytes_c, bytes_of_c<T>(c.rows(), c.nnz()));
  std::int64_t rows = 0, nprod = 0;
  for (const DeviceShare& share : stats.devices) rows += share.rows, nprod += share.nprod;
  CHECK_EQ(rows, a.rows);
  CHECK_EQ(nprod, stats.nprod);
  const Symbolic sizes =
      symbolic_on_host(machine.owned, left.operand(), (same ? left : right).operand(), same, options);
  CHECK(std::ranges::equal(sizes.row_ptr.span(), c.row_ptr()));
  CHECK_EQ(sizes.nprod, stats.nprod);
  CHECK_EQ(sizes.nnz, stats.nnz);
  CHECK_EQ(sizes.bytes_c, stats.bytes_c);
}

bool in_chunks(const Stats& stats) {
  return stats.method_reason.starts_with("A and B do not fit the device's memory: ");
}

/// The emulator is slow; but a device takes 28 KB to choose, so A and B are larger.
const Shape& scattered_shape() {
  static const Shape all{"scattered", scattered(1000, 1000, 4, 10, 70), {}};
  return all;
}
const Shape& rough_shape() {
  static const Shape all{"unsorted with duplicates", shuffled(repeated(scattered(800, 1100, 4, 10, 71), 3, 72), 73),
                         scattered(1100, 3'000'000, 3, 9, 74)};
  return all;
}

TEST_CASE("with a limit that A and B are above, rows go up in chunks and C has the textbook's bits") {
  for_schedules_at(32, 1, [](int, int) {
    const Machine machine(1);
    for (const Shape& each : {scattered_shape(), rough_shape()}) {
      CAPTURE(each.name);
      const Factors<double> f(each, Values::reals);
      const Factors<float> narrow(each, Values::reals);
      Stats stats;
      check_product(machine, f.a(), f.b(), operand_bytes(f.a(), f.b()), Chunking{}, stats);
      CHECK(in_chunks(stats));
      check_product(machine, narrow.a(), narrow.b(), operand_bytes(narrow.a(), narrow.b()) - 1, kFewRows, stats);
      CHECK(in_chunks(stats));
    }
  });
}

TEST_CASE("a small B goes up as a whole with chunks of a large A") {
  for_schedules_at(32, 1, [](int, int) {
    const Machine machine(1);
    const Matrix<double> a = filled<double>(scattered(5000, 60, 2, 4, 1), Values::reals, 1),
                         b = filled<double>(scattered(60, 50, 1, 3, 2), Values::reals, 2);
    Stats stats;
    check_product(machine, a.view(), b.view(), 160'000, Chunking{}, stats);
    CHECK(in_chunks(stats));
  });
}

TEST_CASE("progress rises to all of C, chunk by chunk, and a stopped product ends") {
  for_schedules_at(32, 1, [](int, int) {
    const Machine machine(1);
    const Factors<double> f(scattered_shape(), Values::integers);
    const Team team(1);
    const Prepared<double> a(f.a(), "A", true, team);
    rowan::Options options;
    options.memory_limit = operand_bytes(f.a(), f.b());
    std::vector<double> shares;
    options.progress = [&](double share) { shares.push_back(share); };
    Stats stats;
    (void)multiply_on_host(machine.engines, a.operand(), a.operand(), true, options, stats);
    CHECK(std::ranges::is_sorted(shares));
    REQUIRE_GT(shares.size(), 2);
    CHECK_EQ(shares.back(), 1);
    std::stop_source stop;
    options.progress = [&](double) { stop.request_stop(); };
    options.stop = stop.get_token();
    CHECK_EQ(error_of([&] { (void)multiply_on_host(machine.engines, a.operand(), a.operand(), true, options, stats); }),
             "cancelled: the multiplication was cancelled");
  });
}

#if defined(ROWAN_EMULATED)
TEST_CASE("unequal devices without memory for A and B share chunks as far as each one's memory goes") {
  for (const Shape& each : {scattered_shape(), rough_shape()}) {
    CAPTURE(each.name);
    const Factors<double> f(each, Values::integers);
    const auto bytes = static_cast<std::size_t>(operand_bytes(f.a(), f.b()));
    emulator::EmulatorOptions options;
    options.devices = 3, options.memory_of = {bytes * 3 / 4, bytes * 2 / 3, bytes - 1};
    const Emulated emulated(options);
    const Machine machine(3);
    Stats stats;
    check_product(machine, f.a(), f.b(), 0, Chunking{}, stats);
    CHECK(in_chunks(stats));
    REQUIRE_EQ(stats.devices.size(), 3);
    for (int k = 0; k < 3; k++) CHECK_EQ(stats.devices[static_cast<std::size_t>(k)].device, k);
  }
}

TEST_CASE("A and B that fit, but leave no room for a row of C, go up in chunks after all") {
  const Factors<double> f(scattered_shape(), Values::integers);
  emulator::EmulatorOptions options;
  options.memory = static_cast<std::size_t>(operand_bytes(f.a(), f.b())) + 100;
  const Emulated emulated(options);
  const Machine machine(1);
  Stats stats;
  check_product(machine, f.a(), f.b(), 0, Chunking{}, stats);
  CHECK(in_chunks(stats));
}

TEST_CASE("a row that does not fit by itself is named") {
  const Factors<double> f(shape("power law with a hub"), Values::integers);  // row 0 names all of B
  emulator::EmulatorOptions options;
  options.memory = static_cast<std::size_t>(operand_bytes(f.a(), f.b())) * 9 / 10;
  const Emulated emulated(options);
  const Machine machine(1);
  Stats stats;
  const std::string told = error_of([&] { check_product(machine, f.a(), f.b(), 0, Chunking{}, stats); });
  CAPTURE(told);  // of several that do not fit the one that is tried first, by one worker or another
  CHECK(told.starts_with("out_of_memory: row "));
  CHECK(told.find(" of C does not fit a device with ") != std::string::npos);
}

TEST_CASE("a device whose memory is taken by others in the middle multiplies smaller chunks") {
  const Factors<double> f(scattered_shape(), Values::integers);
  const auto bytes = operand_bytes(f.a(), f.b());
  std::atomic<std::int64_t> taken = 0, calls = 0, refused = 0;
  const DeviceAllocator shrinking{.allocate = [&](std::size_t n, void*) -> void* {
                                    const auto more = static_cast<std::int64_t>(n);
                                    const std::int64_t room = calls++ < 200 ? bytes : bytes * 2 / 3;
                                    if ((taken += more) > room) {
                                      taken -= more, refused++;
                                      return nullptr;
                                    }
                                    void* p = nullptr;
                                    return hipMalloc(&p, n) == hipSuccess ? p : nullptr;
                                  },
                                  .free =
                                      [&](void* p, std::size_t n, void*) {
                                        taken -= static_cast<std::int64_t>(n);
                                        (void)hipFree(p);
                                      }};
  for (const std::size_t memory : {std::size_t{1} << 30, static_cast<std::size_t>(bytes) - 1}) {
    CAPTURE(memory);
    emulator::EmulatorOptions options;
    options.memory = memory;
    const Emulated emulated(options);
    calls = 0, refused = 0;
    Machine machine(1);
    machine.owned = {std::make_shared<Engine>(0, *embedded_policy("device-rules"), "", true, shrinking)};
    machine.engines = plain(machine.owned);
    Stats stats;
    check_product(machine, f.a(), f.b(), 0, Chunking{}, stats);
    CHECK(in_chunks(stats));
    CHECK_GT(refused.load(), 0);
    CHECK_EQ(taken.load(), 0);
  }
}

TEST_CASE("a copy that fails in the middle of chunks is told, ends all devices and leaves no memory behind") {
  const Factors<double> f(scattered_shape(), Values::integers);
  int failures = 0;
  for (std::int64_t succeed = 0; succeed < 300; succeed += succeed < 3 ? 1 : 97) {
    emulator::EmulatorOptions options;
    options.devices = 2, options.copies_before_failure = succeed;
    options.memory = static_cast<std::size_t>(operand_bytes(f.a(), f.b())) - 1;
    const Emulated emulated(options);
    const Machine machine(2);
    Stats stats;
    try {
      check_product(machine, f.a(), f.b(), 0, Chunking{}, stats);
    } catch (const Error& e) {
      CHECK_EQ(e.code(), ErrorCode::device);
      failures++;
    }
  }
  CHECK_GT(failures, 4);
}
#endif

}  // namespace
}  // namespace rowan::test
