// Products in blocks of rows (lib/host/in_blocks.cpp, lib/api/in_blocks.cpp): the bits of one product, within the
// limit.
#include "lib/host/in_blocks.hpp"

#include <fstream>
#include <stdexcept>

#include <doctest/doctest.h>

#include "models/embedded.hpp"
#include "tests/lib/host/least_limit.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/generate.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

/// C put together again, and what the sink saw.
template <class T>
struct Collected {
  Product<T> c;
  std::int64_t blocks = 0, most_entries = 0;
  std::string fault;  // of a block; empty: none

  explicit Collected(std::int64_t cols = 0) { c.cols = cols; }
  RowSink<T> sink(std::int64_t from = 0) {
    return [this, from](std::int64_t first, const CsrView<T>& block) {
      blocks++, most_entries = std::max(most_entries, block.nnz());
      if (first != from + c.rows)
        fault = "rows from " + std::to_string(first) + " after " + std::to_string(from + c.rows);
      if (block.cols != c.cols || block.rows == 0 || block.transposed) fault = "form of the block";
      validate(block);
      for (std::int64_t i = 1; i <= block.rows; i++)
        c.row_ptr.push_back(c.row_ptr[static_cast<std::size_t>(c.rows)] + block.row_ptr[i]);
      c.rows += block.rows;
      c.col.insert(c.col.end(), block.col.begin(), block.col.end());
      c.val.insert(c.val.end(), block.val.begin(), block.val.end());
    };
  }
};

template <class T>
Csr<T> matrix_of(const Product<T>& p) {
  const auto array = [](const auto& from) {
    Array<typename std::decay_t<decltype(from)>::value_type> to(from.size());
    std::copy(from.begin(), from.end(), to.begin());
    return to;
  };
  return {p.rows, p.cols, array(p.row_ptr), array(p.col), array(p.val)};
}

/// Empty where the blocks are C's rows, bit by bit.
template <class T>
std::string difference(const Collected<T>& got, const Product<T>& expected) {
  return got.fault.empty() ? difference(matrix_of(got.c), expected) : got.fault;
}

/// The same, sizes first.
template <class T>
std::string difference_counted(const Factors<T>& f, const Options& options, const Product<T>& expected) {
  const Context context(options);
  const Symbolic sizes = context.symbolic(f.a(), f.b());
  Collected<T> got(expected.cols);
  context.multiply_in_blocks(f.a(), f.b(), sizes, 0, got.sink());
  return difference(got, expected);
}

template <class T>
std::string error_in_blocks(const CsrView<T>& a, const CsrView<T>& b, const Options& options) {
  return error_of([&] { Context(options).multiply_in_blocks(a, b, [](std::int64_t, const CsrView<T>&) {}); });
}

/// A square matrix whose square has about 16 entries in each row.
Csr<double> some(std::int64_t rows) {
  return generate("random:n=" + std::to_string(rows) + ",row_length=4");
}

}  // namespace

TEST_CASE_TEMPLATE("blocks have the textbook's bits, whatever the limit leaves", T, float, double) {
  const auto check = [](const Shape& shape, int threads) {
    CAPTURE(shape.name);
    const Factors<T> f(shape, Values::reals);
    const Product<T> expected = textbook(f.a(), f.b());
    Options options{.threads = threads};
    CHECK_EQ(difference_counted(f, options, expected), "");
    const std::int64_t least = least_limit([&](std::int64_t limit) {
      options.memory_limit = limit;
      return error_in_blocks(f.a(), f.b(), options);
    });
    for (const std::int64_t limit : {std::int64_t{0}, least, least + (1 << 14), least + (1 << 20)}) {
      CAPTURE(limit);
      options.memory_limit = limit;
      Collected<T> got(expected.cols);
      Stats stats;
      Context(options).multiply_in_blocks(f.a(), f.b(), got.sink(), &stats);
      CHECK_EQ(difference(got, expected), "");
      CHECK_EQ(stats.blocks, got.blocks);
      CHECK_EQ(stats.nnz, static_cast<std::int64_t>(expected.col.size()));
      if (limit != 0) CHECK_LE(stats.bytes_c + stats.bytes_temporary, limit);
    }
    options.memory_limit = 2 * least + (expected.rows + 1) * 8 + 4096;
    CHECK_EQ(difference_counted(f, options, expected), "");
  };
  for (const Shape& shape : shapes()) check(shape, 1);
  if constexpr (std::is_same_v<T, double>)
    for (const Shape& shape : large_shapes()) check(shape, 3);
}

