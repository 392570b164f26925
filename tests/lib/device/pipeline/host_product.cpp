// Host to host: in one piece and in chunks, on one device and on several, with failures.
#include "lib/device/pipeline/host_product.hpp"

#include <chrono>
#include <thread>

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "lib/host/rows_in_place.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/lib/device/pipeline/machine.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

using namespace device;

/// Chunks of some rows, however small the product.
constexpr Chunking kSmallChunks{.from_bytes = 0, .bytes = 3000, .first_products = 100, .least_products = 40};

/// As many devices as the emulator is asked for, unequal where their memory is given; a real machine has those it has.
template <class F>
void on_devices_alike(int devices, const F& f) {
#if defined(ROWAN_EMULATED)
  emulator::EmulatorOptions options;
  options.devices = devices;
  const Emulated emulated(options);
#endif
  f(Machine(devices));
}

template <class T>
Csr<T> multiplied(const Machine& machine, const CsrView<T>& a, const CsrView<T>& b, Stats& stats,
                  const Chunking& chunking, const rowan::Options& options = {}, const HostWork<T>& meanwhile = {}) {
  const Team team(1);
  const Prepared<T> left(a, "A", false, team), right(b, "B", false, team);
  return multiply_on_host(machine.engines, left.operand(), right.operand(), false, options, stats, meanwhile, chunking);
}

/// The host's cores, which share the rows of one product.
struct Cores {
  Cores(const CsrView<double>& a, const CsrView<double>& b, double speed)
      : left(a, "A", true, Team(1)), right(b, "B", true, Team(1)) {
    work.speed = speed;
    work.fill = [this](std::int64_t first, std::span<const std::int64_t> row_ptr, Column* col, double* val) {
      chunks++;
      rows.fill(first, {row_ptr, col, val});
    };
  }
  const Prepared<double> left, right;
  const rowan::Options options = {};
  const Policy policy = embedded_policies().front();
  const Settings settings{.options = options, .policy = policy};
  RowsInPlace<double> rows{left.operand(), right.operand(), settings, 1};
  int chunks = 0;
  HostWork<double> work = {};
};

TEST_CASE("the product has the textbook's bits, in chunks and on several devices") {
  for (const int devices : {1, 2, 5})
    on_devices_alike(devices, [&](const Machine& machine) {
      CAPTURE(devices);
      for (const Shape& shape : shapes()) {
        constexpr std::int64_t kWide = 1 << 20;
        if (shape.right().cols > kWide) continue;  // the emulator is slow
        if (devices != 2 && shape.name != "power law with a hub" && shape.name != "all empty") continue;
        CAPTURE(shape.name);
        const Factors<double> f(shape, Values::reals);
        const auto expected = textbook(f.a(), f.b());
        Stats stats;
        CHECK_EQ(difference(multiplied(machine, f.a(), f.b(), stats, kSmallChunks), expected), "");
        if (stats.nprod != 0) CHECK_EQ(stats.devices.size(), machine.engines.size());
        CHECK_NE(stats.device, "");  // also where a device had no rows
        CHECK_NE(stats.policy, "");
        std::int64_t rows = 0, nnz = 0, nprod = 0;
        for (const DeviceShare& share : stats.devices) rows += share.rows, nnz += share.nnz, nprod += share.nprod;
        for (const DeviceShare& share : stats.devices) CHECK_EQ(share.bytes_from_others > 0, stats.devices.size() > 1);
        CHECK_EQ(rows, f.a().rows);
        CHECK_EQ(nnz, stats.nnz);
        CHECK_EQ(nprod, stats.nprod);
      }
    });
}

TEST_CASE("A that is B travels once, and single precision comes home") {
  on_devices_alike(2, [](const Machine& machine) {
    const Factors<float> f(shape("power law with a hub"), Values::integers);
    const Team team(1);
    const Prepared<float> a(f.a(), "A", true, team);
    Stats stats;
    const Csr<float> c =
        multiply_on_host(machine.engines, a.operand(), a.operand(), true, rowan::Options{}, stats, {}, kSmallChunks);
    CHECK_EQ(difference(c, textbook(f.a(), f.a())), "");
  });
}

TEST_CASE("small products are one device's") {
  on_devices_alike(3, [](const Machine& machine) {
    const Factors<double> f(shape("up to 600 products"), Values::integers);
    Stats stats;
    CHECK_EQ(difference(multiplied(machine, f.a(), f.b(), stats, Chunking{}), textbook(f.a(), f.b())), "");
    CHECK_EQ(stats.devices.size(), 1);
  });
}

TEST_CASE("progress rises to all of C, and a stopped product ends on every device") {
  on_devices_alike(2, [](const Machine& machine) {
    const Factors<double> f(shape("up to 600 products"), Values::integers);
    std::vector<double> shares;
    rowan::Options options;
    options.progress = [&](double share) { shares.push_back(share); };
    Stats stats;
    (void)multiplied(machine, f.a(), f.b(), stats, kSmallChunks, options);
    CHECK(std::ranges::is_sorted(shares));
    REQUIRE(shares.size() > 2);
    CHECK_EQ(shares.back(), 1);
    std::stop_source stop;
    options.progress = [&](double) { stop.request_stop(); };
    options.stop = stop.get_token();
    CHECK_THROWS_WITH_AS((void)multiplied(machine, f.a(), f.b(), stats, kSmallChunks, options),
                         "the multiplication was cancelled", Error);
  });
}

