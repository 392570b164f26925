#include <algorithm>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include <rowan/generate.hpp>

namespace rowan::test {

TEST_CASE("load_matrix: files, and what is generated") {
  const Folder folder;
  const std::string path = folder.file("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 5\n");
  CHECK(load_matrix(path).val()[0] == 5);
  const Csr<double> made = load_matrix("generated:random:n=50,seed=4"), same = generate("random:n=50,seed=4");
  CHECK(std::ranges::equal(made.col(), same.col()));
  CHECK(error_of([] { static_cast<void>(load_matrix("generated:x")); }).starts_with("invalid_argument: "));
  CHECK(error_of([] { static_cast<void>(load_matrix("./generated:fem")); }).starts_with("io: "));
  CHECK(generator_spec("generated:fem:nx=3") == "fem:nx=3");
  CHECK_FALSE(generator_spec("fem:nx=3").has_value());
}

}  // namespace rowan::test