TEST_CASE("every policy, accumulator and kind of view gives the same blocks") {
  const Factors<double> f(shape("power law with a hub"), Values::special);
  const Product<double> expected = textbook(f.a(), f.b());
  std::vector<Options> all;
  for (const Policy& policy : embedded_policies()) all.push_back({.policy = std::string(policy.name)});
  for (const char* force : {"hash", "sort", "dense", "direct"}) all.push_back({.force = force});
  for (Options& options : all) {
    options.threads = 2, options.memory_limit = 1 << 20;
    CAPTURE(options.policy);
    CAPTURE(options.force);
    Collected<double> got(expected.cols);
    Context(options).multiply_in_blocks(f.a(), f.b(), got.sink());
    CHECK_EQ(difference(got, expected), "");
    CHECK_EQ(difference_counted(f, options, expected), "");
  }
  const Product<double> turned = textbook(transposed(f.a()), transposed(f.b()));
  Collected<double> got(turned.cols);
  Context().multiply_in_blocks(transposed(f.a()), transposed(f.b()), got.sink());
  CHECK_EQ(difference(got, turned), "");
}

TEST_CASE("blocks become many where the limit is far below C, and the limit is kept") {
  const Csr<double> a = some(60000);
  const Csr<double> c = multiply(a, a);
  for (const int threads : {1, 2}) {
    const Options options{.threads = threads, .memory_limit = 3_MiB};
    const Context context(options);
    REQUIRE_GT(c.nnz() * 12, 3 * options.memory_limit);
    Collected<double> got(c.cols());
    Stats stats;
    context.multiply_in_blocks(a, a, got.sink(), &stats);
    CHECK_EQ(difference(c, got.c), "");
    CHECK_GT(stats.blocks, 8);
    CHECK_LT(stats.blocks, 60);
    CHECK_LE(stats.bytes_c + stats.bytes_temporary, options.memory_limit);
    const Symbolic sizes = context.symbolic(a, a);
    CHECK(std::ranges::equal(sizes.row_ptr.span(), c.row_ptr()));
    CHECK_EQ(sizes.nnz, c.nnz());
    Collected<double> counted(c.cols());
    context.multiply_in_blocks(a, a, sizes, 0, counted.sink(), &stats);
    CHECK_EQ(difference(c, counted.c), "");
    CHECK_LE(stats.bytes_c + stats.bytes_temporary, options.memory_limit);
  }
}

#ifdef __linux__
TEST_CASE("the process takes no more memory than the limit says") {
  const auto kilobytes = [](const std::string& name) {
    std::ifstream status("/proc/self/status");
    std::int64_t value = 0;
    for (std::string word; status >> word;)
      if (word == name + ":") status >> value;
    return value;
  };
  const Csr<double> a = generate("random:n=80000,row_length=10");
  const Context context(Options{.threads = 2, .memory_limit = 16_MiB});
  double sum = 0;
  const auto work = [&] {
    context.multiply_in_blocks(a, a, [&](std::int64_t, const CsrView<double>& block) {
      for (const double v : block.val) sum += v;
    });
  };
  release_memory();
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak is what is in use now
  const std::int64_t before = kilobytes("VmRSS");
  work();
  const std::int64_t more = kilobytes("VmHWM") - before;
  CHECK_GT(sum, 0);
  CHECK_GT(more, 1000);
  CHECK_LT(more, (16 << 10) + 4000);  // C takes 96 MB; threads' stacks and code come on top
}
#endif

TEST_CASE("with sizes, rows are made from any row on") {
  const Csr<double> a = some(5000);
  const Context context(Options{.threads = 2, .memory_limit = 1_MiB});
  const Symbolic sizes = context.symbolic(a, a);
  const Csr<double> c = multiply(a, a);
  for (const std::int64_t first : {0, 1, 2048, 2049, 4999, 5000}) {
    CAPTURE(first);
    Collected<double> got(c.cols());
    context.multiply_in_blocks(a, a, sizes, first, got.sink(first));
    CHECK_EQ(got.fault, "");
    CHECK_EQ(got.c.rows, 5000 - first);
    const auto begin = static_cast<std::ptrdiff_t>(c.row_ptr()[static_cast<std::size_t>(first)]);
    CHECK(std::ranges::equal(got.c.val, c.val().subspan(static_cast<std::size_t>(begin))));
    CHECK(std::ranges::equal(got.c.col, c.col().subspan(static_cast<std::size_t>(begin))));
  }
}

TEST_CASE("sizes of another product are refused") {
  const Csr<double> a = some(3000), other = some(2999);
  const Context context;
  const auto error = [&](const Symbolic& sizes, std::int64_t first) {
    return error_of(
        [&] { context.multiply_in_blocks(a, a, sizes, first, [](std::int64_t, const CsrView<double>&) {}); });
  };
  Symbolic sizes = context.symbolic(a, a);
  CHECK_EQ(error(context.symbolic(other, other), 0),
           "invalid_argument: the sizes are of 3000 row pointers; C has 3000 rows");
  CHECK_EQ(error(sizes, 3001), "invalid_argument: the first row is 3001, but C has 3000 rows");
  CHECK_EQ(error(sizes, -1), "invalid_argument: the first row is -1, but C has 3000 rows");
  sizes.row_ptr[1500]++;
  CHECK(error(sizes, 0).starts_with("invalid_argument: row 1499 of C has "));
  sizes.row_ptr[1500] = 1 << 30;
  CHECK(error(sizes, 0).starts_with("invalid_argument: the sizes say that row 1500 of C has -"));
}

