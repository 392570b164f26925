// Row classes looked up on a device, emulated or real, against numbers compared with every border.
#include "lib/binning/device/class_table.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "lib/device/pipeline/decide.hpp"
#include "tests/lib/device/arrays.hpp"
#include "tests/lib/device/emulator.hpp"

namespace rowan::test {
namespace {

using namespace device;

constexpr int kThreadsOfTable = 96;

/// A thread a row, the grid covers them.
__global__ void __launch_bounds__(kThreadsOfTable)
    look_classes_up(Borders borders, const RowNumbers* rows, std::int64_t n, std::int32_t* row_class) {
  ROWAN_SHARED(ClassTable::Words, words, 1);
  ClassTable table(words[0]);
  table.make(borders);
  __syncthreads();
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreadsOfTable + threadIdx.x;
  if (i < n) row_class[i] = table.class_of(rows[i]);
}

/// Rows whose numbers are what borders and bits may tell apart.
std::vector<RowNumbers> rows_about(const Borders& borders) {
  constexpr std::int64_t kMost = UINT32_MAX - 1;
  std::vector<std::int64_t> numbers;
  const auto add_about = [&](std::int64_t x) {
    for (std::int64_t k = x - 1; k <= x + 1; k++)
      if (k >= 0 && k <= kMost) numbers.push_back(k);
  };
  for (const std::int64_t upper : borders.upper)
    if (upper <= kMost) add_about(upper);
  for (int bit = 0; bit <= 32; bit++) add_about(std::int64_t{1} << bit);
  std::vector<RowNumbers> rows;
  for (const std::int64_t nprod : numbers)
    for (const std::int64_t bound : numbers)
      if (bound <= nprod) rows.push_back({.nprod = nprod, .bound = bound});
  return rows;
}

std::vector<std::int32_t> classes_on_device(const Borders& borders, const std::vector<RowNumbers>& rows) {
  Pool pool(0);
  const auto n = static_cast<std::int64_t>(rows.size());
  const Buffer<RowNumbers> there = on_device(pool, rows);
  const Buffer<std::int32_t> found(pool, n, nullptr);
  launch(look_classes_up, {.grid = (n + kThreadsOfTable - 1) / kThreadsOfTable, .block = kThreadsOfTable}, nullptr,
         borders, there.data(), n, found.data());
  return on_host(found);
}

}  // namespace

TEST_CASE("row classes: a device looks up what comparing with all borders finds") {
  for (const Phase phase : {Phase::symbolic, Phase::numeric})
    for (const bool short_rows : {false, true}) {
      Rules rules;
      rules.short_rows = short_rows;
      rules.room[0] = rules.room[1] = 200;
      const Borders borders = make_borders(phase, rules);
      const std::vector<RowNumbers> rows = rows_about(borders);
      std::vector<std::int32_t> expected;
      for (const RowNumbers& row : rows) expected.push_back(borders.class_of(row));
      CAPTURE(short_rows);
      CHECK(classes_on_device(borders, rows) == expected);
    }
}

}  // namespace rowan::test
