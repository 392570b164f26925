// No type name means two things: inside lib, features, accumulators and models every name is defined once, nested types
// and those of anonymous namespaces included.
#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "tests/layout/sources.hpp"

namespace rowan::test {
namespace {

/// Names that are defined twice because the two mean the same.
const std::map<std::string, std::string>& twins() {
  static const std::map<std::string, std::string> all{
      {"Arena", "the two schedulers: oneTBB's and plain threads'"},
      {"BRow", "a row of B, on the host and on a device"},
      {"CRow", "a row of C before it is multiplied, on the host and on a device"},
      {"PlusTimes", "sum and product of numbers, and of vectors of them"},
      {"DynamicShared", "shared memory whose size is known at launch, on a device and emulated"},
  };
  return all;
}

/// The words and signs of C++ without comments and the insides of literals; "::" is one sign.
std::vector<std::string> tokens(std::string_view text) {
  std::vector<std::string> all;
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      i = std::min(text.find("*/", i), text.size() - 2) + 2;
    } else if (text.substr(i, 2) == "R\"") {
      const std::size_t open = text.find('(', i);
      const std::string end = ")" + std::string(text.substr(i + 2, open - i - 2)) + "\"";
      i = std::min(text.find(end, open), text.size() - end.size()) + end.size();
    } else if (c == '"' || (c == '\'' && (i == 0 || !word(text[i - 1])))) {  // not 1'000
      for (i++; i < text.size() && text[i] != c && text[i] != '\n'; i++)
        if (text[i] == '\\') i++;
      i++;
    } else if (word(c)) {
      const std::size_t from = i;
      while (i < text.size() && word(text[i])) i++;
      all.emplace_back(text.substr(from, i - from));
    } else {
      const std::size_t length = text.substr(i, 2) == "::" ? 2 : 1;
      if (std::isspace(static_cast<unsigned char>(c)) == 0) all.emplace_back(text.substr(i, length));
      i += length;
    }
  }
  return all;
}

/// Behind what stands in brackets from `at`, if anything does.
std::size_t skip_brackets(const std::vector<std::string>& t, std::size_t at, const char* open, const char* close) {
  if (at >= t.size() || t[at] != open) return at;
  int depth = 0;
  do {
    depth += t[at] == open ? 1 : t[at] == close ? -1 : 0;
    at++;
  } while (depth > 0 && at < t.size());
  return at;
}

/// The types that a text defines. Declarations, specialisations and parameters of templates are none.
std::vector<std::string> defined_types(std::string_view text) {
  const std::vector<std::string> t = tokens(text);
  std::vector<std::string> names;
  const auto is = [&](std::size_t at, std::string_view what) { return at < t.size() && t[at] == what; };
  for (std::size_t i = 0; i < t.size(); i++) {
    if (t[i] != "struct" && t[i] != "class" && t[i] != "union" && t[i] != "enum") continue;
    std::size_t at = i + 1;
    if (t[i] == "enum" && (is(at, "class") || is(at, "struct"))) i = at++;
    for (std::size_t before = 0; before != at;) {
      before = at;
      at = skip_brackets(t, at, "[", "]");
      if (is(at, "alignas") || is(at, "__align__") || is(at, "__attribute__")) at = skip_brackets(t, at + 1, "(", ")");
    }
    std::string name;
    for (bool more = true; more && at < t.size() && std::isalpha(static_cast<unsigned char>(t[at][0])) != 0;) {
      name += t[at++];
      if ((more = is(at, "::"))) name += t[at++];
    }
    if (is(at, "final")) at++;
    if (is(at, ":"))
      while (at < t.size() && t[at] != "{" && t[at] != ";") at++;
    if (!name.empty() && is(at, "{")) names.push_back(name);
  }
  return names;
}

/// Whether a twin may stand in these files: once on each side.
bool both_sides(const std::vector<std::string>& files) {
  return files.size() == 2 && files[0] != files[1];
}

}  // namespace

TEST_CASE("no type name is defined twice") {
  std::map<std::string, std::vector<std::string>> files;
  for (const char* folder : {"lib", "features", "accumulators", "models"})
    for (const Source& source : sources_in(folder))
      for (const std::string& name : defined_types(source.text)) files[name].push_back(source.path);
  CHECK_GT(files.size(), 150U);
  for (const auto& [name, in] : files) {
    std::string list;
    for (const std::string& file : in) list += " " + file;
    const bool once = in.size() == 1 || (twins().contains(name) && both_sides(in));
    CHECK_MESSAGE(once, name, " is defined in", list);
  }
  for (const auto& [name, why] : twins())
    CHECK_MESSAGE(files[name].size() == 2, name, " has no twin any more: take it off the list");
}

TEST_CASE("definitions are told from declarations, specialisations and parameters") {
  using Names = std::vector<std::string>;
  CHECK_EQ(defined_types("struct A { int x; }; class B final : public A {};"), Names{"A", "B"});
  CHECK_EQ(defined_types("enum class C : int { a }; enum D { b }; union E { int i; };"), Names{"C", "D", "E"});
  CHECK_EQ(defined_types("struct A { struct Inner {}; }; namespace { struct Hidden {}; }"),
           Names{"A", "Inner", "Hidden"});
  CHECK_EQ(defined_types("struct alignas(16) F {}; struct [[nodiscard]] G {}; struct Context::Impl {};"),
           Names{"F", "G", "Context::Impl"});
  CHECK_EQ(defined_types("struct A; template <class T, class U = int> struct B { class A* a; };"), Names{"B"});
  CHECK_EQ(defined_types("template <> struct A<int> {}; enum class C : int; enum class D : int { a };"), Names{"D"});
  CHECK_EQ(defined_types("// struct A {}\n/* struct B {} */ auto s = \"struct C {\"; auto n = 1'000; struct D {};"),
           Names{"D"});
  CHECK_EQ(defined_types("struct stat status {};"), Names{});
  CHECK_EQ(defined_types("auto s = R\"(struct A {)\"; char c = '\"'; struct B {};"), Names{"B"});
}

}  // namespace rowan::test
