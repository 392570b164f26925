// Hash on a device: tables of any room, rows beyond all tables, and sums in the textbook's order where that is asked
// for.
#include "accumulators/hash/device/hash.hpp"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "lib/backends/devices.hpp"
#include "lib/core/prepared.hpp"
#include "lib/device/pipeline/host_product.hpp"
#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"

namespace rowan::test {
namespace {

using namespace device;

template <class T>
std::string device_difference(const Factors<T>& f, const Policy& policy, const std::string& force, bool deterministic) {
  const Team team(1);
  const Prepared<T> left(f.a(), "A", true, team), right(f.b(), "B", true, team);
  Engine engine(0, policy, force, deterministic);
  Stats stats;
  return difference(multiply_on_host({&engine}, left.operand(), right.operand(), false, rowan::Options{}, stats),
                    textbook(f.a(), f.b()));
}

/// What is told of the tables of a product's rows.
std::multiset<std::string> told(const Shape& shape, const Policy& policy) {
  const Factors<double> f(shape, Values::integers);
  const auto device = open_devices(policy, {.backend = kBackend});
  const Team team(1);
  const Prepared<double> left(f.a(), "A", true, team), right(f.b(), "B", true, team);
  std::multiset<std::string> all;
  for (const BinReport& bin : device->on.of<double>().inspect(left.operand(), right.operand(), false).bins)
    all.insert(bin.how.begin(), bin.how.end());
  return all;
}

/// Rows with so many entries each, no column twice, of rows of B with `each` entries.
Shape rows_of(const std::vector<int>& entries, int each) {
  Rows a, b;
  std::int32_t most = 0;
  for (const int n : entries) {
    std::vector<std::int32_t> row;
    for (Column column = 0; column < n; column += each) {
      std::vector<Column> columns;
      for (std::int32_t k = column; k < std::min(n, column + each); k++) columns.push_back(k * 3);
      row.push_back(static_cast<std::int32_t>(b.size()));
      b.push_back(columns);
    }
    most = std::max(most, n * 3);
    a.push_back(row);
  }
  const auto b_rows = static_cast<std::int64_t>(b.size());
  return {"rows of many sizes", from_rows(a, b_rows), from_rows(b, most + 1)};
}

/// Rows of many products that meet in few columns: a row of A for each number of rows of B with `each` entries.
Shape overlapping(const std::vector<int>& rows_of_b, int each) {
  constexpr std::int32_t kApart = 45;
  Rows a, b;
  for (const int n : rows_of_b) {
    std::vector<std::int32_t> row;
    for (std::int32_t k = 0; k < n; k++) row.push_back(k);
    a.push_back(row);
  }
  const int most = *std::max_element(rows_of_b.begin(), rows_of_b.end());
  for (std::int32_t k = 0; k < most; k++) {
    std::vector<Column> columns;
    for (Column j = 0; j < each + k % 3; j++) columns.push_back(k * 37 % kApart + j * kApart);
    b.push_back(columns);
  }
  return {"overlapping rows", from_rows(a, most), from_rows(b, (each + 3) * kApart)};
}

}  // namespace

TEST_CASE("device hash fills its tables as far as a policy says") {
  std::vector<int> entries;
  for (const int table : {32, 64, 128, 256, 512, 2048})
    for (const int n : {table / 3, table / 2, table * 2 / 3, table * 5 / 6, table}) {
      entries.push_back(n);
      entries.push_back(n + 1);
    }
  const Shape shape = rows_of(entries, 7);
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    for (const SlotsPerEntry room : {SlotsPerEntry{100, 100}, SlotsPerEntry{150, 150}, SlotsPerEntry{200, 300}}) {
      CAPTURE(room.numeric);
      Policy policy = *embedded_policy("opsparse");
      policy.tables.slots_per_entry = room;
      CHECK_EQ(device_difference(Factors<double>(shape, Values::integers), policy, "", false), "");
      CHECK_EQ(device_difference(Factors<float>(shape, Values::integers), policy, "", true), "");
    }
  });
}

TEST_CASE("device hash sorts its tables in every way that a policy may ask for") {
  std::vector<int> entries;
  for (const int table : {32, 64, 128, 256, 512, 2048})
    for (const int n : {table / 3, table / 2, table}) entries.push_back(n), entries.push_back(n + 1);
  Shape near = rows_of(entries, 7), far = near;
  far.name = "rows of many sizes, far apart";
  for (Column& column : far.b->col) column *= 211;  // spans of more digits
  if (far.b) far.b->cols = far.b->cols * 211;
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    for (const TableSort sort : {TableSort::bitonic, TableSort::whole, TableSort::radix})
      for (const SlotsPerEntry room : {SlotsPerEntry{120, 100}, SlotsPerEntry{120, 200}}) {
        CAPTURE(name_of(sort));
        CAPTURE(room.numeric);
        Policy policy = *embedded_policy("opsparse");
        policy.tables.slots_per_entry = room, policy.tables.sort = sort;
        for (const Shape* shape : {&near, &far}) {
          CAPTURE(shape->name);
          CHECK_EQ(device_difference(Factors<double>(*shape, Values::integers), policy, "", false), "");
          CHECK_EQ(device_difference(Factors<float>(*shape, Values::reals), policy, "", true), "");
        }
      }
  });
}

