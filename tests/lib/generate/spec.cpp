#include <set>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include <rowan/generate.hpp>

namespace rowan::test {
namespace {

const std::string kKinds =
    "stencil2d, stencil3d, fem, lattice4d, aggregation, classical, delaunay, geometric, random, rectangular, "
    "hypersparse, banded, diagonals, "
    "blocks, rmat, "
    "powerlaw, hubs, roads, peers";

}  // namespace

TEST_CASE("generate: what a specification may lack") {
  const auto fault = [](const std::string& spec) {
    const std::string foretold = error_of([&] { static_cast<void>(generated_size(spec)); });
    CHECK(error_of([&] { static_cast<void>(generate(spec)); }) == foretold);
    return foretold;
  };
  const std::string invalid = "invalid_argument: ";
  CHECK(fault("") == invalid + "there is no kind of matrix \"\"; there are " + kKinds);
  CHECK(fault("stencil") ==
        invalid + "there is no kind of matrix \"stencil\", did you mean \"stencil2d\"? There are " + kKinds);
  CHECK(fault("rmat:") == invalid + "rmat: there is no parameter \"\"; there are scale, edge_factor, a, b, c, seed");
  CHECK(fault("rmat:scale=3,") ==
        invalid + "rmat: there is no parameter \"\"; there are scale, edge_factor, a, b, c, seed");
  CHECK(fault("stencil2d:nx=3,n_y=2") ==
        invalid + "stencil2d: there is no parameter \"n_y\", did you mean \"ny\"? There are nx, ny, seed");
  CHECK(fault("stencil2d:nx") == invalid + "stencil2d: nx has no value; give one like nx=1000");
  CHECK(fault("stencil2d:nx=") == invalid + "stencil2d: nx= is not a whole number");
  for (const char* number : {"x", "1.5", "1e3", "+3", " 3", "3 ", "0x10", "1,000=3"})
    CHECK(fault("stencil2d:nx=" + std::string(number)).starts_with(invalid + "stencil2d: "));
  CHECK(fault("stencil2d:nx=0") == invalid + "stencil2d: nx=0 is not within 1 and 2147483647");
  CHECK(fault("stencil2d:nx=-1") == invalid + "stencil2d: nx=-1 is not within 1 and 2147483647");
  CHECK(fault("stencil2d:nx=99999999999999999999") ==
        invalid + "stencil2d: nx=99999999999999999999 is not within 1 and 2147483647");
  CHECK(fault("stencil2d:nx=3,nx=3") == invalid + "stencil2d: nx is given twice");
  CHECK(fault("stencil3d:points=9") == invalid + "stencil3d: points is 7 or 27");
  CHECK(fault("lattice4d:spins=2") == invalid + "lattice4d: spins is 1 or 4");
  CHECK(fault("fem:unknowns=33") == invalid + "fem: unknowns=33 is not within 1 and 32");
  CHECK(fault("random:n=3") == invalid + "random: row_length exceeds n");
  CHECK(fault("rectangular:least=30") == invalid + "rectangular: least exceeds most");
  CHECK(fault("rectangular:cols=10") == invalid + "rectangular: most exceeds cols");
  CHECK(fault("banded:reach=9") == invalid + "banded: row_length exceeds the band, 2 reach + 1");
  CHECK(fault("diagonals:reach=9") == invalid + "diagonals: pairs exceeds reach");
  CHECK(fault("blocks:most=10") == invalid + "blocks: least exceeds most");
  CHECK(fault("rmat:a=80") == invalid + "rmat: a + b + c exceeds 100 percent");
  CHECK(fault("powerlaw:least=9,longest=8") == invalid + "powerlaw: least exceeds longest");
  CHECK(fault("powerlaw:n=1000") == invalid + "powerlaw: longest exceeds n");
  CHECK(fault("powerlaw:n=1000,longest=1000") == invalid + "powerlaw: dense_length exceeds n");
  CHECK(fault("powerlaw:n=10,longest=10,dense_length=10,dense_rows=11") == invalid + "powerlaw: dense_rows exceeds n");
}

TEST_CASE("generate: too large a matrix is refused before anything is allocated") {
  const auto fault = [](const std::string& spec) { return error_of([&] { static_cast<void>(generate(spec)); }); };
  const std::string most = "2147483647";
  CHECK(fault("stencil2d:nx=65536,ny=32768") == "overflow: stencil2d: there would be more than 2147483647 rows");
  CHECK(fault("fem:nx=" + most + ",ny=" + most + ",nz=" + most + ",unknowns=6") ==
        "overflow: fem: there would be more than 2147483647 rows");
  CHECK(fault("delaunay:nx=" + most + ",ny=2") == "overflow: delaunay: there would be more than 2147483647 rows");
  for (const std::string& spec :
       {"random:n=" + most + ",row_length=" + most, "rectangular:cols=" + most + ",rows=" + most + ",most=" + most,
        "banded:n=" + most + ",reach=" + most + ",row_length=" + most, "rmat:scale=30,edge_factor=" + most,
        "diagonals:n=" + most + ",reach=" + most + ",pairs=" + most, "blocks:n=" + most + ",most=" + most,
        "hubs:n=" + most + ",hubs=" + most + ",hub_wires=" + most,
        "powerlaw:n=" + most + ",least=" + most + ",longest=" + most + ",dense_rows=" + most + ",dense_length=" + most,
        "geometric:n=" + most + ",neighbours=1048576", std::string("random:n=2000000000,row_length=1000")}) {
    const std::string text = fault(spec);
    CHECK_MESSAGE(text.starts_with("out_of_memory: " + spec.substr(0, spec.find(':')) + ": "), spec << " " << text);
    CHECK(text.find(" MiB, this machine has ") != std::string::npos);
  }
}

TEST_CASE("generate: the tables of kinds and parameters make sense") {
  std::set<std::string_view> kinds;
  for (const Generator& kind : generators()) {
    CAPTURE(kind.name);
    CHECK(kinds.insert(kind.name).second);
    CHECK_FALSE(kind.about.empty());
    std::set<std::string_view> parameters;
    for (const GeneratorParameter& p : kind.parameters) {
      CAPTURE(p.name);
      CHECK(parameters.insert(p.name).second);
      CHECK_FALSE(p.meaning.empty());
      CHECK(p.least <= p.fallback);
      CHECK(p.fallback <= p.most);
    }
    CHECK(parameters.contains("seed"));
    const GeneratedSize size = generated_size(kind.name);
    CHECK(size.rows >= 10000);
    CHECK(size.entries <= 10'000'000);
  }
}

TEST_CASE("generate: parameters come in any order, and name what they do not change") {
  CHECK(generated_size("rectangular:cols=70,rows=50").rows == 50);
  CHECK(generated_size("rectangular:cols=70,rows=50").cols == 70);
  CHECK(generated_size("rmat:scale=5,edge_factor=3").entries == 96);
  CHECK(generated_size("rmat").rows == 65536);
}

}  // namespace rowan::test