TEST_CASE("a limit of memory is kept on every device") {
  on_devices_alike(2, [](const Machine& machine) {
    const Factors<double> f(shape("up to 600 products"), Values::integers);
    const auto expected = textbook(f.a(), f.b());
    Stats whole;
    CHECK_EQ(difference(multiplied(machine, f.a(), f.b(), whole, Chunking{}), expected), "");
    rowan::Options options;
    options.memory_limit = (whole.bytes_c + whole.bytes_temporary) * 2 / 3;
    for (const Chunking& chunking : {Chunking{}, kSmallChunks}) {
      Stats stats;
      for (const Engine* engine : machine.engines) const_cast<Engine*>(engine)->pool().restart_peak();
      CHECK_EQ(difference(multiplied(machine, f.a(), f.b(), stats, chunking, options), expected), "");
      for (const Engine* engine : machine.engines)
        CHECK_LE(const_cast<Engine*>(engine)->pool().peak(), options.memory_limit);
    }
    options.memory_limit = 1000;
    Stats none;
    CHECK_THROWS_AS((void)multiplied(machine, f.a(), f.b(), none, kSmallChunks, options), Error);
  });
}

TEST_CASE("the host's cores share the rows, with the same bits") {
  for (const int devices : {1, 2})
    on_devices_alike(devices, [&](const Machine& machine) {
      CAPTURE(devices);
      for (const char* name : {"power law with a hub", "up to 600 products"}) {
        CAPTURE(name);
        const Factors<double> f(shape(name), Values::reals);
        Cores cores(f.a(), f.b(), 4);
        Stats stats;
        CHECK_EQ(
            difference(multiplied(machine, f.a(), f.b(), stats, kSmallChunks, {}, cores.work), textbook(f.a(), f.b())),
            "");
        CHECK_GT(cores.chunks, 0);
        REQUIRE_EQ(stats.devices.size(), machine.engines.size() + 1);
        CHECK_EQ(stats.devices.back().device, DeviceShare::kHost);
        CHECK_GT(stats.devices.back().rows, 0);
        std::int64_t rows = 0, nnz = 0, nprod = 0;
        for (const DeviceShare& share : stats.devices) rows += share.rows, nnz += share.nnz, nprod += share.nprod;
        CHECK_EQ(rows, f.a().rows);
        CHECK_EQ(nnz, stats.nnz);
        CHECK_EQ(nprod, stats.nprod);
      }
    });
}

TEST_CASE("cores take no rows under a limit of memory, and where they fail the product does") {
  on_devices_alike(2, [](const Machine& machine) {
    const Factors<double> f(shape("up to 600 products"), Values::reals);
    Cores cores(f.a(), f.b(), 4);
    Stats stats;
    rowan::Options options;
    options.memory_limit = std::int64_t{1} << 30;
    CHECK_EQ(
        difference(multiplied(machine, f.a(), f.b(), stats, kSmallChunks, options, cores.work), textbook(f.a(), f.b())),
        "");
    CHECK_EQ(cores.chunks, 0);
    cores.work.fill = [](auto&&...) { throw Error(ErrorCode::cancelled, "the host was told to stop"); };
    CHECK_THROWS_WITH_AS((void)multiplied(machine, f.a(), f.b(), stats, kSmallChunks, {}, cores.work),
                         "the host was told to stop", Error);
  });
}

TEST_CASE("a wrong column is found before a kernel sees it") {
  on_devices_alike(2, [](const Machine& machine) {
    const Factors<double> f(shape("up to 600 products"), Values::reals);
    std::vector<Column> col(f.a().col.begin(), f.a().col.end());
    col.back() = 1 << 30;
    CsrView<double> a = f.a();
    a.col = col;
    HostWork<double> meanwhile;
    meanwhile.check = [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      validate(a, "A");
    };
    for (const Chunking& chunking : {Chunking{}, kSmallChunks}) {
      Stats stats;
      CHECK_THROWS_AS((void)multiplied(machine, a, f.b(), stats, chunking, {}, meanwhile), Error);
      CHECK_EQ(difference(multiplied(machine, f.a(), f.b(), stats, chunking), textbook(f.a(), f.b())), "");
    }
  });
}

#if defined(ROWAN_EMULATED)
TEST_CASE("unequal devices share the rows as far as their memory goes") {
  const Factors<double> f(shape("up to 600 products"), Values::integers);
  const auto expected = textbook(f.a(), f.b());
  Stats whole;
  on_devices_alike(1, [&](const Machine& machine) { (void)multiplied(machine, f.a(), f.b(), whole, Chunking{}); });
  const auto operands = static_cast<std::size_t>(whole.bytes_temporary) / 2;
  emulator::EmulatorOptions options;
  options.devices = 3;
  // one that has room, one for A and B and a little more, and one not even for these
  options.memory_of = {std::size_t{1} << 30, operands + static_cast<std::size_t>(whole.bytes_temporary), 1000};
  const Emulated emulated(options);
  const Machine machine(3);
  Stats stats;
  CHECK_EQ(difference(multiplied(machine, f.a(), f.b(), stats, kSmallChunks), expected), "");
  CHECK_EQ(stats.devices.size(), 2);
}

TEST_CASE("a copy that fails on any device is told, ends all of them and leaves no memory behind") {
  const Factors<double> f(shape("up to 600 products"), Values::integers);
  int failures = 0;
  for (std::int64_t succeed = 0; succeed < 200; succeed += succeed < 12 ? 1 : 17) {
    emulator::EmulatorOptions options;
    options.devices = 3, options.copies_before_failure = succeed;
    const Emulated emulated(options);
    const Machine machine(3);
    Stats stats;
    try {
      (void)multiplied(machine, f.a(), f.b(), stats, kSmallChunks);
    } catch (const Error& e) {
      CHECK_EQ(e.code(), ErrorCode::device);
      failures++;
    }
  }
  CHECK_GT(failures, 12);
}
#endif

}  // namespace
}  // namespace rowan::test