TEST_CASE("rows beyond shared memory: the library sorts few of them, a block each sorts many in place") {
  const Shape shape = rows_of({700, 4096, 4097, 4500, 6000}, 400);  // the last three are beyond 64 KiB
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    for (const int library_rows : {0, 1, 64}) {
      CAPTURE(library_rows);
      Policy policy = *embedded_policy("dcu-nsparse");
      policy.tables.library_rows = library_rows;
      CHECK_EQ(device_difference(Factors<double>(shape, Values::integers), policy, "", false), "");
      CHECK_EQ(device_difference(Factors<double>(shape, Values::reals), policy, "", true), "");
      CHECK_EQ(device_difference(Factors<float>(shape, Values::integers), policy, "", false), "");
#if defined(ROWAN_EMULATED)
      const std::multiset<std::string> how = told(shape, policy);
      CHECK_EQ(how.contains("sorted by library"), library_rows == 64);
      CHECK_EQ(how.contains("sorted by bitonic, in global memory"), library_rows != 64);
#endif
    }
  });
}

TEST_CASE("a row whose columns collide is handed to dense-rank when it is counted, and no other row") {
  Shape shape = rows_of({20, 100, 300, 500, 100, 900}, 50);
  Sparsity& b = *shape.b;
  // rows of B of the first four rows of A: one place of every table
  for (auto at = static_cast<std::size_t>(b.ptr[19]); at-- > 0;) b.col[at] = b.col[at] / 3 * 4096;
  b.cols = 500 * 4096;
  for_schedules(2, [&](int wave, int) {
    CAPTURE(wave);
    Policy policy = *embedded_policy("deltasparse");
    CHECK_NE(policy.tables.collisions, 0);
    CHECK_EQ(device_difference(Factors<double>(shape, Values::integers), policy, "", false), "");
    CHECK_EQ(device_difference(Factors<float>(shape, Values::reals), policy, "", true), "");
    std::int64_t handed = 0;
    for (const std::string& how : told(shape, policy))
      if (const std::size_t at = how.find(" rows abandoned to dense-rank"); at != std::string::npos)
        handed += std::stoi(how);
    CHECK_GE(handed, 3);
    CHECK_LE(handed, 4);
    policy.tables.collisions = 0;
    CHECK_EQ(device_difference(Factors<double>(shape, Values::integers), policy, "", false), "");
    for (const std::string& how : told(shape, policy)) CHECK_EQ(how.find("handed"), std::string::npos);
  });
}

TEST_CASE("rows whose bound is beyond all tables are counted in shared memory, or in global memory if they must be") {
#if defined(ROWAN_EMULATED)
  const std::size_t limit = emulator::EmulatorOptions{}.shared_limit;
#else
  if (count() == 0) return;
  const std::size_t limit = info(0).shared_limit;
#endif
  const int tried = device::hash::tried_places(limit), most = device::hash::most_tried(tried);
  CHECK_GT(tried, most + kMostThreads);
  // rows as long as what may be tried and longer, and one that many products make few entries of
  const Shape shape = rows_of({most, most + 1, tried + kMostThreads}, 400), few = overlapping({400}, 150);
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    const Policy& policy = *embedded_policy("opsparse");
    CHECK_EQ(device_difference(Factors<double>(shape, Values::integers), policy, "", false), "");
    CHECK_EQ(device_difference(Factors<double>(few, Values::integers), policy, "", false), "");
  });
}

TEST_CASE("deterministic: devices have the textbook's bits, whichever the accumulator") {
  const Shape overlaps[] = {overlapping({3, 70, 100}, 20), overlapping({90, 40}, 120)};
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    const Policy& policy = *embedded_policy("device-rules");
    for (const std::string force : {"", "hash", "hash:4", "dense-rank", "dense-run", "direct"}) {
      CAPTURE(force);
      for (const char* name : {"up to 600 products", "power law with a hub", "runs of 1 to 6 equal rows", "unsorted"}) {
        CAPTURE(name);
        CHECK_EQ(device_difference(Factors<double>(shape(name), Values::reals), policy, force, true), "");
        CHECK_EQ(device_difference(Factors<float>(shape(name), Values::special), policy, force, true), "");
      }
    }
    for (const char* force : {"hash", "dense-rank"})
      for (const Shape& shape : overlaps)
        CHECK_EQ(device_difference(Factors<double>(shape, Values::reals), policy, force, true), "");
  });
}

}  // namespace rowan::test
