// Which rows are heavy (lib/device/pipeline/heavy.hpp), and what says so.
#include "lib/device/pipeline/heavy.hpp"

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"
#include <rowan/context.hpp>
#include <rowan/inspection.hpp>

namespace rowan::test {
namespace {

using namespace device;

constexpr int kMultiprocessors = 132;
constexpr std::size_t kShared = 227 << 10;
constexpr std::int64_t kAnyBytes = INT64_MAX;

std::int64_t chosen(const HeavyTally& rows, std::int64_t bytes = kAnyBytes, bool in_order = false,
                    bool sorted_b = true) {
  return choose_heavy(rows, {.multiprocessors = kMultiprocessors,
                             .shared_limit = kShared,
                             .bytes = bytes,
                             .in_order = in_order,
                             .sorted_b = sorted_b});
}

/// So many rows with so many products each, which lie in `span` columns, in the class of rows with that many.
void add(HeavyTally& to, std::int64_t rows, std::int64_t products, std::int64_t span, std::int64_t entries = 100) {
  int c = -1;
  for (const std::int64_t least : kHeavyProducts) c += products >= least ? 1 : 0;
  REQUIRE_GE(c, 0);
  for (std::int64_t i = 0; i < rows; i++)
    to.of[c].add({.nprod = products, .bound = products, .a_nnz = entries, .span = span, .b_max = 100});
}

}  // namespace

TEST_CASE("rows are heavy where few of them have most products, and not where blocks have enough rows") {
  HeavyTally few, many, mixed, none;
  add(few, 30, 100000, 200000);
  CHECK_EQ(chosen(few), 65536);
  add(many, 50000, 8000, 200000);
  CHECK_EQ(chosen(many), 0);
  add(mixed, 50000, 8000, 200000), add(mixed, 2, 20000000, 200000);  // only those that all others would wait for
  CHECK_EQ(chosen(mixed), 65536);
  CHECK_EQ(chosen(none), 0);
}

TEST_CASE("rows are heavy sooner where a block would look at all products for each window, or has many entries of A") {
  HeavyTally narrow, wide, long_in_a;
  add(narrow, 20, 30000, 200000);
  CHECK_EQ(chosen(narrow), 0);
  add(wide, 20, 30000, 1000000);
  CHECK_EQ(chosen(wide), 0);  // in sorted rows of B a window's products are found
  CHECK_EQ(chosen(wide, kAnyBytes, false, false), 16384);
  add(long_in_a, 20, 30000, 200000, 2000);
  CHECK_EQ(chosen(long_in_a), 16384);
}

TEST_CASE("many rows are heavy, too, that span few columns, unless blocks add long rows of B to them in turn") {
  HeavyTally ratings, wider, pixels, short_in_b;
  add(ratings, 500, 9000, 943, 50), add(ratings, 400, 30000, 943, 300);
  CHECK_GT(chosen(ratings), 0);
  CHECK_LE(chosen(ratings), 9000);  // both classes
  CHECK_EQ(chosen(ratings, kAnyBytes, true), 0);
  CHECK_EQ(chosen(ratings, kAnyBytes, false, false), 0);
  add(wider, 500, 9000, 3000, 50), add(wider, 400, 30000, 3000, 300);
  CHECK_EQ(chosen(wider), 0);
  add(pixels, 2000, 9200, 1000, 95);
  CHECK_EQ(chosen(pixels), 0);
  add(short_in_b, 600, 15000, 700, 400);
  CHECK_GT(chosen(short_in_b), 0);
}

TEST_CASE("rows are not heavy where their bitmaps would take more than they may, or their products have no numbers") {
  HeavyTally few, wide, many;
  add(few, 30, 100000, 200000);
  CHECK_EQ(chosen(few, 1 << 20), 0);
  add(wide, 500, 140000, 2000000000);
  CHECK_EQ(chosen(wide), 0);
  add(many, 2, 2000000000, 200000);
  CHECK_EQ(chosen(many), 0);
  CHECK_EQ(heavy_room(0), INT64_MAX);
  CHECK_EQ(heavy_room(8000), 1000);
}

TEST_CASE("with sums in order rows are heavy that have many entries of A, but not under a memory limit") {
  HeavyTally few_entries, many_entries;
  add(few_entries, 30, 100000, 200000);
  CHECK_EQ(chosen(few_entries), 65536);
  CHECK_EQ(chosen(few_entries, kAnyBytes, true), 0);
  // 12,000 entries of 10 products each: the block with such a row would take 1.2 ms
  HeavyTally one_long;
  add(one_long, 2, 120000, 8000, 12000);
  CHECK_EQ(chosen(one_long, kAnyBytes, true), 65536);
  // a list of products would save nothing where blocks have enough such rows
  HeavyTally many_long;
  add(many_long, 3000, 120000, 8000, 1200);
  CHECK_EQ(chosen(many_long, kAnyBytes, true), 0);
  add(many_entries, 3, 2000000, 200000, 200000);
  CHECK_EQ(chosen(many_entries, kAnyBytes, true), 65536);
  CHECK_EQ(chosen(many_entries, kAnyBytes / 2, true), 0);  // products are listed
}

TEST_CASE("inspect says which rows have many blocks, none has where an accumulator is forced") {
  Random random(3);
  Rows a;
  for (int i = 0; i < 40; i++) a.push_back(some_columns(random, i == 7 ? 400 : 2, 0, 400));
  const Factors<double> f({"one heavy", from_rows(a, 400), scattered(400, 3000, 40, 50, 1)}, Values::integers);
  for_schedules(1, [&](int, int) {
    const auto heavy_bins = [&](const Options& options) {
      int n = 0;
      const Inspection found = Context(options).inspect(f.a(), f.b());
      for (const BinReport& bin : found.bins) n += bin.label.find("over many blocks") != std::string::npos ? 1 : 0;
      return n;
    };
    Options options;
    options.backend = kBackend;
    CHECK_EQ(heavy_bins(options), 1);
    options.force = "dense-rank";
    CHECK_EQ(heavy_bins(options), 0);
  });
}

}  // namespace rowan::test
