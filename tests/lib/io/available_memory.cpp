#include "lib/io/available_memory.hpp"

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"

namespace rowan::test {

TEST_CASE("memory room: some, and no more than any machine has") {
  CHECK(io::available_memory() > 1 << 20);
  CHECK(io::available_memory() < std::int64_t{1} << 50);
}

TEST_CASE("memory room: rows that do not fit are refused with both numbers") {
  CHECK(error_of([] { io::check_rows_fit(10, 160, "f:2"); }) == "no error");
  CHECK(error_of([] { io::check_rows_fit(11, 160, "f:2"); }) ==
        "out_of_memory: f:2: 11 rows take 176 bytes, 160 are free; leave out empty rows or use a machine with more "
        "memory");
  CHECK(
      error_of([] { io::check_rows_fit(2147483647, 1 << 30, "f:2"); }).starts_with("out_of_memory: f:2: 2147483647 "));
}

}  // namespace rowan::test
