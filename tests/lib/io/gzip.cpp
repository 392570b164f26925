#include "lib/io/gzip.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/lib/io/matrices.hpp"

namespace rowan::test {
namespace {

using io::gzip_member;
using io::inflate_gzip;

// "rowan\n" as gzip(1) stores it: header, one block of fixed codes, CRC-32, length
constexpr std::string_view kRowan{
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x2b\xca\x2f\x4f\xcc\xe3\x02\x00\xf0\x7b\x1c\x48\x06\x00\x00\x00", 26};

std::string member(std::string_view bytes) {
  return std::string(gzip_member(bytes).view());
}
std::string inflated(std::string_view bytes) {
  return std::string(inflate_gzip(bytes, "f").view());
}
std::string inflate_error(std::string_view bytes) {
  return error_of([&] { static_cast<void>(inflate_gzip(bytes, "f")); });
}

/// Bytes that do not compress.
std::string noise(std::size_t n) {
  std::string bytes;
  std::uint32_t state = 1;
  while (bytes.size() != n) state = state * 1664525 + 1013904223, bytes += static_cast<char>(state >> 24);
  return bytes;
}

}  // namespace

TEST_CASE("gzip: inflates what others compressed") {
  CHECK(inflated(kRowan) == "rowan\n");
}

TEST_CASE("gzip: what is compressed inflates to the same") {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{70'000}, std::size_t{3'000'000}}) {
    const std::string bytes = noise(n), zeros(n, '\0');
    CHECK(inflated(member(bytes)) == bytes);
    CHECK(inflated(member(zeros)) == zeros);
  }
}

TEST_CASE("gzip: members one behind the other are one file") {
  CHECK(inflated(std::string(kRowan) + member("") + member("and more") + std::string(kRowan)) ==
        "rowan\nand morerowan\n");
}

TEST_CASE("gzip: data cut off anywhere is truncated") {
  for (std::size_t n = 2; n < kRowan.size(); ++n)
    CHECK(inflate_error(kRowan.substr(0, n)) ==
          "parse: f: gzip data is truncated after " + std::to_string(n) + " bytes");
  CHECK(inflate_error(std::string(kRowan) + std::string(kRowan.substr(0, 12))) ==
        "parse: f: gzip data is truncated after 38 bytes");
}

TEST_CASE("gzip: damaged data is corrupt, other data behind it an error") {
  std::string damaged(kRowan);
  damaged[18] ^= 1;  // the checksum
  CHECK(inflate_error(damaged).starts_with("parse: f: gzip data is corrupt after 2"));
  damaged = kRowan;
  damaged[2] = 7;  // the method, of which only 8 is defined
  CHECK(inflate_error(damaged).starts_with("parse: f: gzip data is corrupt after "));
  CHECK(inflate_error(std::string(kRowan) + "x") == "parse: f: gzip data is followed by something else after 26 bytes");
}

TEST_CASE("gzip: text is told by content, not by name, and lines are those of the text") {
  const Folder folder;
  const std::string text = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2.5\n";
  CHECK(plain(read_matrix(folder.file("no-such-ending", member(text)))) == Plain{1, 1, {0, 1}, {0}, {2.5}});
  CHECK(plain(read_matrix(folder.file("plain.gz", text))) == Plain{1, 1, {0, 1}, {0}, {2.5}});
  const std::string wrong = folder.file("wrong.mtx.gz", member(text + "1 1 1\n"));
  CHECK(read_error(wrong) == "parse: " + wrong + ":4: '1' follows the 1 entries that line 2 promises");
  const std::string empty = folder.file("empty.mtx.gz", member(""));
  CHECK(read_error(empty) == "parse: " + empty + ":1: the file is empty, expected %%MatrixMarket");
  const std::string cut = folder.file("cut.mtx.gz", member(text).substr(0, 30));
  CHECK(read_error(cut) == "parse: " + cut + ": gzip data is truncated after 30 bytes");
  const std::string doubly = folder.file("doubly.mtx.gz", member(member(text)));
  CHECK(read_error(doubly).starts_with("parse: " + doubly + ":1: expected %%MatrixMarket, found '\\x1f\\x8b"));
}

}  // namespace rowan::test
