#pragma once
// Bitmaps that the symbolic phase saves for the numeric one.
#include <algorithm>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "lib/device/pipeline/pair.hpp"
#include "models/embedded.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"

namespace rowan::test {

/// Checks that C, by a candidate, is right with the bitmaps that were saved, and when they have been forgotten and are
/// made again; how many rows had one. `limited`: to memory that C and the rest fit only without them.
inline std::int64_t check_saved(const Shape& shape, const std::string& candidate, Values values, bool limited = false) {
  using namespace device;
  CAPTURE(shape.name);
  const Factors<double> f(shape, values);
  const auto expected = textbook(f.a(), f.b());
  const rowan::Team team(1);
  const Prepared<double> a(f.a(), "A", true, team), b(f.b(), "B", true, team);
  const auto engine = std::make_shared<Engine>(0, *embedded_policy("device-rules"), candidate);
  const Pair<double> pair(engine, a.operand(), b.operand(), false);
  auto counted = measure_and_count(*engine, pair.a(), pair.b(), pair.stream(), nullptr);
  const std::int64_t need = bytes_of(counted.c) + counted.bytes_temporary;
  allocate(*engine, counted, limited ? need - 1 : 0, pair.stream());
  std::int64_t rows = 0;
  if (counted.words.size() != 0)
    for (const SavedRange& at : fetched(counted.at.saved, counted.c.rows, pair.stream())) rows += at.n != 0 ? 1 : 0;
  for (const bool again : {false, true}) {
    CAPTURE(again);
    if (again)
      check(hipMemsetAsync(counted.at.saved, 0, static_cast<std::size_t>(counted.c.rows) * sizeof(SavedRange),
                           pair.stream()),
            "forgetting");
    fill(*engine, pair.a(), pair.b(), counted, pair.stream());
    const auto val = fetched(counted.c.val.data(), counted.c.nnz, pair.stream());
    const auto col = fetched(counted.c.col.data(), counted.c.nnz, pair.stream());
    CHECK(std::equal(val.begin(), val.end(), expected.val.begin(), expected.val.end()));
    CHECK(std::equal(col.begin(), col.end(), expected.col.begin(), expected.col.end()));
    check(hipMemsetAsync(counted.c.val.data(), 0xff, counted.c.val.bytes(), pair.stream()), "spoiling");
    check(hipMemsetAsync(counted.c.col.data(), 0xff, counted.c.col.bytes(), pair.stream()), "spoiling");
  }
  return rows;
}

}  // namespace rowan::test
