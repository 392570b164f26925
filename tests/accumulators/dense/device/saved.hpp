#pragma once
// Bitmaps that the symbolic phase saves for the numeric one.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "lib/device/pipeline/transfer.hpp"
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
  Engine engine(0, *embedded_policy("device-rules"), candidate);
  const OwnStream stream;
  Staging staging(engine.pool(), 1);
  Uploaded<double> left(engine.pool(), a.operand(), staging, stream.get()),
      right(engine.pool(), b.operand(), staging, stream.get());
  left.copy_values(f.a().val.data(), staging, stream.get());
  right.copy_values(f.b().val.data(), staging, stream.get());
  auto counted = measure_and_count(engine, left.resident(), right.resident(), stream.get(), nullptr);
  const std::int64_t need = bytes_of(counted.c) + counted.bytes_temporary;
  allocate(engine, counted, limited ? need - 1 : 0, stream.get());
  const auto fetch = [&](auto& to, const auto* from) {
    check(hipMemcpyAsync(to.data(), from, to.size() * sizeof *from, hipMemcpyDeviceToHost, stream.get()), "copying");
    check(hipStreamSynchronize(stream.get()), "waiting");
  };
  std::vector<SavedRange> kept(static_cast<std::size_t>(counted.c.rows));
  if (counted.words.size() != 0) fetch(kept, counted.at.saved);
  for (const bool again : {false, true}) {
    CAPTURE(again);
    if (again) check(hipMemsetAsync(counted.at.saved, 0, kept.size() * sizeof(SavedRange), stream.get()), "forgetting");
    fill(engine, left.resident(), right.resident(), counted, stream.get());
    std::vector<double> val(static_cast<std::size_t>(counted.c.nnz));
    std::vector<std::int32_t> col(val.size());
    fetch(val, counted.c.val.data());
    fetch(col, counted.c.col.data());
    CHECK(std::equal(val.begin(), val.end(), expected.val.begin(), expected.val.end()));
    CHECK(std::equal(col.begin(), col.end(), expected.col.begin(), expected.col.end()));
    check(hipMemsetAsync(counted.c.val.data(), 0xff, val.size() * sizeof(double), stream.get()), "spoiling");
    check(hipMemsetAsync(counted.c.col.data(), 0xff, col.size() * sizeof(std::int32_t), stream.get()), "spoiling");
  }
  return std::count_if(kept.begin(), kept.end(), [](const SavedRange& at) { return at.n != 0; });
}

}  // namespace rowan::test
