// Tables of kernel shapes: what is not measured is sm_90's and says so, and an override says that it is one.
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "accumulators/tuning/compiled.hpp"

namespace rowan::test {
namespace {

using namespace tuning;

TEST_CASE("kernel shapes: what was not measured is sm_90's and says so") {
  for (const Architecture a : {Architecture::sm_80, Architecture::gfx906, Architecture::gfx90a}) {
    CHECK(shapes(a) == kSm90);
    for_each_number(shapes(a), [](const char*, const char*, const auto& number) {
      CHECK_EQ(std::string(number.source), "not measured: sm_90's");
    });
  }
}

TEST_CASE("kernel shapes: every number has a name of its own and a source") {
  std::set<std::string> names;
  for_each_number(kSm90, [&](const char* kernel, const char* name, const auto& number) {
    CHECK(names.insert(std::string(kernel) + "." + name).second);
    CHECK_NE(std::string(number.source), "");
  });
  CHECK_GT(names.size(), 80U);
}

TEST_CASE("kernel shapes: an override replaces a number and its source") {
  KernelShapes s = kSm90;
  s.sort.block = 64;
  CHECK_EQ(s.sort.block.value, 64);
  CHECK_EQ(std::string(s.sort.block.source), "override of this build");
  CHECK_FALSE(s == kSm90);
}

TEST_CASE("kernel shapes: one table a backend, sm_90's where there is none") {
  CHECK_EQ(compiled_tables({}).size(), 1U);
  CHECK_EQ(compiled_tables({}).front().backend, "");
  CHECK(compiled_tables({}).front().architecture == Architecture::sm_90);
  const auto two = compiled_tables({"hip", "emulated"});
  REQUIRE_EQ(two.size(), 2U);
  CHECK_EQ(two[0].backend, "hip");
  CHECK_EQ(name_of(two[0].architecture).substr(0, 3), "gfx");
  CHECK_EQ(&two[1].shapes, &shapes(Architecture::sm_90));
}

}  // namespace
}  // namespace rowan::test
