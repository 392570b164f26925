// All that the format allows, against matrices written out by hand.
#include <cmath>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/lib/io/matrices.hpp"

namespace rowan::test {
namespace {

Plain read_text(const std::string& text) {
  const Folder folder;
  return plain(read_matrix(folder.file("m.mtx", text)));
}

double value_of(const std::string& token, const std::string& field = "real") {
  return read_text("%%MatrixMarket matrix coordinate " + field + " general\n1 1 1\n1 1 " + token + "\n").val.at(0);
}

// | 1.5  .  -2 |
// |  .   4   . |

}  // namespace

TEST_CASE("read: real, double and integer coordinates") {
  CHECK(read_text("%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1.5\n1 3 -2\n2 2 4\n") == kSmall);
  CHECK(read_text("%%MatrixMarket matrix coordinate double general\n2 3 3\n1 1 1.5\n1 3 -2\n2 2 4\n") == kSmall);
  CHECK(read_text("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 -7\n2 1 +8\n") ==
        Plain{2, 2, {0, 1, 2}, {1, 0}, {-7, 8}});
}

TEST_CASE("read: the banner in any case and with any blanks") {
  CHECK(read_text("%%matrixmarket\tMATRIX  Coordinate REAL General \t\n2 3 3\n1 1 1.5\n1 3 -2\n2 2 4\n") == kSmall);
}

TEST_CASE("read: comments, blank lines, tabs, leading blanks, CRLF, leading plus, no newline at the end") {
  const std::string banner = "%%MatrixMarket matrix coordinate real general";
  CHECK(read_text(banner + "\n% c\n%\n\n  \n\t% c\n2 3 3\n1 1 1.5\n1 3 -2\n2 2 4\n") == kSmall);
  CHECK(read_text(banner + "\n2 3 3\n% c\n1 1 1.5\n\n \t\n1 3 -2\n %1 1 1\n2 2 4\n\n% end") == kSmall);
  CHECK(read_text(banner + "\n\t2\t 3\t3\t\n   1\t1 \t 1.5 \n\t1 3 -2\t\n2 2 4   \n") == kSmall);
  CHECK(read_text(banner + "\r\n% c\r\n\r\n2 3 3\r\n1 1 1.5\r\n1 3 -2\r\n\r\n2 2 4\r\n") == kSmall);
  CHECK(read_text(banner + "\n+2 +3 +3\n+1 +1 +1.5\n+1 +3 -2\n+2 +2 +4.0\n") == kSmall);
  CHECK(read_text(banner + "\n2 3 3\n1 1 1.5\n1 3 -2\n2 2 4") == kSmall);
  CHECK(read_text(banner + "\n002 3 00000000000000000000000003\n0001 1 1.5\n1 3 -2\n2 2 00000000000000000000004\n") ==
        kSmall);
}

TEST_CASE("read: rows keep the file's order, duplicates and zeros stay") {
  CHECK(read_text("%%MatrixMarket matrix coordinate real general\n3 3 6\n3 2 1\n1 3 2\n1 1 3\n3 2 4\n1 3 5\n3 1 0\n") ==
        Plain{3, 3, {0, 3, 3, 6}, {2, 0, 2, 1, 1, 0}, {2, 3, 5, 1, 4, 0}});
}

TEST_CASE("read: patterns have the value 1") {
  CHECK(read_text("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n2 1\n1 2\n") ==
        Plain{2, 2, {0, 1, 2}, {1, 0}, {1, 1}});
}

TEST_CASE("read: symmetric coordinates are expanded, each mirror right behind its entry") {
  //  1  2  .
  //  2  .  3
  //  .  3  4
  CHECK(read_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n2 1 2\n3 2 3\n3 3 4\n") ==
        Plain{3, 3, {0, 2, 4, 6}, {0, 1, 0, 2, 1, 2}, {1, 2, 2, 3, 3, 4}});
  CHECK(read_text("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n") ==
        Plain{2, 2, {0, 1, 2}, {1, 0}, {1, 1}});
}

TEST_CASE("read: skew-symmetric coordinates are expanded with the other sign") {
  CHECK(read_text("%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n3 1 -5\n2 1 0\n") ==
        Plain{3, 3, {0, 2, 3, 4}, {2, 1, 0, 0}, {5, -0.0, 0, -5}});
}

TEST_CASE("read: arrays stand column by column and keep their zeros") {
  CHECK(read_text("%%MatrixMarket matrix array real general\n2 3\n1\n0\n3\n4\n5\n-6\n") ==
        Plain{2, 3, {0, 3, 6}, {0, 1, 2, 0, 1, 2}, {1, 3, 5, 0, 4, -6}});
  CHECK(read_text("%%MatrixMarket matrix array integer general\n% c\n1 2\n7\n\n8") ==
        Plain{1, 2, {0, 2}, {0, 1}, {7, 8}});
}

TEST_CASE("read: symmetric arrays hold the lower triangle, skew-symmetric ones what is below the diagonal") {
  //  1  2  3
  //  2  4  5
  //  3  5  6
  CHECK(read_text("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n") ==
        Plain{3, 3, {0, 3, 6, 9}, {0, 1, 2, 0, 1, 2, 0, 1, 2}, {1, 2, 3, 2, 4, 5, 3, 5, 6}});
  //  . -1 -2
  //  1  . -3
  //  2  3  .
  CHECK(read_text("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n") ==
        Plain{3, 3, {0, 2, 4, 6}, {1, 2, 0, 2, 0, 1}, {-1, -2, 1, -3, 2, 3}});
}

TEST_CASE("read: matrices without entries, rows or columns") {
  CHECK(read_text("%%MatrixMarket matrix coordinate real general\n2 3 0\n") == Plain{2, 3, {0, 0, 0}, {}, {}});
  CHECK(read_text("%%MatrixMarket matrix coordinate real general\n0 0 0") == Plain{0, 0, {0}, {}, {}});
  CHECK(read_text("%%MatrixMarket matrix array real general\n0 4\n") == Plain{0, 4, {0}, {}, {}});
  CHECK(read_text("%%MatrixMarket matrix array real general\n1 0\n") == Plain{1, 0, {0, 0}, {}, {}});
  CHECK(read_text("%%MatrixMarket matrix array real skew-symmetric\n1 1\n") == Plain{1, 1, {0, 0}, {}, {}});
}

TEST_CASE("read: an empty matrix of the largest size costs no memory") {
  const Folder folder;
  const Csr<double> matrix =
      read_matrix(folder.file("m.mtx", "%%MatrixMarket matrix coordinate real general\n2147483647 2147483647 0\n"));
  CHECK(matrix.rows() == 2147483647);
  CHECK(matrix.cols() == 2147483647);
  CHECK(matrix.nnz() == 0);
}

TEST_CASE("read: numbers are rounded to the nearest double") {
  using Limits = std::numeric_limits<double>;
  CHECK(value_of("1.7976931348623157e308") == Limits::max());
  CHECK(value_of("4.9406564584124654e-324") == Limits::denorm_min());
  CHECK(value_of("2.2250738585072014E-308") == Limits::min());
  CHECK(value_of("1e-999") == 0);
  CHECK(value_of("5.") == 5);
  CHECK(value_of("-.5") == -0.5);
  CHECK(value_of("1e+2") == 100);
  CHECK(value_of("9007199254740993") == 9007199254740992);  // halfway, to even
  CHECK(value_of("9007199254740993.00000000000000000000000000001") == 9007199254740994);
  CHECK(value_of("inf") == Limits::infinity());
  CHECK(value_of("-Infinity") == -Limits::infinity());
  CHECK(value_of("+INF") == Limits::infinity());
  CHECK(std::isnan(value_of("NaN")));
  CHECK(std::signbit(value_of("-0")));
}

TEST_CASE("read: integers beyond int64 are rounded to the nearest double") {
  CHECK(value_of("-9223372036854775808", "integer") == -9223372036854775808.0);
  CHECK(value_of("100000000000000000000", "integer") == 1e20);
  CHECK(value_of("999999999999999999", "integer") == 1e18);
  CHECK(value_of("-12", "integer") == -12);
}

}  // namespace rowan::test
