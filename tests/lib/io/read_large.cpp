// Texts long enough to be cut into many chunks: nothing may depend on where the cuts are or on who parses what.
#include <algorithm>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/lib/io/matrices.hpp"
#include "tests/lib/io/threads.hpp"

namespace rowan::test {
namespace {

constexpr int kEntries = 400'000;
constexpr int kRows = 1000;

/// Entry k, counted from 1: in row 1 + 7 k mod 1000, column k, value k / 4.
std::string line(int k) {
  return std::to_string(1 + 7LL * k % kRows) + " " + std::to_string(k) + " " + std::to_string(k / 4) +
         std::string(k % 4 == 0   ? ""
                     : k % 4 == 1 ? ".25"
                     : k % 4 == 2 ? ".5"
                                  : ".75") +
         "\n";
}

std::string long_text(int promised, int from_line = 0, const std::string& instead = "", int twice = 0) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n";
  text += std::to_string(kRows) + " " + std::to_string(kEntries) + " " + std::to_string(promised) + "\n";
  for (int k = 1; k <= kEntries; ++k) text += k == from_line || k == twice ? instead : line(k);
  return text;
}

Plain read_with(int threads, const std::string& path) {
  return with_threads(threads, [&] { return plain(read_matrix(path)); });
}

}  // namespace

TEST_CASE("read: a long text becomes the matrix it spells, with any number of threads") {
  const Folder folder;
  const std::string path = folder.file("m.mtx", long_text(kEntries));
  const Plain matrix = read_with(1, path);
  REQUIRE(matrix.val.size() == kEntries);
  bool right = true;
  for (int row = 0; row != kRows; ++row) {
    const std::int64_t begin = matrix.row_ptr[static_cast<std::size_t>(row)];
    const std::int64_t end = matrix.row_ptr[static_cast<std::size_t>(row) + 1];
    right = right && end - begin == kEntries / kRows;  // 7 and 1000 have no common factor
    for (std::int64_t i = begin; i != end; ++i) {
      const int k = matrix.col[static_cast<std::size_t>(i)] + 1;
      right = right && 7LL * k % kRows == row && matrix.val[static_cast<std::size_t>(i)] == 0.25 * k;
      right = right && (i == begin || matrix.col[static_cast<std::size_t>(i) - 1] < k - 1);
    }
  }
  CHECK(right);
  for (const int threads : {2, 3, 8}) CHECK(read_with(threads, path) == matrix);
}

TEST_CASE("read: a long symmetric text keeps the file's order too") {
  constexpr int kSize = 150'000;
  std::string text = "%%MatrixMarket matrix coordinate pattern symmetric\n150000 150000 149999\n";
  for (int row = kSize; row > 1; --row) text += std::to_string(row) + " " + std::to_string(row - 1) + "\n";
  const Folder folder;
  const std::string path = folder.file("m.mtx", text);
  const Plain matrix = read_with(1, path);
  CHECK(matrix.val.size() == 2 * (kSize - 1));
  CHECK(matrix.row_ptr[2] == 3);
  CHECK(matrix.col[1] == 2);  // row 1, whose entry (3, 2) stands before (2, 1)
  CHECK(matrix.col[2] == 0);
  for (const int threads : {2, 5}) CHECK(read_with(threads, path) == matrix);
}

TEST_CASE("read: a long array is placed across chunks") {
  constexpr int kSide = 700;
  std::string text = "%%MatrixMarket matrix array integer symmetric\n700 700\n";
  for (int col = 0; col != kSide; ++col)
    for (int row = col; row != kSide; ++row) text += std::to_string(1000 * row + col) + "\n";
  const Folder folder;
  const Plain matrix = read_with(4, folder.file("m.mtx", text));
  REQUIRE(matrix.val.size() == kSide * kSide);
  bool right = true;
  for (int i = 0; i != kSide * kSide; ++i) {
    const int row = i / kSide, col = matrix.col[static_cast<std::size_t>(i)];
    right = right && matrix.val[static_cast<std::size_t>(i)] == 1000 * std::max(row, col) + std::min(row, col);
  }
  CHECK(right);
}

TEST_CASE("read: of several faults the first of the file is reported, with its line") {
  const Folder folder;
  const std::string path = folder.file("m.mtx", long_text(kEntries, 123'456, "1 bad 1\n", 390'000));
  for (const int threads : {1, 2, 8}) {
    CHECK(with_threads(threads, [&] { return read_error(path); }) ==
          "parse: " + path + ":123458: expected a column, found 'bad'");
  }
}

TEST_CASE("read: an entry too many is reported before a fault behind it, a fault before it first") {
  const Folder folder;
  const std::string behind = folder.file("behind.mtx", long_text(300'000, 390'000, "bad\n"));
  CHECK(read_error(behind) == "parse: " + behind + ":300003: '8' follows the 300000 entries that line 2 promises");
  const std::string before = folder.file("before.mtx", long_text(300'000, 290'000, "bad\n"));
  CHECK(read_error(before) == "parse: " + before + ":290002: expected a row, found 'bad'");
  const std::string missing = folder.file("missing.mtx", long_text(400'001));
  CHECK(read_error(missing) ==
        "parse: " + missing + ":400002: the file ends after 400000 of the 400001 entries that line 2 promises");
}

TEST_CASE("read: a comment longer than a chunk, and one that hides entries") {
  const Folder folder;
  std::string text = "%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 1\n%";
  for (int i = 0; i != 500'000; ++i) text += " 1 1 1";
  text += "\n1 1 2\n";
  CHECK(read_with(4, folder.file("m.mtx", text)) == Plain{1, 1, {0, 2}, {0, 0}, {1, 2}});
}

}  // namespace rowan::test
