// Words that sources may not have.
#include <regex>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "tests/layout/sources.hpp"

namespace rowan::test {
namespace {

/// Lines of a text in which the pattern is found, each with its number.
std::string lines_with(const std::string& text, const std::regex& pattern) {
  std::istringstream in(text);
  std::string found;
  int number = 0;
  for (std::string line; std::getline(in, line);)
    if (number++; std::regex_search(line, pattern)) found += std::to_string(number) + ": " + line + "\n";
  return found;
}

void check_without(std::initializer_list<const char*> folders, const std::regex& pattern) {
  for (const char* folder : folders)
    for (const Source& source : sources_in(folder))
      CHECK_MESSAGE(lines_with(source.text, pattern).empty(), source.path, ":", lines_with(source.text, pattern));
}

// The pipelines know accumulators by what they declare, not by name.
const std::regex kAccumulatorsName(R"re("(sort|hash|dense-window|direct)"|OnDevice::kName)re");
// Records of rows are structs: no arithmetic on four numbers a row.
const std::regex kRecordArithmetic(R"re(\b4 \* (row|r|i)\b(?!\.)|\[4 \* |\b(row|r|i) \* 4\b)re");
// Kernels are chosen by type.
const std::regex kChosenBySize(R"re(sizeof\(\w+\) [!=]= sizeof\((float|double)\))re");
// CTest gets lists of names, which a semicolon cuts: what is left names no case, and that passes.
const std::regex kCutName(R"re(TEST_CASE\w*\("[^"]*;|^ +"[^"]*;[^"]*"\) \{)re");

}  // namespace

TEST_CASE("the pipelines name no accumulator") {
  check_without({"lib"}, kAccumulatorsName);
}

TEST_CASE("records of rows are structs") {
  check_without({"lib", "features", "accumulators"}, kRecordArithmetic);
}

TEST_CASE("no kernel is chosen by its value's size") {
  check_without({"lib", "features", "accumulators", "models"}, kChosenBySize);
}

TEST_CASE("no test has a name that CTest cuts") {
  check_without({"tests"}, kCutName);
}

TEST_CASE("the patterns find what they are for") {
  CHECK_NE(lines_with("x\nif (name == \"hash\") {", kAccumulatorsName), "");
  CHECK_NE(lines_with("candidate_named(sort::MergeOnDevice::kName)", kAccumulatorsName), "");
  CHECK_EQ(lines_with("\"hash-registers\"", kAccumulatorsName), "");
  CHECK_NE(lines_with("lo = facts[4 * row + 1];", kRecordArithmetic), "");
  CHECK_NE(lines_with("const int* f = facts + 4 * row;", kRecordArithmetic), "");
  CHECK_EQ(lines_with("return 4 * row.nprod;", kRecordArithmetic), "");
  CHECK_NE(lines_with("if constexpr (sizeof(T) == sizeof(float))", kChosenBySize), "");
  CHECK_EQ(lines_with("header.value_bytes == sizeof(double)", kChosenBySize), "");
  const std::string name = "TEST_CASE", begin = "(\"one", end = " two\") {";
  CHECK_NE(lines_with(name + begin + ";" + end, kCutName), "");
  CHECK_NE(lines_with(name + "(\n    \"one;" + end, kCutName), "");
  CHECK_EQ(lines_with(name + begin + "," + end + "\n  f(\"a;b\");", kCutName), "");
}

}  // namespace rowan::test
