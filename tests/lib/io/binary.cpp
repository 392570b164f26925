#include "lib/io/binary.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "lib/io/gzip.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/lib/io/matrices.hpp"

namespace rowan::test {
namespace {

/// A file of binary CSR, part by part, right or wrong.
struct Parts {
  std::int64_t rows = 2;
  std::int64_t cols = 3;
  std::int64_t nnz = 3;
  std::vector<std::int32_t> row_ptr{0, 2, 3};
  std::vector<Column> col{0, 2, 1};
  std::vector<double> val{1.5, -2, 4};

  [[nodiscard]] std::string bytes() const {
    std::string file = "CRSR";  // 0x52535243, the lowest byte first
    const auto put = [&](const void* from, std::size_t n) { file.append(static_cast<const char*>(from), n); };
    put(&rows, 8), put(&cols, 8), put(&nnz, 8);
    put(row_ptr.data(), 4 * row_ptr.size()), put(col.data(), 4 * col.size()), put(val.data(), 8 * val.size());
    return file;
  }
};

std::string decode_error(const std::string& bytes) {
  return error_of([&] { static_cast<void>(io::decode_binary(bytes, "f")); });
}

}  // namespace

TEST_CASE("binary: a file laid out by hand is read") {
  const Folder folder;
  CHECK(Parts{}.bytes().size() == 28 + 3 * 4 + 3 * 4 + 3 * 8);
  CHECK(plain(read_matrix(folder.file("any-name", Parts{}.bytes()))) == kSmall);
  CHECK(plain(read_matrix(folder.file("m.bin.gz", io::gzip_member(Parts{}.bytes()).view()))) == kSmall);
}

TEST_CASE("binary: what is written is the layout, byte by byte") {
  const Folder folder;
  write_matrix(folder.path("m.bin"), kSmall.view());
  CHECK(content(folder.path("m.bin")) == Parts{}.bytes());
  write_matrix(folder.path("m.mtx"), kSmall.view(), Format::binary);
  CHECK(content(folder.path("m.mtx")) == Parts{}.bytes());
  write_matrix(folder.path("m.bin.gz"), kSmall.view());
  CHECK(io::inflate_gzip(content(folder.path("m.bin.gz")), "f").view() == Parts{}.bytes());
}

TEST_CASE("binary: 32-bit row pointers are written alike") {
  const std::vector<std::int32_t> narrow{0, 2, 3};
  CsrView<double> view = kSmall.view();
  view.row_ptr = std::span(narrow);
  const Folder folder;
  write_matrix(folder.path("m.bin"), view);
  CHECK(content(folder.path("m.bin")) == Parts{}.bytes());
}

TEST_CASE("binary: matrices without entries, rows or columns") {
  CHECK(plain(io::decode_binary(Parts{2, 3, 0, {0, 0, 0}, {}, {}}.bytes(), "f")) == Plain{2, 3, {0, 0, 0}, {}, {}});
  CHECK(plain(io::decode_binary(Parts{0, 0, 0, {0}, {}, {}}.bytes(), "f")) == Plain{0, 0, {0}, {}, {}});
}

TEST_CASE("binary: a file of another size than its header asks for names both sizes") {
  const std::string bytes = Parts{}.bytes();
  CHECK(decode_error(bytes.substr(0, 27)) == "parse: f: binary CSR starts with 28 bytes, the file has 27");
  CHECK(decode_error(bytes.substr(0, 75)) ==
        "parse: f: binary CSR of 2 rows and 3 entries takes 76 bytes, the file has 75");
  CHECK(decode_error(bytes + '\n') == "parse: f: binary CSR of 2 rows and 3 entries takes 76 bytes, the file has 77");
  CHECK(decode_error(Parts{.rows = 2147483647, .nnz = 2147483647}.bytes()) ==
        "parse: f: binary CSR of 2147483647 rows and 2147483647 entries takes 34359738384 bytes, the file has 76");
}

TEST_CASE("binary: sizes that are negative or too large") {
  CHECK(decode_error(Parts{.rows = -1}.bytes()) == "parse: f: -1 rows, expected 0 or more");
  CHECK(decode_error(Parts{.cols = -7}.bytes()) == "parse: f: -7 columns, expected 0 or more");
  CHECK(decode_error(Parts{.nnz = -3}.bytes()) == "parse: f: -3 entries, expected 0 or more");
  CHECK(decode_error(Parts{.rows = 2147483648}.bytes()) ==
        "overflow: f: 2147483648 rows exceed the limit of 2147483647");
  CHECK(decode_error(Parts{.cols = INT64_MAX}.bytes()) ==
        "overflow: f: 9223372036854775807 columns exceed the limit of 2147483647");
  CHECK(decode_error(Parts{.nnz = 1LL << 40}.bytes()) ==
        "overflow: f: 1099511627776 entries exceed the limit of 2147483647");
}

TEST_CASE("binary: row pointers must start at 0, never fall and end with the entries") {
  CHECK(decode_error(Parts{.row_ptr = {1, 2, 3}}.bytes()) == "parse: f: row pointers start at 1, expected 0");
  CHECK(decode_error(Parts{.row_ptr = {0, 4, 3}}.bytes()) == "parse: f: row 1 ends at 3, before it starts at 4");
  CHECK(decode_error(Parts{.row_ptr = {0, -1, 3}}.bytes()) == "parse: f: row 0 ends at -1, before it starts at 0");
  CHECK(decode_error(Parts{.row_ptr = {0, 2, 2}}.bytes()) == "parse: f: row pointers end at 2, expected 3");
  CHECK(decode_error(Parts{.row_ptr = {0, 2, 4}}.bytes()) == "parse: f: row pointers end at 4, expected 3");
}

TEST_CASE("binary: columns outside the matrix name their row") {
  CHECK(decode_error(Parts{.col = {0, 3, 1}}.bytes()) == "parse: f: row 0 has column 3, expected 0..2");
  CHECK(decode_error(Parts{.col = {0, 2, -1}}.bytes()) == "parse: f: row 1 has column -1, expected 0..2");
  CHECK(decode_error(Parts{.row_ptr = {0, 0, 3}, .col = {9, 2, 1}}.bytes()) ==
        "parse: f: row 1 has column 9, expected 0..2");
}

TEST_CASE("binary: more entries than 32-bit row pointers count cannot be written") {
  // a view that only claims so many; nobody looks at them
  CsrView<double> view = kSmall.view();
  view.col = std::span(view.col.data(), std::size_t{1} << 31);
  CHECK(error_of([&] { io::check_binary_fits(view, "f"); }) ==
        "overflow: f: binary CSR counts up to 2147483647 entries, the matrix has 2147483648");
  CHECK(error_of([] { io::check_binary_fits(kSmall.view(), "f"); }) == "no error");
}

}  // namespace rowan::test
