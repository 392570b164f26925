// rowan info --kernels: the table of kernel shapes, whether or not the build has a device.
#include <set>

#include "tests/tools/rowan/run.hpp"

namespace rowan::test {
namespace {

/// The entry of a number's name; fails the case where there is none, or two.
nlohmann::json number(const nlohmann::json& table, const std::string& name) {
  nlohmann::json found;
  for (const auto& one : table["numbers"]) {
    if (one["name"] != name) continue;
    CHECK(found.is_null());
    found = one;
  }
  REQUIRE_FALSE(found.is_null());
  return found;
}

}  // namespace

TEST_CASE("rowan info --kernels: numbers and where they come from") {
  Shell shell;
  const Ran text = shell.rowan("info --kernels");
  CHECK(text.code == 0);
  CHECK(text.err == "");
  CHECK(contains(text.out, "hash.radix_from"));
  CHECK(contains(text.out, "DCU-nsparse 5.4.2"));
  const Ran json = shell.rowan("info --kernels --json");
  CHECK(json.code == 0);
  const auto tables = json.json();
  REQUIRE(tables.is_array());
  REQUIRE_FALSE(tables.empty());
  for (const auto& table : tables) {
    CHECK(contains(text.out, table["architecture"].get<std::string>()));
    CHECK(number(table, "sort.block")["value"].is_number_integer());
    CHECK(number(table, "hash.full_lanes")["value"].is_number_float());
    CHECK(number(table, "launch.largest_first")["value"].is_boolean());
    CHECK(number(table, "sort.networks")["value"][0].size() == 2);
    std::set<std::string> names;
    for (const auto& one : table["numbers"]) {
      CHECK(names.insert(one["name"].get<std::string>()).second);
      CHECK(one["source"] != "");
    }
    CHECK(names.size() > 80);
  }
}

TEST_CASE("rowan info --kernels: a build without a device shows the measured table") {
  Shell shell;
  const auto backends = shell.rowan("info --json").json()["backends"];
  if (backends.size() > 1) return;
  const auto tables = shell.rowan("info --kernels --json").json();
  REQUIRE(tables.size() == 1);
  CHECK(tables[0]["backend"].is_null());
  CHECK(tables[0]["architecture"] == "sm_90");
  CHECK(number(tables[0], "rank.wide_block")["value"] == nlohmann::json{512, 262144});
  CHECK(number(tables[0], "hash.tried")["value"] == nlohmann::json{49151, 24575, 12287});
  CHECK(contains(shell.rowan("info --kernels").out, "no device backend in this build, sm_90"));
}

}  // namespace rowan::test
