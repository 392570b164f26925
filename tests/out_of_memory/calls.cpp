// Every allocation of every public call fails once, alone and with all behind it: the call throws
// Error{out_of_memory} or does without, nothing is lost, and the same call works afterwards.
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include "lib/core/border.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/out_of_memory/failing_memory.hpp"
#include <rowan/rowan.hpp>

namespace rowan::test {
namespace {

using Which = FailingMemory::Which;

/// Empty, or what else than success and Error{out_of_memory} came of it.
std::string failure(const std::function<bool()>& works) {
  try {
    return works() ? "" : "a wrong result";
  } catch (const Error& e) {
    return e.code() == ErrorCode::out_of_memory ? "" : std::string(e.what());
  } catch (const std::exception& e) {
    return std::string("not an Error: ") + e.what();
  }
}

void check_without_memory(const std::string& name, const std::function<bool()>& works) {
  CAPTURE(name);
  REQUIRE(works());
  REQUIRE(works());  // what is made once is there now
  std::int64_t asked = 0;
  {
    const FailingMemory none(Which::none);
    REQUIRE(works());
    asked = none.asked();
  }
  for (const Which which : {Which::one, Which::all_from})
    for (std::int64_t nth = 0; nth < asked; nth++) {
      release_memory();
      std::string fault;
      fault.reserve(200);
      const std::int64_t before = live_blocks();
      {
        const FailingMemory failing(which, nth);
        fault = failure(works);
      }
      const std::int64_t lost = live_blocks() - before;
      CAPTURE(nth);
      CHECK_EQ(fault, "");
      CHECK_EQ(lost, 0);
      CHECK(works());
    }
}

}  // namespace

TEST_CASE("without memory: contexts, products, plans and inspection") {
  const Csr<double> a = generate("rmat:scale=8"), small = generate("rmat:scale=4");
  const Csr<double> road = generate("delaunay:nx=40,ny=40");  // rows of few products
  const Csr<double> grid_a = generate("aggregation:nx=60,ny=60,nz=1,part=0");
  const Csr<double> grid_p = generate("aggregation:nx=60,ny=60,nz=1,part=1");
  for (const int threads : {1, 3}) {
    const Options options{.threads = threads};
    const Context context(options);
    const std::int64_t nnz = context.multiply(a, a).nnz(), small_nnz = context.multiply(small, small).nnz();
    const Plan plan = context.plan(a, a);
    const std::int64_t grid_nnz = context.galerkin(grid_a, grid_p).nnz();
    const std::int64_t road_nnz = context.multiply(road, road).nnz();
    check_without_memory("at once", [&] { return context.multiply(small, small).nnz() == small_nnz; });
    for (const char* force : {"hash", "sort", "dense-window", "dense-rank"}) {
      const Options forced{.threads = threads, .force = force};
      check_without_memory(force, [&] { return multiply(a, a, forced).nnz() == nnz; });
    }
    const Options limited{.threads = threads, .memory_limit = 12 * nnz + 400'000};
    check_without_memory("limit", [&] { return multiply(a, a, limited).nnz() == nnz; });
    check_without_memory("transposed", [&] { return context.multiply(transposed(a.view()), a).nnz() > 0; });
    check_without_memory("symbolic", [&] { return context.symbolic(a, a).nnz == nnz; });
    check_without_memory("in blocks", [&] {
      std::int64_t n = 0;
      const RowSink<double> sink = [&](std::int64_t, const CsrView<double>& block) { n += block.nnz(); };
      Context({.threads = threads, .memory_limit = 400'000}).multiply_in_blocks(a, a, sink);
      context.multiply_in_blocks(road, road, sink);
      context.multiply_in_blocks(a, a, context.symbolic(a, a), 0, sink);
      return n == 2 * nnz + road_nnz;
    });
    check_without_memory("inspect", [&] { return context.inspect(small, small, true).nnz == small_nnz; });
    check_without_memory("plan", [&] { return context.plan(a, a).nnz() == nnz; });
    check_without_memory("plan and product", [&] {
      Csr<double> c;
      return context.plan(road, road, c).nnz() == c.nnz();
    });
    check_without_memory("pattern",
                         [&] { return context.pattern(pattern_view(road), pattern_view(road)).nnz() == road_nnz; });
    check_without_memory("plan of patterns", [&] {
      const Plan made = context.plan(pattern_view(road), pattern_view(road));
      const Array<double> val(made.nnz());
      for (int execution = 0; execution < 3; execution++) made.execute(road, road, val.span());
      return made.nnz() == road_nnz;
    });
    check_without_memory("multiply_add", [&] { return context.multiply_add(2.0, a, a, 1.0, a).nnz() >= nnz; });
    check_without_memory("galerkin", [&] { return context.galerkin(grid_a, grid_p).nnz() == grid_nnz; });
    check_without_memory("galerkin of two products", [&] {
      return context.galerkin(grid_a, grid_p, nullptr, GalerkinWay::two_products).nnz() == grid_nnz;
    });
    check_without_memory("plan of galerkin", [&] {
      Csr<double> c;
      context.plan_galerkin(grid_a, grid_p).execute(grid_a, grid_p, c);
      return c.nnz() == grid_nnz;
    });
    check_without_memory("execute", [&] {
      Csr<double> c;
      plan.execute(a, a, c);
      return c.nnz() == nnz;
    });
  }
}

TEST_CASE("without memory: what is done to one matrix") {
  const Csr<double> a = generate("rmat:scale=8");
  check_without_memory("generate", [&] { return generate("rmat:scale=8").nnz() == a.nnz(); });
  check_without_memory("generators", [] { return !generators().empty(); });
  check_without_memory("transpose", [&] { return transpose(a.view()).nnz() == a.nnz(); });
  check_without_memory("canonical", [&] { return canonical(transposed(a.view())).nnz() == a.nnz(); });
  check_without_memory("validate", [&] { return validate(a.view()), true; });
}

TEST_CASE("without memory: files are read") {
  const Folder folder;
  const Csr<double> a = generate("rmat:scale=8");
  for (const char* name : {"a.mtx", "a.mtx.gz", "a.bin", "a.bin.gz", "a.rowan", "a.rowan.gz"}) {
    const std::string file = folder.path(name);
    write_matrix(file, a);
    check_without_memory(name, [&] { return read_matrix(file).nnz() == a.nnz(); });
  }
}

TEST_CASE("without memory: a policy is read") {
  const Csr<double> a = generate("rmat:scale=4");
  const std::int64_t nnz = multiply(a, a).nnz();
  const Options options{.model = ROWAN_SOURCE_DIR "/models/policies/host-rules.json"};
  check_without_memory("model", [&] { return multiply(a, a, options).nnz() == nnz; });
}

TEST_CASE("a size that no memory has is out of memory, and anything else leaves as it is") {
  const auto code_of = [](const auto& f) -> std::optional<ErrorCode> {
    try {
      try {
        f();
      } catch (...) {
        rethrow_as_error();
      }
    } catch (const Error& e) {
      return e.code();
    } catch (int) {
      return std::nullopt;
    }
    return std::nullopt;
  };
  CHECK_EQ(code_of([] { throw std::length_error("vector"); }), ErrorCode::out_of_memory);
  CHECK_EQ(code_of([] { throw std::bad_array_new_length(); }), ErrorCode::out_of_memory);
  CHECK_EQ(code_of([] { throw Error(ErrorCode::io, "a file"); }), ErrorCode::io);
  CHECK_FALSE(code_of([] { throw 7; }).has_value());
}

}  // namespace rowan::test
