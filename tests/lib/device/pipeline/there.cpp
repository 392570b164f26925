// DeviceContext (lib/api/device.cpp, lib/device/pipeline/there.cpp): matrices in device memory, whoever's it is.
#include <map>

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/device.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

Options there(bool deterministic = false) {
  Options options;
  options.backend = kBackend, options.deterministic = deterministic;
  return options;
}

constexpr const char* kShapes[] = {
    "no rows",           "0 x 0", "all empty", "wide", "up to 600 products", "runs of 1 to 6 equal rows", "unsorted",
    "duplicates in both"};

/// Every width of row pointers and columns of A, B and C.
template <class T>
void check_widths(const DeviceContext& context, const char* name) {
  const Factors<T> f(shape(name), Values::reals);
  const Product<T> expected = textbook(f.a(), f.b());
  for (const bool row_ptr32 : {false, true})
    for (const bool col64 : {false, true}) {
      CAPTURE(row_ptr32);
      CAPTURE(col64);
      const DeviceCall call{.row_ptr32 = row_ptr32, .col64 = col64};
      const auto a = context.to_device(f.a(), call);
      const auto b = f.a().col.data() == f.b().col.data() ? a : context.to_device(f.b());
      const auto c = context.multiply(a, b, call);
      CHECK_EQ(c.view().row_ptr32 != nullptr, row_ptr32);
      CHECK_EQ(c.view().row_ptr64 != nullptr, !row_ptr32);
      if (c.nnz() != 0) CHECK_EQ(c.view().col64 != nullptr, col64);
      CHECK_EQ(difference(context.to_host(c), expected), "");
    }
}

}  // namespace

TEST_CASE_TEMPLATE("matrices in device memory of every width have the textbook's product there", T, float, double) {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    const DeviceContext context(there(true));
    for (const char* name : kShapes) {
      CAPTURE(name);
      check_widths<T>(context, name);
    }
  });
}

TEST_CASE("sizes of products in device memory, statistics, and products of products") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(shape("up to 600 products"), Values::integers);
    const DeviceContext context(there());
    const auto a = context.to_device(f.a()), b = context.to_device(f.b());
    const Symbolic sizes = context.symbolic(a, b);
    Stats stats;
    const auto c = context.multiply(a, b, {.stats = &stats});
    CHECK_EQ(sizes.nnz, c.nnz());
    CHECK_EQ(sizes.row_ptr[sizes.row_ptr.size() - 1], c.nnz());
    CHECK_EQ(stats.nnz, c.nnz());
    CHECK_NE(stats.device, "");
    const Csr<double> at_home = multiply(f.a(), f.b());
    const Csr<double> back = transpose(at_home);
    const auto turned = context.to_device(back.view());
    const auto twice = context.multiply(c, turned);
    CHECK_EQ(difference(context.to_host(twice), textbook(at_home.view(), back.view())), "");
    CHECK_GT(context.bytes_in_use(), 0);
    context.trim();
  });
}

TEST_CASE("what a product in device memory would choose is what is told of the host's matrices") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(shape("up to 600 products"), Values::integers);
    const DeviceContext context(there());
    const Inspection here = context.inspect(context.to_device(f.a(), {.col64 = true}), context.to_device(f.b())),
                     from_host = Context(there()).inspect(f.a(), f.b());
    CHECK_NE(here.device, "");
    REQUIRE_EQ(here.bins.size(), from_host.bins.size());
    for (std::size_t b = 0; b < here.bins.size(); b++) {
      CHECK_EQ(here.bins[b].label, from_host.bins[b].label);
      CHECK_EQ(here.bins[b].candidate, from_host.bins[b].candidate);
      CHECK_EQ(here.bins[b].rows, from_host.bins[b].rows);
    }
    REQUIRE_EQ(here.row.size(), from_host.row.size());
    for (std::size_t i = 0; i < here.row.size(); i++) CHECK_EQ(here.row[i].nnz, from_host.row[i].nnz);
  });
}

TEST_CASE("the most memory that was in use is told, and waiting is possible") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(shape("up to 600 products"), Values::integers);
    const DeviceContext context(there());
    const auto a = context.to_device(f.a()), b = context.to_device(f.b());
    context.restart_peak();
    CHECK_EQ(context.bytes_peak(), context.bytes_in_use());
    static_cast<void>(context.multiply(a, b));
    context.wait();
    CHECK_GT(context.bytes_peak(), context.bytes_in_use());
  });
}

TEST_CASE("a result keeps its memory when its context is gone, and gives it back") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(shape("wide"), Values::integers);
    DeviceMatrix<double> c;
    {
      const DeviceContext context(there());
      const auto made = context.multiply(context.to_device(f.a()), context.to_device(f.b()));
      c = made;  // no byte is copied: both have the same arrays
      CHECK_EQ(c.view().row_ptr64, made.view().row_ptr64);
      CHECK_EQ(c.view().col32, made.view().col32);
      CHECK_EQ(c.view().val, made.view().val);
    }
    CHECK_EQ(difference(DeviceContext(there()).to_host(c), textbook(f.a(), f.b())), "");
    const DeviceContext context(there());
    {
      const auto a = context.to_device(f.a());
      CHECK_GT(context.bytes_in_use(), 0);
    }
    CHECK_EQ(context.bytes_in_use(), 0);
  });
}

