#include "tests/tools/rowan/run.hpp"
#include <rowan/generate.hpp>

namespace rowan::test {
namespace {

const std::string kList = " (see rowan generate --list)";

TEST_CASE("rowan generate: writes every form that multiply writes, and reads it again") {
  Shell shell;
  for (const char* file : {"m.mtx", "m.mtx.gz", "m.bin"}) {
    const Ran ran = shell.rowan("generate rmat scale=8 seed=3 -o " + std::string(file));
    CHECK(ran.code == 0);
    CHECK(ran.out == "");
    CHECK(ran.err == "");
    CHECK(shell.rowan("multiply " + std::string(file) + " -o -").out ==
          shell.rowan("multiply generated:rmat:scale=8,seed=3 -o -").out);
  }
  CHECK(shell.rowan("generate rmat scale=8 seed=3 -o - --format mtx").out == shell.read("m.mtx"));
  CHECK(shell.rowan("generate rmat:scale=8 seed=3 -o - --threads 1").out == shell.read("m.mtx"));
  CHECK(shell.rowan("generate rmat:scale=8,seed=3 -o - --threads 2").out == shell.read("m.mtx"));
  CHECK(shell.read("m.bin").starts_with("CRSR"));
}

TEST_CASE("rowan generate --list: every kind with every parameter, as text and as JSON") {
  Shell shell;
  const Ran text = shell.rowan("generate --list");
  CHECK(text.code == 0);
  const auto json = shell.rowan("generate --list --json").json();
  CHECK(json.size() == generators().size());
  std::size_t k = 0;
  for (const Generator& kind : generators()) {
    CHECK(contains(text.out, std::string(kind.name) + ": " + std::string(kind.about)));
    CHECK(contains(shell.rowan("generate --help").out, kind.about));
    CHECK(json[k]["name"] == kind.name);
    CHECK(json[k]["parameters"].size() == kind.parameters.size());
    for (const GeneratorParameter& p : kind.parameters)
      CHECK(contains(text.out, "  " + std::string(p.name) + "=" + std::to_string(p.fallback)));
    k++;
  }
  CHECK(json[0]["parameters"][0]["default"] == 1000);
}

TEST_CASE("rowan generate: faults are exit code 2 and leave no file") {
  Shell shell;
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    CAPTURE(arguments);
    check_refused(shell.rowan("generate " + arguments), 2, message);
  };
  const std::string kinds =
      "stencil2d, stencil3d, fem, lattice4d, aggregation, classical, delaunay, geometric, random, rectangular, "
      "hypersparse, banded, diagonals, "
      "blocks, "
      "rmat, powerlaw, hubs, roads, peers";
  refused("", "which kind of matrix? rowan generate --list shows all kinds");
  refused("rmt -o m.mtx", "there is no kind of matrix \"rmt\", did you mean \"rmat\"? There are " + kinds + kList);
  refused("rmat scael=3 -o m.mtx",
          "rmat: there is no parameter \"scael\", did you mean \"scale\"? There are scale, "
          "edge_factor, a, b, c, seed" +
              kList);
  refused("rmat scale=99 -o m.mtx", "rmat: scale=99 is not within 0 and 30" + kList);
  refused("stencil2d nx=2147483647 -o m.mtx", "stencil2d: there would be more than 2147483647 rows" + kList);
  refused("rmat", "where does the matrix go? Give -o FILE; -o - is standard output");
  refused("rmat -o ''", "--output: the file's name is empty (see rowan generate --help)");
  refused("rmat --json", "where does the matrix go? Give -o FILE; -o - is standard output");
  const Ran large = shell.rowan("generate random n=2000000000 row_length=1000 -o m.mtx");
  CHECK(large.code == 2);
  CHECK(contains(large.err, "entries would take about "));
  CHECK(shell.count() == 2);
  check_refused(shell.rowan("generate rmat scale=3 -o none/m.mtx"), 1,
                "none/m.mtx: cannot be created: No such file or directory");
}

TEST_CASE("generated: matrices stand wherever files do, and their faults are wrong usage") {
  Shell shell;
  CHECK(contains(shell.rowan("multiply generated:random:n=50 --dry-run").out, "50 x 50"));
  CHECK(contains(shell.rowan("inspect generated:stencil2d:nx=9,ny=9").out, "81"));
  CHECK(shell.rowan("multiply a.mtx generated:rectangular:rows=3,cols=5,most=2 -o c.mtx").code == 0);
  check_refused(shell.rowan("multiply a.mtx generated:rmat:a=90"), 2,
                "B: rmat: a + b + c exceeds 100 percent (see rowan multiply --help)");
  check_refused(shell.rowan("inspect generated:fem:unknowns=99"), 2,
                "A: fem: unknowns=99 is not within 1 and 32 (see rowan inspect --help)");
}

}  // namespace
}  // namespace rowan::test
