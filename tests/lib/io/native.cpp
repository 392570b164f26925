// Rowan's own form, laid out by hand.
#include "lib/io/native.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <zlib.h>

#include "lib/io/gzip.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/lib/io/matrices.hpp"

namespace rowan::test {
namespace {

struct NativeParts {
  std::uint32_t version = 2, value_bytes = 8;
  std::int64_t rows = 2, cols = 3, nnz = 3;
  std::vector<std::int64_t> row_ptr{0, 2, 3};
  std::vector<Column> col{0, 2, 1};
  std::vector<double> val{1.5, -2, 4};
  std::vector<float> narrow = {};
  std::uint32_t damage = 0;

  [[nodiscard]] std::string bytes() const {
    std::string file = "\x93ROWAN\r\n";
    uLong crc = 0;
    const auto put = [&](const void* from, std::size_t n) { file.append(static_cast<const char*>(from), n); };
    const auto section = [&](const auto& v) {
      const auto n = v.size() * sizeof(v[0]);
      if (n == 0) return;
      file.resize((file.size() + 4095) / 4096 * 4096);
      crc = crc32_z(crc, reinterpret_cast<const Bytef*>(v.data()), n);
      put(v.data(), n);
    };
    put(&version, 4), put(&value_bytes, 4), put(&rows, 8), put(&cols, 8), put(&nnz, 8);
    file.resize(48);
    crc = crc32_z(0, reinterpret_cast<const Bytef*>(file.data()), file.size());
    section(row_ptr), section(col), section(val), section(narrow);
    const auto sum = static_cast<std::uint32_t>(crc) ^ damage;
    std::memcpy(file.data() + 40, &sum, 4);
    return file;
  }
};

std::string native_error(const std::string& bytes) {
  const Folder folder;
  const std::string path = folder.file("f", bytes);
  std::string error = read_error(path);
  if (const auto at = error.find(path); at != std::string::npos) error.replace(at, path.size(), "f");
  return error;
}

}  // namespace

TEST_CASE("native: files laid out by hand are read: double, float, pattern") {
  const Folder folder;
  CHECK(plain(read_matrix(folder.file("any-name", NativeParts{}.bytes()))) == kSmall);
  CHECK(plain(read_matrix(
            folder.file("float", NativeParts{.value_bytes = 4, .val = {}, .narrow = {1.5, -2, 4}}.bytes()))) == kSmall);
  CHECK(plain(read_matrix(folder.file("pattern", NativeParts{.value_bytes = 0, .val = {}}.bytes()))) ==
        Plain{2, 3, {0, 2, 3}, {0, 2, 1}, {1, 1, 1}});
  CHECK(plain(read_matrix(
            folder.file("empty", NativeParts{.nnz = 0, .row_ptr = {0, 0, 0}, .col = {}, .val = {}}.bytes()))) ==
        Plain{2, 3, {0, 0, 0}, {}, {}});
}

TEST_CASE("native: no byte of the header can change without being noticed") {
  const std::string good = NativeParts{}.bytes();
  for (std::size_t i = 0; i != 48; ++i) {
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    CHECK_MESSAGE(native_error(changed) != "no error", i);
  }
  std::string wider = good;
  wider[24] = 9;  // columns: still a matrix
  CHECK(native_error(wider).starts_with("parse: f: the checksum is "));
}

TEST_CASE("native: what cannot be mapped is read") {
  const Folder folder;
  const std::string narrow = NativeParts{.value_bytes = 4, .val = {}, .narrow = {1.5, -2, 4}}.bytes();
  CHECK(plain(read_matrix(folder.file("float.gz", io::gzip_member(narrow).view()))) == kSmall);
  CHECK(plain(read_matrix(folder.file("double.gz", io::gzip_member(NativeParts{}.bytes()).view()))) == kSmall);
}

TEST_CASE("native: what is written is the layout, byte by byte, all ones become a pattern") {
  const Folder folder;
  write_matrix(folder.path("m.rowan"), kSmall.view());
  CHECK(content(folder.path("m.rowan")) == NativeParts{}.bytes());
  Plain ones = kSmall;
  ones.val = {1, 1, 1};
  write_matrix(folder.path("ones"), ones.view(), Format::rowan);
  CHECK(content(folder.path("ones")) == NativeParts{.value_bytes = 0, .val = {}}.bytes());
  const std::vector<std::int32_t> narrow{0, 2, 3};
  CsrView<double> view = kSmall.view();
  view.row_ptr = std::span(narrow);
  write_matrix(folder.path("narrow.rowan"), view);
  CHECK(content(folder.path("narrow.rowan")) == NativeParts{}.bytes());
}

TEST_CASE("native: values of a mapped matrix may be changed, the file stays, and may be replaced") {
  const Folder folder;
  const std::string path = folder.file("m.rowan", NativeParts{}.bytes());
  Csr<double> matrix = read_matrix(path);
  matrix.val()[0] = 7;
  CHECK(content(path) == NativeParts{}.bytes());
  CHECK(plain(read_matrix(path)) == kSmall);
  write_matrix(path, matrix);
  CHECK(read_matrix(path).val()[0] == 7);
  CHECK(matrix.val()[1] == -2);
}

TEST_CASE("native: a file of several names is not mapped: replacing it writes into it") {
  const Folder folder;
  const std::string path = folder.file("m.rowan", NativeParts{}.bytes());
  std::filesystem::create_hard_link(path, folder.path("other.rowan"));
  const Csr<double> matrix = read_matrix(path);
  const Plain empty{0, 0, {0}, {}, {}};
  write_matrix(path, empty.view());
  CHECK(plain(matrix) == kSmall);
  CHECK(plain(read_matrix(folder.path("other.rowan"))) == empty);
}

TEST_CASE("native: broken files and the whole message that says so") {
  const std::string good = NativeParts{}.bytes();
  CHECK(native_error(good.substr(0, 47)) == "parse: f: rowan's binary form starts with 48 bytes, the file has 47");
  CHECK(native_error(good.substr(0, good.size() - 1)) ==
        "parse: f: rowan's binary form of 2 rows and 3 entries takes 12312 bytes, the file has 12311");
  CHECK(native_error(good + "x") ==
        "parse: f: rowan's binary form of 2 rows and 3 entries takes 12312 bytes, the file has 12313");
  for (const std::uint32_t version : {0U, 1U, 3U})
    CHECK(native_error(NativeParts{.version = version}.bytes()) ==
          "unsupported: f: rowan's binary form, version " + std::to_string(version) +
              "; this rowan reads version 2: make the file again");
  CHECK(native_error(NativeParts{.value_bytes = 2}.bytes()) == "parse: f: values of 2 bytes, expected 0, 4 or 8");
  CHECK(native_error(NativeParts{.rows = -1}.bytes()) == "parse: f: -1 rows, expected 0 or more");
  CHECK(native_error(NativeParts{.cols = 1LL << 31}.bytes()) ==
        "overflow: f: 2147483648 columns exceed the limit of 2147483647");
  CHECK(native_error(NativeParts{.nnz = INT64_MAX}.bytes()) ==
        "overflow: f: 9223372036854775807 entries exceed the limit of 281474976710656");
  CHECK(native_error(NativeParts{.nnz = 1LL << 48}.bytes())
            .starts_with("parse: f: rowan's binary form of 2 rows and 2814"));
  CHECK(native_error(NativeParts{.damage = 1}.bytes()).starts_with("parse: f: the checksum is "));
  CHECK(native_error(NativeParts{.row_ptr = {1, 2, 3}}.bytes()) == "parse: f: row pointers start at 1, expected 0");
  CHECK(native_error(NativeParts{.row_ptr = {0, 4, 3}}.bytes()) == "parse: f: row 1 ends at 3, before it starts at 4");
  CHECK(native_error(NativeParts{.row_ptr = {0, 2, 2}}.bytes()) == "parse: f: row pointers end at 2, expected 3");
  CHECK(native_error(NativeParts{.col = {0, 3, 1}}.bytes()) == "parse: f: row 0 has column 3, expected 0..2");
}

}  // namespace rowan::test
