// What inspect() tells of several devices.
#include "lib/api/shares.hpp"

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/patterns.hpp"
#include <rowan/context.hpp>

#if defined(ROWAN_EMULATED)
namespace rowan::test {
namespace {

template <class T>
void check_shares(const CsrView<T>& a, const CsrView<T>& b, std::size_t memory, bool measured) {
  emulator::EmulatorOptions emulated;
  emulated.devices = 3;
  if (memory != 0) emulated.memory_of = {std::size_t{1} << 30, memory, memory};
  const Emulated on(emulated);
  Options options{.backend = kBackend, .devices = {0, 2, 1}};
  const Inspection in = Context(options).inspect(a, b);
  REQUIRE_EQ(in.shares.size(), 3);
  std::int64_t row = 0, nprod = 0, nnz = 0;
  for (std::size_t k = 0; k < 3; k++) {
    const ShareReport& s = in.shares[k];
    CHECK_EQ(s.device, options.devices[k]);
    CHECK_EQ(s.first, row);
    CHECK_GT(s.rows, 0);
    row += s.rows, nprod += s.nprod, nnz += s.nnz;
    CHECK_GT(s.predicted, 0);
    CHECK_EQ(s.seconds > 0, measured);
    CHECK_EQ(s.bytes_from_others > 0, measured);
  }
  CHECK_EQ(row, in.rows);
  CHECK_EQ(nprod, in.nprod);
  CHECK_EQ(nnz, in.nnz);
  options.devices = {1};
  if (memory == 0) CHECK(Context(options).inspect(a, b).shares.empty());
}

}  // namespace

// transposed views are taken for large, else the first device would have all rows
TEST_CASE("an inspection on several devices tells what each one's rows are, need of others and take") {
  const Matrix<double> a = filled<double>(scattered(500, 300, 3, 9, 1), Values::integers, 1),
                       b = filled<double>(scattered(500, 400, 3, 9, 2), Values::integers, 2);
  check_shares(transposed(a.view()), b.view(), 0, true);
  const Matrix<float> square = filled<float>(scattered(400, 400, 3, 9, 3), Values::integers, 3);
  check_shares(transposed(square.view()), transposed(square.view()), 0, true);
}

TEST_CASE("where a device has no memory for its share, what was counted is told") {
  const Matrix<double> a = filled<double>(scattered(500, 300, 3, 9, 1), Values::integers, 1),
                       b = filled<double>(scattered(500, 400, 3, 9, 2), Values::integers, 2);
  check_shares(transposed(a.view()), b.view(), 2000, false);
}

}  // namespace rowan::test
#endif
