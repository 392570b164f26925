#include "tests/tools/rowan/run.hpp"

namespace rowan::test {
namespace {

constexpr const char* kGrid =
    "generated:aggregation:nx=12,ny=12,nz=12,part=0 generated:aggregation:nx=12,ny=12,nz=12,part=1";

TEST_CASE("rowan galerkin: writes P'*A*P, or R*A*P, in any way and with any number of threads the same") {
  Shell shell;
  const std::string grid = kGrid;
  REQUIRE(shell.rowan("galerkin " + grid + " -o c.mtx").code == 0);
  const std::string c = shell.read("c.mtx");
  for (const char* how : {"--way fused", "--way two-products", "--threads 1", "--threads 3 --way fused", "--force hash",
                          "--memory-limit 1G"}) {
    CAPTURE(how);
    CHECK(shell.rowan("galerkin " + grid + " -o - " + how).out == c);
  }
  REQUIRE(shell.rowan("generate aggregation:nx=12,ny=12,nz=12,part=1 -o p.mtx").code == 0);
  // two multiplications by hand
  const std::string a = "generated:aggregation:nx=12,ny=12,nz=12,part=0";
  REQUIRE(shell.rowan("multiply " + a + " p.mtx -o ap.mtx").code == 0);
  CHECK(shell.rowan("multiply p.mtx ap.mtx --transpose-a -o -").out == c);
  // R given: a.mtx is 3 x 3, b.mtx 3 x 2
  CHECK(shell.rowan("galerkin a.mtx b.mtx --restriction a.mtx -o -").out ==
        shell.rowan("galerkin a.mtx b.mtx --restriction a.mtx --way fused -o -").out);
}

TEST_CASE("rowan galerkin: tells the way and why, as text and as JSON") {
  Shell shell;
  const std::string grid = kGrid;
  const Ran text = shell.rowan("galerkin " + grid + " --stats --threads 1 --way fused");
  CHECK(text.code == 0);
  CHECK(contains(text.out, "fused: asked for"));
  CHECK(contains(shell.rowan("galerkin " + grid + " --stats").out, "two products: two products take no longer"));
  const auto json = nlohmann::json::parse(shell.rowan("galerkin " + grid + " --json --way two-products").out);
  CHECK(json["fused"] == false);
  CHECK(json["reason"] == "asked for");
  CHECK(json["rows"] == 64);
  CHECK(json["nprod_ap"] > 0);
  CHECK(json["seconds"]["ap"] > 0);
  CHECK(json["seconds"]["total"] > 0);
  CHECK(shell.rowan("galerkin " + grid).out.starts_with("C is 64 x 64 with "));
}

TEST_CASE("rowan galerkin: refuses what does not fit, by name, and writes nothing") {
  Shell shell;
  const Ran wrong = shell.rowan("galerkin b.mtx a.mtx -o c.mtx");
  CHECK(wrong.code == 1);
  CHECK(contains(wrong.err, "A has 2 columns, but P has 3 rows"));
  CHECK(shell.rowan("galerkin - - -o c.mtx").code == 2);
  CHECK(shell.rowan("galerkin a.mtx b.mtx --way other -o c.mtx").code == 2);
  CHECK(shell.rowan("galerkin a.mtx b.mtx --memory-limit 1 -o c.mtx").code == 1);
  CHECK(shell.count() == 2);
}

}  // namespace
}  // namespace rowan::test