TEST_CASE("a row that does not fit alone is named") {
  // row 70 has a long row of C, all others a short one
  Rows rows(100, {0, 1});
  for (std::int32_t j = 0; j < 100; j++) rows[70].push_back(j);
  Rows wide(100);
  for (std::int32_t i = 0; i < 100; i++)
    for (std::int32_t j = 0; j < 3000; j++) wide[static_cast<std::size_t>(i)].push_back(i < 2 ? j % 8 : i * 3000 + j);
  for (std::int32_t i = 0; i < 2; i++) wide[static_cast<std::size_t>(i)].resize(8);
  const Matrix<double> a = filled<double>(from_rows(rows, 100), Values::reals, 1);
  const Matrix<double> b = filled<double>(from_rows(wide, 300000), Values::reals, 2);
  std::int64_t taken = 0;
  const Options options{.memory_limit = 1_MiB};
  const std::string error = error_of([&] {
    Context(options).multiply_in_blocks(
        a.view(), b.view(), [&](std::int64_t first, const CsrView<double>& block) { taken = first + block.rows; });
  });
  CHECK(error.starts_with("memory_limit: row 70 of C has "));
  CHECK(error.ends_with("; the limit is 1048576"));
  CHECK_EQ(taken, 70);
  CHECK_EQ(error_of([&] {
             Context context(options);
             const Symbolic sizes = context.symbolic(a.view(), b.view());
             context.multiply_in_blocks(a.view(), b.view(), sizes, 0, [](std::int64_t, const CsrView<double>&) {});
           }).substr(0, 28),
           "memory_limit: row 70 of C ha");
}

TEST_CASE("what the sink throws goes through unchanged") {
  const Csr<double> a = some(50000);
  const Context context(Options{.threads = 2, .memory_limit = 4_MiB});
  int calls = 0;
  const auto throwing = [&](const auto& what) {
    calls = 0;
    context.multiply_in_blocks(a, a, [&](std::int64_t, const CsrView<double>&) {
      if (++calls == 2) throw what;
    });
  };
  CHECK_THROWS_AS(throwing(std::bad_alloc()), std::bad_alloc);
  CHECK_THROWS_WITH_AS(throwing(std::out_of_range("mine")), "mine", std::out_of_range);
  CHECK_THROWS_AS(throwing(42), int);
  CHECK_EQ(calls, 2);
}

TEST_CASE("progress rises to 1 over all blocks, and a stop ends them") {
  const Csr<double> a = some(50000);
  std::vector<double> shares;
  std::stop_source stop;
  Options options{.threads = 2, .memory_limit = 4_MiB, .stop = stop.get_token()};
  options.progress = [&](double share) { shares.push_back(share); };
  const Context context(options);
  std::int64_t blocks = 0;
  context.multiply_in_blocks(a, a, [&](std::int64_t, const CsrView<double>&) { blocks++; });
  CHECK_GT(blocks, 2);
  CHECK(std::ranges::is_sorted(shares));
  REQUIRE_FALSE(shares.empty());
  CHECK_EQ(shares.back(), 1);
  blocks = 0;
  CHECK_EQ(error_of([&] {
             context.multiply_in_blocks(a, a, [&](std::int64_t, const CsrView<double>&) {
               blocks++;
               stop.request_stop();
             });
           }),
           "cancelled: the multiplication was cancelled");
  CHECK_EQ(blocks, 1);
}

TEST_CASE("no rows, no blocks, broken matrices are refused") {
  const Csr<double> none(0, 5, Array<std::int64_t>::zeroed(1), {}, {}),
      b = generate("rectangular:rows=5,cols=4,most=2");
  std::int64_t blocks = 0;
  Stats stats;
  Context().multiply_in_blocks(
      none, b, [&](std::int64_t, const CsrView<double>&) { blocks++; }, &stats);
  CHECK_EQ(blocks, 0);
  CHECK_EQ(stats.blocks, 0);
  CHECK_EQ(error_in_blocks(b.view(), b.view(), {}), "invalid_argument: A has 4 columns, but B has 5 rows");
  CsrView<double> broken = b;
  broken.val = broken.val.first(1);
  CHECK(error_in_blocks(broken, b.view(), {}).starts_with("invalid_argument: A: "));
}

TEST_CASE("the end of a block: as many rows as fit, one at least") {
  const std::vector<std::int64_t> row_ptr{0, 2, 2, 5, 100, 101};
  CHECK_EQ(end_of_block(row_ptr, 0, 10 * 2 + 3 * 1, 1, 10), 2);
  CHECK_EQ(end_of_block(row_ptr, 0, 10 * 5 + 3 * 1, 1, 10), 3);
  CHECK_EQ(end_of_block(row_ptr, 0, 1, 1, 10), 1);
  CHECK_EQ(end_of_block(row_ptr, 3, 1, 1, 10), 4);
  CHECK_EQ(end_of_block(row_ptr, 3, 1 << 20, 1, 10), 5);
}

}  // namespace rowan::test
