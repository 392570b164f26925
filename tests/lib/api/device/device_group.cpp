// Matrices distributed over several devices, and their products.
#include <algorithm>

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>
#include <rowan/device_group.hpp>
#include <rowan/generate.hpp>

namespace rowan::test {
namespace {

/// A group of as many devices, where there are so many.
template <class F>
void with_group(int devices, const F& f, bool peers = true) {
#if defined(ROWAN_EMULATED)
  emulator::EmulatorOptions emulated_options;
  emulated_options.devices = devices, emulated_options.peers = peers;
  const Emulated emulated(emulated_options);
#else
  if (!peers) return;
#endif
  Options options;
  options.backend = kBackend, options.deterministic = true;
  for (int k = 0; k < std::min(devices, device_count(kBackend)); k++) options.devices.push_back(k);
  if (options.devices.empty()) return;
  f(DeviceGroup(options));
}

/// Cuts into parts of about the same number of rows, one of them empty where there are three and more.
std::vector<std::int64_t> parts(std::int64_t rows, int devices) {
  std::vector<std::int64_t> first{0};
  for (int k = 1; k < devices; k++) first.push_back(k == 2 ? first.back() : rows * k / devices);
  first.push_back(rows);
  return first;
}

TEST_CASE("products of distributed matrices have the textbook's bits on any number of devices") {
  for (const int devices : {1, 2, 4, 8})
    for (const bool peers : {true, false})
      with_group(
          devices,
          [&](const DeviceGroup& group) {
            CAPTURE(devices);
            CAPTURE(peers);
            for (const Shape& shape : shapes()) {
              constexpr std::int64_t kWide = 1 << 20;
              if (shape.right().cols > kWide || shape.right().rows > kWide) continue;  // the emulator is slow
              if ((devices != 2 || !peers) && shape.name != "power law with a hub" && shape.name != "all empty")
                continue;
              CAPTURE(shape.name);
              const Factors<double> f(shape, Values::reals);
              const auto a = group.distribute_rows(f.a(), parts(f.a().rows, group.size()));
              const auto b = group.distribute_rows(f.b(), parts(f.b().rows, group.size()));
              Stats stats;
              const auto c = group.multiply(a, b, &stats);
              CHECK_EQ(difference(group.to_host(c), textbook(f.a(), f.b())), "");
              CHECK_EQ(stats.devices.size(), group.size());
              CHECK_EQ(stats.nnz, c.nnz());
            }
          },
          peers);
}

TEST_CASE("a replicated B needs no rows of others, and gives the same bits") {
  with_group(3, [](const DeviceGroup& group) {
    const Factors<float> f(shape("power law with a hub"), Values::reals);
    const auto a = group.distribute_rows(f.a(), parts(f.a().rows, group.size()));
    const auto b = group.replicate(f.b());
    CHECK(b.replicated());
    CHECK_EQ(b.rows(), f.b().rows);
    const Csr<float> home = group.to_host(b);
    CHECK(std::ranges::equal(home.col(), f.b().col));
    CHECK(std::ranges::equal(home.val(), f.b().val));
    Stats stats;
    const auto c = group.multiply(a, b, &stats);
    CHECK_EQ(difference(group.to_host(c), textbook(f.a(), f.b())), "");
    for (const DeviceShare& share : stats.devices) CHECK_EQ(share.bytes_from_others, 0);
    // and all of C on the last device
    const auto whole = group.gather(c, group.size() - 1);
    CHECK_EQ(whole.nnz(), c.nnz());
    Options options;
    options.backend = kBackend;
    CHECK_EQ(difference(DeviceContext(options, group.size() - 1).to_host(whole), textbook(f.a(), f.b())), "");
  });
}

TEST_CASE("a small product is the first device's alone") {
  with_group(3, [](const DeviceGroup& group) {
    const Factors<double> f(shape("up to 600 products"), Values::integers);
    const auto a = group.distribute(f.a(), f.b());
    CHECK_EQ(a.blocks().front().rows(), f.a().rows);
    CHECK_EQ(a.rows(), f.a().rows);
    CHECK_EQ(a.nnz(), static_cast<std::int64_t>(f.a().col.size()));
  });
}

TEST_CASE("transposed views of the host's are distributed as what they show") {
  with_group(2, [](const DeviceGroup& group) {
    const Factors<double> f(shape("power law with a hub"), Values::integers);
    CsrView<double> turned = f.a();
    turned.transposed = true;  // cols x rows
    const auto a = group.distribute(turned, f.a()), b = group.distribute(f.a(), turned);
    CHECK_EQ(a.rows(), f.a().cols);
    const Context host({.backend = Backend::host});
    const Csr<double> expected = host.multiply(turned, f.a()), c = group.to_host(group.multiply(a, b));
    CHECK(std::ranges::equal(c.row_ptr(), expected.row_ptr()));
    CHECK(std::ranges::equal(c.col(), expected.col()));
    CHECK(std::ranges::equal(c.val(), expected.val()));
  });
}

TEST_CASE("what does not fit together is refused by name") {
  with_group(2, [](const DeviceGroup& group) {
    const Factors<double> f(shape("power law with a hub"), Values::integers);
    const std::int64_t rows = f.a().rows;
    const auto a = group.distribute_rows(f.a(), parts(rows, group.size()));
    CHECK_THROWS_AS((void)group.distribute_rows(f.a(), std::vector<std::int64_t>{0, rows, rows, rows, rows}), Error);
    CHECK_THROWS_AS((void)group.distribute_rows(f.a(), std::vector<std::int64_t>{1, rows, rows}), Error);
    CHECK_THROWS_AS((void)group.gather(a, group.size()), Error);
    CHECK_THROWS_AS((void)group.multiply(DistributedMatrix<double>(), a), Error);
    if (group.size() > 1) {
      CHECK_THROWS_WITH_AS((void)group.multiply(group.replicate(f.a()), a),
                           "A is on every device as a whole: distribute it, C's rows lie as A's do", Error);
    }
    Options options;
    options.backend = kBackend, options.devices = {0, 0};
    CHECK_THROWS_WITH_AS((void)DeviceGroup(options), "device 0 was named twice", Error);
    options.devices = {0, 99};
    CHECK_THROWS_AS((void)DeviceGroup(options), Error);
  });
}

#if defined(ROWAN_EMULATED)
TEST_CASE("a device without memory and a copy that fails end the product on all devices") {
  const Factors<double> f(shape("up to 600 products"), Values::integers);
  int failures = 0;
  for (const std::int64_t succeed : {0, 1, 3, 7, 20, 40, 60}) {
    emulator::EmulatorOptions emulated_options;
    emulated_options.devices = 3, emulated_options.copies_before_failure = succeed, emulated_options.peers = false;
    const Emulated emulated(emulated_options);
    const DeviceGroup group({.backend = kBackend});
    try {
      const auto a = group.distribute_rows(f.a(), parts(f.a().rows, 3)),
                 b = group.distribute_rows(f.b(), parts(f.b().rows, 3));
      (void)group.multiply(a, b);
    } catch (const Error& e) {
      CHECK_EQ(e.code(), ErrorCode::device);
      failures++;
    }
  }
  CHECK_GE(failures, 4);
  emulator::EmulatorOptions unequal;
  unequal.devices = 2, unequal.memory_of = {std::size_t{1} << 30, 400'000};
  const Emulated emulated(unequal);
  const auto wide = generate("random:n=3000,row_length=8");
  const CsrView<double> a = wide;
  {
    const DeviceGroup group({.backend = kBackend});
    const auto rows = group.distribute_rows(a, {0, 1500, 3000});
    CHECK_THROWS_AS((void)group.multiply(rows, rows), Error);
  }
  CHECK_EQ(emulator::counters().allocations, 0);
}
#endif

}  // namespace
}  // namespace rowan::test
