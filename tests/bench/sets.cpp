// The fixed sets: every line is a product that the notation of bench/sets/README.md knows.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <rowan/rowan.hpp>

namespace rowan::test {
namespace {

struct Operand {
  std::string source;
  bool transposed = false;

  [[nodiscard]] bool generated() const { return generator_spec(source).has_value(); }
};

struct Product {
  Operand a, b;
};

Operand operand(std::string text) {
  const bool transposed = text.ends_with('\'');
  if (transposed) text.pop_back();
  return {text, transposed};
}

std::vector<Product> read_set(const std::string& name) {
  std::ifstream file(ROWAN_SOURCE_DIR "/bench/sets/" + name + ".txt");
  REQUIRE(file);
  std::vector<Product> all;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const auto times = line.find(" * ");
    const Operand a = operand(line.substr(0, times));
    all.push_back({a, times == std::string::npos ? a : operand(line.substr(times + 3))});
  }
  return all;
}

CsrView<double> view(const Csr<double>& stored, bool turned) {
  CsrView<double> v = stored.view();
  v.transposed = turned;
  return v;
}

}  // namespace

TEST_CASE("bench/sets: every line names matrices, made-up ones that can be made, of sizes that agree") {
  for (const char* name : {"host10", "small", "multigrid", "copies", "thin", "thin-real", "shared", "shared-large"})
    for (const Product& p : read_set(name)) {
      CAPTURE(p.a.source);
      for (const Operand& o : {p.a, p.b}) {
        CHECK(o.source.find_first_of(" '*#") == std::string::npos);
        CHECK(o.generated() != o.source.ends_with(".mtx.gz"));
      }
      if (!p.a.generated()) {
        CHECK(p.a.source == p.b.source);
        continue;
      }
      const GeneratedSize a = generated_size(*generator_spec(p.a.source)),
                          b = generated_size(*generator_spec(p.b.source));
      CHECK((p.a.transposed ? a.rows : a.cols) == (p.b.transposed ? b.cols : b.rows));
    }
}

TEST_CASE("bench/sets: small products are small, and every kind is among them") {
  std::string all;
  for (const Product& p : read_set("small")) {
    all += p.a.source + " " + p.b.source + " ";
    const Csr<double> a = load_matrix(p.a.source), b = load_matrix(p.b.source);
    const Symbolic size = Context().symbolic(view(a, p.a.transposed), view(b, p.b.transposed));
    CHECK_MESSAGE(size.nprod >= 1, p.a.source);
    CHECK_MESSAGE(size.nprod <= 10000, p.a.source);
  }
  for (const Generator& kind : generators())
    CHECK_MESSAGE(all.find("generated:" + std::string(kind.name)) != std::string::npos, kind.name);
}

TEST_CASE("bench/sets: ten matrices of ten kinds") {
  CHECK(read_set("host10").size() == 10);
}

}  // namespace rowan::test
