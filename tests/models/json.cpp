#include "models/json.hpp"

#include <string>

#include <doctest/doctest.h>

#include "tests/lib/io/errors.hpp"

namespace rowan::test {

TEST_CASE("json: values, members and lists in order") {
  const JsonText text(
      R"({"a": [1, 2.5, [3], "x\n"], "b": {"c": null, "d": true}, "a2": -7, "c": 9, "c": 18446744073709551615})", "F");
  const Json root = text.root();
  CHECK(root.is_object());
  CHECK_EQ(root.size(), 5);
  const Json a = *root.find("a");
  CHECK(a.is_array());
  CHECK_EQ(a.size(), 4);
  std::string all;
  for (const Json value : a) all += value.shown() + ";";
  CHECK_EQ(all, "1;2.5;a list;\"x?\";");
  CHECK_EQ((*a.begin()).whole(), 1);
  CHECK_EQ((*a.begin()).number(), 1.0);
  CHECK_EQ(root.find("a2")->whole(), -7);
  CHECK_EQ(root.find("b")->find("d")->shown(), "true");
  CHECK_EQ(root.find("b")->shown(), "an object");
  CHECK_FALSE(root.find("d").has_value());  // a member of a member
  CHECK_FALSE(a.find("a").has_value());
  CHECK(root.find("c")->is_number());  // the last of two, and beyond int64
  CHECK_FALSE(root.find("c")->is_whole());
}

TEST_CASE("json: what is wrong is told with its place") {
  const auto refusal = [](const std::string& text) { return error_of([&] { const JsonText json(text, "F"); }); };
  CHECK_EQ(refusal("{\"a\": 1,\n \"b\" 2}"), "parse: F: not JSON: line 2, column 6: unexpected");
  CHECK_EQ(refusal("{\"a\": [1,"), "parse: F: not JSON: line 1, column 10: it breaks off");
  CHECK_EQ(refusal(""), "parse: F: not JSON: line 1, column 1: it breaks off");
  CHECK_EQ(refusal("1e999"), "parse: F: not JSON: line 1, column 5: a number that is too large");
}

}  // namespace rowan::test
