// Every way in which text can break the format, and the whole message that says so.
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"

namespace rowan::test {
namespace {

using std::string_view_literals::operator""sv;

struct Malformed {
  std::string_view text;
  std::string_view message;  // behind the file's name
  std::string_view code = "parse";
};

constexpr std::string_view kReal = "%%MatrixMarket matrix coordinate real general\n";
constexpr std::string_view kInteger = "%%MatrixMarket matrix coordinate integer general\n";
constexpr std::string_view kPattern = "%%MatrixMarket matrix coordinate pattern general\n";
constexpr std::string_view kSymmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
constexpr std::string_view kSkew = "%%MatrixMarket matrix coordinate real skew-symmetric\n";
constexpr std::string_view kArray = "%%MatrixMarket matrix array real general\n";
constexpr std::string_view kArraySymmetric = "%%MatrixMarket matrix array real symmetric\n";
constexpr std::string_view kArraySkew = "%%MatrixMarket matrix array real skew-symmetric\n";

void check(const Malformed& malformed, std::string_view banner = "") {
  const Folder folder;
  const std::string path = folder.file("m.mtx", std::string(banner) + std::string(malformed.text));
  CAPTURE(malformed.text);
  CHECK(read_error(path) == std::string(malformed.code) + ": " + path + std::string(malformed.message));
}

template <std::size_t n>
void check_all(const Malformed (&table)[n], std::string_view banner = "") {
  for (const Malformed& malformed : table) check(malformed, banner);
}

}  // namespace

TEST_CASE("read: a banner that is none") {
  check_all({
      {"", ":1: the file is empty, expected %%MatrixMarket"},
      {"\n", ":1: expected %%MatrixMarket, found the end of the line"},
      {"1 2 3\n", ":1: expected %%MatrixMarket, found '1'"},
      {"%MatrixMarket matrix coordinate real general\n", ":1: expected %%MatrixMarket, found '%MatrixMarket'"},
      {"%%MatrixMarkets matrix coordinate real general\n", ":1: expected %%MatrixMarket, found '%%MatrixMarkets'"},
      {"\xef\xbb\xbf%%MatrixMarket matrix", ":1: expected %%MatrixMarket, found '\\xef\\xbb\\xbf%%MatrixMarket'"},
      {"\0\1\x7f"sv, ":1: expected %%MatrixMarket, found '\\x00\\x01\\x7f'"},
      {"0123456789012345678901234567890123456789",
       ":1: expected %%MatrixMarket, found '0123456789012345678901234567890123456789'"},
      {"0123456789012345678901234567890123456789x",
       ":1: expected %%MatrixMarket, found '0123456789012345678901234567890123456789...'"},
      {"%%MatrixMarket", ":1: expected matrix, found the end of the line"},
      {"%%MatrixMarket vector coordinate real general\n", ":1: expected matrix, found 'vector'"},
      {"%%MatrixMarket matrix\n1 1 1\n", ":1: expected coordinate or array, found the end of the line"},
      {"%%MatrixMarket matrix sparse real general\n", ":1: expected coordinate or array, found 'sparse'"},
      {"%%MatrixMarket matrix coordinate\n",
       ":1: expected real, integer, double or pattern, found the end of the line"},
      {"%%MatrixMarket matrix coordinate float general\n",
       ":1: expected real, integer, double or pattern, found 'float'"},
      {"%%MatrixMarket matrix coordinate real\n",
       ":1: expected general, symmetric or skew-symmetric, found the end of the line"},
      {"%%MatrixMarket matrix coordinate real diagonal\n",
       ":1: expected general, symmetric or skew-symmetric, found 'diagonal'"},
      {"%%MatrixMarket matrix coordinate real general 7\n", ":1: '7' follows the banner, expected the end of the line"},
      {"%%MatrixMarket matrix array pattern general\n",
       ":1: an array holds values, expected real, integer or double, found 'pattern'"},
      {"%%MatrixMarket matrix coordinate pattern skew-symmetric\n",
       ":1: a pattern has no signs, expected general or symmetric, found 'skew-symmetric'"},
  });
}

TEST_CASE("read: what is valid but not supported is refused by name") {
  check_all({
      {"%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n", ":1: complex matrices are not supported",
       "unsupported"},
      {"%%MatrixMarket matrix coordinate Complex hermitian\n", ":1: complex matrices are not supported", "unsupported"},
      {"%%MatrixMarket matrix array real HERMITIAN\n", ":1: hermitian matrices are not supported", "unsupported"},
  });
}

TEST_CASE("read: sizes that are missing, no numbers or too large") {
  check_all(
      {
          {"", ":1: the file ends before its sizes, expected rows, columns and entries"},
          {"% nothing\n\n%", ":4: the file ends before its sizes, expected rows, columns and entries"},
          {"x 2 3\n", ":2: expected the number of rows, found 'x'"},
          {"2.0 2 3\n", ":2: expected the number of rows, found '2.0'"},
          {"2 2;3\n", ":2: expected the number of columns, found '2;3'"},
          {"2\n2 3\n", ":2: expected the number of columns, found the end of the line"},
          {"% c\n\n2 2\n", ":4: expected the number of entries, found the end of the line"},
          {"2 2 +\n", ":2: expected the number of entries, found '+'"},
          {"2 2 3 4\n", ":2: '4' follows the sizes, expected the end of the line"},
          {"2 2 3 % comment\n", ":2: '%' follows the sizes, expected the end of the line"},
          {"-2 2 3\n", ":2: '-2' rows, expected 0 or more"},
          {"2 -99999999999999999999 3\n", ":2: '-99999999999999999999' columns, expected 0 or more"},
          {"2 2 -1\n", ":2: '-1' entries, expected 0 or more"},
          {"2147483648 2 3\n", ":2: '2147483648' rows exceed the limit of 2147483647", "overflow"},
          {"2 3000000000 3\n", ":2: '3000000000' columns exceed the limit of 2147483647", "overflow"},
          {"2 18446744073709551617 3\n", ":2: '18446744073709551617' columns exceed the limit of 2147483647",
           "overflow"},
          {"2 2 1000000000000000000\n", ":2: '1000000000000000000' entries exceed the limit of 999999999999999999",
           "overflow"},
      },
      kReal);
  check({"3 4 0\n", ":2: a symmetric or skew-symmetric matrix is square, found 3 rows and 4 columns"}, kSymmetric);
  check({"%\n4 3 0\n", ":3: a symmetric or skew-symmetric matrix is square, found 4 rows and 3 columns"}, kSkew);
  check({"% c\n", ":2: the file ends before its sizes, expected rows and columns"}, kArray);
  check({"2 2 4\n", ":2: '4' follows the sizes, expected the end of the line"}, kArray);
}

TEST_CASE("read: more or fewer entries than promised") {
  check_all(
      {
          {"2 2 1\n", ":2: the file ends after 0 of the 1 entries that line 2 promises"},
          {"%\n2 2 3\n1 1 1\n2 2 2\n", ":5: the file ends after 2 of the 3 entries that line 3 promises"},
          {"2 2 2\n1 1 1\n%\n\n", ":5: the file ends after 1 of the 2 entries that line 2 promises"},
          {"2 2 999999999999999999\n1 1 1\n",
           ":3: the file ends after 1 of the 999999999999999999 entries that line 2 promises"},
          {"2 2 1\n1 1 1\n2 2 2\n", ":4: '2' follows the 1 entries that line 2 promises"},
          {"2 2 1\n1 1 1\n%\n\n 2 2 2", ":6: '2' follows the 1 entries that line 2 promises"},
          {"2 2 0\nhello\n", ":3: 'hello' follows the 0 entries that line 2 promises"},
          {"2 2 1\n1 1 1\nend of file\n", ":4: 'end' follows the 1 entries that line 2 promises"},
          {"2 2 1\n1 1 1\n2 1 1\n9 9 9\n", ":4: '2' follows the 1 entries that line 2 promises"},
          {"2 2 1\nx\n1 1 1\n2 2 2\n", ":3: expected a row, found 'x'"},
      },
      kReal);
}

TEST_CASE("read: indices that are no numbers or outside the matrix") {
  check_all(
      {
          {"2 3 1\n0 1 1\n", ":3: row '0' lies outside 1..2"},
          {"2 3 1\n3 1 1\n", ":3: row '3' lies outside 1..2"},
          {"2 3 1\n-1 1 1\n", ":3: row '-1' lies outside 1..2"},
          {"2 3 1\n4294967297 1 1\n", ":3: row '4294967297' lies outside 1..2"},
          {"2 3 1\n18446744073709551617 1 1\n", ":3: row '18446744073709551617' lies outside 1..2"},
          {"2 3 1\n1 0 1\n", ":3: column '0' lies outside 1..3"},
          {"2 3 1\n2 4 1\n", ":3: column '4' lies outside 1..3"},
          {"2 3 1\n2 -3 1\n", ":3: column '-3' lies outside 1..3"},
          {"0 0 1\n1 1 1\n", ":3: row '1' lies outside 1..0"},
          {"2 3 1\n1.0 1 1\n", ":3: expected a row, found '1.0'"},
          {"2 3 1\n+-1 1 1\n", ":3: expected a row, found '+-1'"},
          {"2 3 1\n- 1 1\n", ":3: expected a row, found '-'"},
          {"2 3 1\n1,1,1\n", ":3: expected a row, found '1,1,1'"},
          {"2 3 1\n1\n", ":3: expected a column, found the end of the line"},
          {"2 3 1\n1 1e0 1\n", ":3: expected a column, found '1e0'"},
          {"2 3 1\n1 \x01\n", ":3: expected a column, found '\\x01'"},
      },
      kReal);
}

TEST_CASE("read: values that are no numbers or out of range") {
  check_all(
      {
          {"2 2 1\n1 1\n", ":3: expected a number, found the end of the line"},
          {"2 2 1\n1 1", ":3: expected a number, found the end of the line"},
          {"2 2 2\n1 1\n1 2 1\n", ":3: expected a number, found the end of the line"},
          {"2 2 1\n1 1 one\n", ":3: expected a number, found 'one'"},
          {"2 2 1\n1 1 1,5\n", ":3: expected a number, found '1,5'"},
          {"2 2 1\n1 1 0x10\n", ":3: expected a number, found '0x10'"},
          {"2 2 1\n1 1 1e\n", ":3: expected a number, found '1e'"},
          {"2 2 1\n1 1 1d5\n", ":3: expected a number, found '1d5'"},
          {"2 2 1\n1 1 .\n", ":3: expected a number, found '.'"},
          {"2 2 1\n1 1 +-1\n", ":3: expected a number, found '+-1'"},
          {"2 2 1\n1 1 ++1\n", ":3: expected a number, found '++1'"},
          {"2 2 1\n1 1 infinit\n", ":3: expected a number, found 'infinit'"},
          {"2 2 1\n1 1 nano\n", ":3: expected a number, found 'nano'"},
          {"2 2 1\n1 1 1e999\n", ":3: value '1e999' is out of the range of a double"},
          {"2 2 1\n1 1 -1.8e308\n", ":3: value '-1.8e308' is out of the range of a double"},
          {"2 2 1\n1 1 1 2\n", ":3: '2' follows the entry, expected the end of the line"},
          {"2 2 1\n1 1 1 % note\n", ":3: '%' follows the entry, expected the end of the line"},
          {"2 2 2\n1 1 1\r2 2 2\r", ":3: '2' follows the entry, expected the end of the line"},
          {"2 2 2\n1 1 1 2 2 2\n", ":3: '2' follows the entry, expected the end of the line"},
      },
      kReal);
  check_all(
      {
          {"2 2 1\n1 1 1.5\n", ":3: expected an integer, found '1.5'"},
          {"2 2 1\n1 1 1.0\n", ":3: expected an integer, found '1.0'"},
          {"2 2 1\n1 1 1e3\n", ":3: expected an integer, found '1e3'"},
          {"2 2 1\n1 1 inf\n", ":3: expected an integer, found 'inf'"},
          {"2 2 1\n1 1\n", ":3: expected an integer, found the end of the line"},
      },
      kInteger);
  check({"2 2 1\n1 1 " + std::string(400, '9') + "\n",
         ":3: value '" + std::string(40, '9') + "...' is out of the range of a double"},
        kInteger);
  check({"2 2 1\n1 1 1\n", ":3: '1' follows the entry, expected the end of the line"}, kPattern);
}

TEST_CASE("read: entries in the triangle that is not stored") {
  check({"3 3 2\n1 1 1\n1 2 1\n",
         ":4: entry (1, 2) lies above the diagonal of a symmetric matrix, expected only the lower triangle"},
        kSymmetric);
  check({"3 3 1\n2 3 1\n",
         ":3: entry (2, 3) lies above the diagonal of a skew-symmetric matrix, expected only the lower triangle"},
        kSkew);
  check({"3 3 1\n3 3 0\n",
         ":3: entry (3, 3) lies on the diagonal of a skew-symmetric matrix, expected only entries below it"},
        kSkew);
}

TEST_CASE("read: arrays with other values than their sizes ask for") {
  check({"2 2\n1\n2\n3\n", ":5: the file ends after 3 of the 4 entries that line 2 promises"}, kArray);
  check({"2 1\n1\n2\n3\n", ":5: '3' follows the 2 entries that line 2 promises"}, kArray);
  check({"2 1\n1 2\n", ":3: '2' follows the entry, expected the end of the line"}, kArray);
  check({"2 1\n1\nx\n", ":4: expected a number, found 'x'"}, kArray);
  check(
      {"2147483647 2147483647\n", ":2: the file ends after 0 of the 4611686014132420609 entries that line 2 promises"},
      kArray);
  check({"2 3\n", ":2: a symmetric or skew-symmetric matrix is square, found 2 rows and 3 columns"}, kArraySymmetric);
  check({"2 2\n1\n2\n3\n4\n", ":6: '4' follows the 3 entries that line 2 promises"}, kArraySymmetric);
  check({"3 3\n1\n2\n", ":4: the file ends after 2 of the 3 entries that line 2 promises"}, kArraySkew);
}

TEST_CASE("read: files that cannot be read name the reason") {
  const Folder folder;
  const std::string missing = folder.path("missing.mtx");
  CHECK(read_error(missing) == "io: " + missing + ": cannot be opened: No such file or directory");
  CHECK(read_error(folder.path()) == "io: " + folder.path() + ": cannot be read: Is a directory");
  const std::string below = folder.file("file", "") + "/m.mtx";
  CHECK(read_error(below) == "io: " + below + ": cannot be opened: Not a directory");
}

}  // namespace rowan::test
