// What a journal (lib/io/journal.cpp) keeps, whatever is cut off its end.
#include "lib/io/journal.hpp"

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"

namespace rowan::test {
namespace {

constexpr const char* kOrigin = "A is 3 x 3\nB is A\n";
constexpr io::FileMark kFirst{.rows = 10, .col = 4000000000U, .val = 7, .ones = true};
constexpr io::FileMark kSecond{.rows = 2000000000, .col = 1, .val = 0, .ones = false};

std::string written(const Folder& folder) {
  const std::string path = folder.path("j");
  io::Journal journal = io::Journal::begin(path, kOrigin);
  journal.add(kFirst);
  journal.add(kSecond);
  return path;
}

}  // namespace

TEST_CASE("a journal knows its origin and the last mark") {
  const Folder folder;
  CHECK_FALSE(io::read_journal(folder.path("none")));
  const std::string path = folder.path("j");
  {
    const io::Journal fresh = io::Journal::begin(path, kOrigin);
    const auto found = io::read_journal(path);
    REQUIRE(found);
    CHECK_EQ(found->origin, kOrigin);
    CHECK_EQ(found->last, io::FileMark{});
  }
  static_cast<void>(written(folder));
  CHECK_EQ(io::read_journal(path)->last, kSecond);
}

TEST_CASE("of a journal cut anywhere, whole lines count, and the next mark stands behind them") {
  const Folder folder;
  const std::string text = content(written(folder));
  std::size_t began = 0, first = 0, both = 0;
  for (std::size_t n = 0; n <= text.size(); n++) {
    const std::string path = folder.file("cut", text.substr(0, n));
    const auto found = io::read_journal(path);
    if (!found) continue;
    CHECK_EQ(found->origin, kOrigin);
    CHECK_LE(found->bytes, n);
    (found->last == kSecond ? both : found->last == kFirst ? first : began)++;
    io::Journal::go_on(path, *found).add({.rows = 99});
    CHECK_EQ(io::read_journal(path)->last, io::FileMark{.rows = 99});
  }
  CHECK_EQ(both, 1);
  CHECK_GT(first, 10);
  CHECK_GT(began, 10);
}

TEST_CASE("a line that was changed ends what counts") {
  const Folder folder;
  const std::string text = content(written(folder));
  for (std::size_t n = 0; n < text.size(); n++) {
    std::string changed = text;
    changed[n] = static_cast<char>(changed[n] ^ 1);
    const auto found = io::read_journal(folder.file("changed", changed));
    if (found) CHECK((found->origin == kOrigin && (found->last == io::FileMark{} || found->last == kFirst)));
  }
}

}  // namespace rowan::test