#if defined(ROWAN_EMULATED)
TEST_CASE("memory comes from the caller's allocator, and all of it goes back there") {
  std::map<void*, std::size_t> taken;
  int calls = 0;
  const DeviceAllocator allocator{.allocate =
                                      [&](std::size_t bytes, void*) {
                                        void* const p = emulator::allocate(bytes, 0);
                                        taken[p] = bytes, calls++;
                                        return p;
                                      },
                                  .free =
                                      [&](void* p, std::size_t bytes, void*) {
                                        CHECK_EQ(taken.at(p), bytes);
                                        taken.erase(p);
                                        emulator::release(p);
                                      }};
  for_schedules(1, [&](int, int) {
    const Factors<double> f(shape("up to 600 products"), Values::integers);
    {
      const DeviceContext context(there(), 0, allocator);
      const auto c = context.multiply(context.to_device(f.a()), context.to_device(f.b()));
      CHECK_EQ(difference(context.to_host(c), textbook(f.a(), f.b())), "");
      CHECK_FALSE(taken.empty());
    }
    CHECK(taken.empty());
  });
  CHECK_GT(calls, 6);
  const DeviceContext none(there(), 0, {.allocate = [](std::size_t, void*) -> void* { return nullptr; }});
  const Factors<double> f(shape("wide"), Values::integers);
  CHECK_EQ(error_of([&] { static_cast<void>(none.to_device(f.a())); }).substr(0, 48),
           "out_of_memory: the caller's allocator has no " + std::to_string((f.a().rows + 1) * 8).substr(0, 48 - 45));
}
#endif

TEST_CASE("faults of matrices in device memory are named before any kernel reads them") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(shape("wide"), Values::integers);
    const DeviceContext context(there());
    const auto fault = [&](const DeviceView<double>& a, const DeviceView<double>& b) {
      return error_of([&] { static_cast<void>(context.multiply(a, b)); });
    };
    const auto a = context.to_device(f.a()), b = context.to_device(f.b());
    const std::string entries = std::to_string(f.a().nnz());
    DeviceView<double> v = a;
    v.nnz--;
    CHECK_EQ(fault(v, b), "invalid_argument: A: row pointers do not end at its " + std::to_string(v.nnz) + " entries");
    v = b, v.cols = 1;
    CHECK_EQ(fault(a, v).substr(0, 42), "invalid_argument: B: the column of entry 0");
    v = a, v.val = nullptr;
    CHECK_EQ(fault(v, b), "invalid_argument: A: val is null");
    v = a, v.row_ptr64 = nullptr;
    CHECK_EQ(fault(v, b), "invalid_argument: A: one of row_ptr32 and row_ptr64 must be set");
    v = a, v.col32 = nullptr;
    CHECK_EQ(fault(v, b), "invalid_argument: A: one of col32 and col64 must be set");
    v = b, v.rows = -1;
    CHECK_EQ(fault(a, v), "invalid_argument: B: rows, cols or nnz is negative");
    v = b, v.rows = std::int64_t{1} << 31;
    CHECK_EQ(fault(a, v).substr(0, 9), "overflow:");
    CHECK_EQ(fault(b, b).substr(0, 17), "invalid_argument:");
    // row pointers that fall
    Csr<double> falling = copy(f.a());
    CsrArrays<double> arrays = falling.release();
    const std::int64_t rows = arrays.rows;
    arrays.row_ptr[rows / 2] = arrays.row_ptr[rows] + 1;
    Options unchecked = there();
    unchecked.validate = false;
    const Csr<double> broken(rows, arrays.cols, std::move(arrays.row_ptr), std::move(arrays.col),
                             std::move(arrays.val));
    const auto sent = DeviceContext(unchecked).to_device(broken.view());
    CHECK_EQ(fault(sent, b), "invalid_argument: A: row pointers are wrong at row " + std::to_string(rows / 2));
  });
}

TEST_CASE("devices that there are not, and limits") {
  Options options = there();
  CHECK_EQ(error_of([&] { static_cast<void>(DeviceContext(options, 99)); }).substr(0, 7), "device:");
  CHECK_EQ(error_of([] { static_cast<void>(DeviceContext(Options{})); }),
           "invalid_argument: backend is the host, which is no device");
  for_schedules(1, [&](int, int) {
    const Factors<double> f(shape("wide"), Values::integers);
    options.memory_limit = 100;
    const DeviceContext context(options);
    const auto a = context.to_device(f.a()), b = context.to_device(f.b());
    CHECK_EQ(error_of([&] { static_cast<void>(context.multiply(a, b)); }).substr(0, 13), "memory_limit:");
  });
}

}  // namespace rowan::test
