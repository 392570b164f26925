#include "lib/io/npz.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "lib/io/npy.hpp"
#include "lib/io/zip.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/lib/io/matrices.hpp"

#ifdef ROWAN_HAVE_ZIP
namespace rowan::test {
namespace {

template <class T>
std::string list(const char* type, const std::vector<T>& elements) {
  return io::npy_header(type, std::ssize(elements)) +
         std::string(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T));
}

using Members = std::vector<std::pair<std::string, std::string>>;

/// csr of [1.5 0 -2; 0 4 0]; members with the same names replace these.
std::string archive(const Members& other = {}) {
  Members all{{"indices", list<std::int32_t>("<i4", {0, 2, 1})},
              {"indptr", list<std::int32_t>("<i4", {0, 2, 3})},
              {"format", io::npy_header("|S3", -1) + "csr"},
              {"shape", list<std::int64_t>("<i8", {2, 3})},
              {"data", list<double>("<f8", {1.5, -2, 4})}};
  for (const auto& [name, bytes] : other) {
    bool found = false;
    for (auto& [known, old] : all)
      if (known == name) old = bytes, found = true;
    if (!found) all.emplace_back(name, bytes);
  }
  io::ZipWriter zip("made");
  for (const auto& [name, bytes] : all)
    if (!bytes.empty()) zip.add(name + ".npy", bytes);
  return std::string(zip.finish().view());
}

std::string fault(const std::string& bytes) {
  return error_of([&] { static_cast<void>(io::read_npz(bytes, "f")); });
}

}  // namespace

TEST_CASE("npz: csr, csc and coo of any numbers are read, whatever the file's name") {
  const Folder folder;
  CHECK(plain(read_matrix(folder.file("any-name", archive()))) == kSmall);
  const Members by_columns{{"format", io::npy_header("<U3", -1) + std::string("c\0\0\0s\0\0\0c\0\0\0", 12)},
                           {"indices", list<std::int64_t>("<i8", {0, 1, 0})},
                           {"indptr", list<std::int64_t>("<i8", {0, 1, 2, 3})},
                           {"data", list<float>("<f4", {1.5F, 4, -2})}};
  CHECK(plain(io::read_npz(archive(by_columns), "f")) == kSmall);
  const Members entries{{"format", io::npy_header("|S3", -1) + "coo"},
                        {"row", list<std::int32_t>("<i4", {1, 0, 0})},
                        {"col", list<std::int32_t>("<i4", {1, 0, 2})},
                        {"data", list<std::int8_t>("|i1", {4, 1, -2})}};
  CHECK(plain(io::read_npz(archive(entries), "f")) == Plain{2, 3, {0, 2, 3}, {0, 2, 1}, {1, -2, 4}});
  CHECK(plain(io::read_npz(archive({{"data", list<std::uint8_t>("|b1", {1, 1, 1})}}), "f")) ==
        Plain{2, 3, {0, 2, 3}, {0, 2, 1}, {1, 1, 1}});
}

TEST_CASE("npz: what is written is read back, the same bytes each time") {
  const Folder folder;
  for (const Plain& matrix : {kSmall, Plain{0, 0, {0}, {}, {}}, Plain{3, 2, {0, 0, 0, 0}, {}, {}}}) {
    write_matrix(folder.path("m.npz"), matrix.view());
    CHECK(plain(read_matrix(folder.path("m.npz"))) == matrix);
  }
  write_matrix(folder.path("a.NPZ"), kSmall.view());
  write_matrix(folder.path("b.bin"), kSmall.view(), Format::npz);
  CHECK(content(folder.path("a.NPZ")) == content(folder.path("b.bin")));
}

TEST_CASE("npz: what breaks the form is told with the array's name") {
  CHECK(fault(archive({{"indices", list<std::int32_t>("<i4", {0, 3, 1})}})) ==
        "parse: f: indices: row 0 has column 3, expected 0..2");
  CHECK(fault(archive({{"indices", list<std::int32_t>("<i4", {0, 2})}})) ==
        "parse: f: indices: 2 elements, expected a list of 3");
  CHECK(fault(archive({{"indptr", list<std::int32_t>("<i4", {0, 3, 2})}})) ==
        "parse: f: indptr: row 1 ends at 2, before it starts at 3");
  CHECK(fault(archive({{"shape", list<std::int64_t>("<i8", {2, 3'000'000'000})}})) ==
        "overflow: f: 3000000000 columns exceed the limit of 2147483647");
  CHECK(fault(archive({{"format", io::npy_header("|S3", -1) + "bsr"}})) ==
        "unsupported: f: scipy's form \"bsr\"; csr, csc and coo are read: save A.tocsr() instead");
  CHECK(fault(archive({{"format", ""}})) ==
        "parse: f: has no array \"format\": it is not a sparse matrix of scipy.sparse.save_npz");
  CHECK(fault(archive({{"data", ""}})) == "parse: f: data.npy is missing");
  CHECK(fault(archive({{"data", "no array"}})) == "parse: f: data: not an array of numpy's");
  CHECK(fault(archive({{"data", io::npy_header("<f8", 3) + "short"}})) ==
        "parse: f: data: the array has 5 bytes, which is not what its type and shape ask for");
  CHECK(fault(archive({{"data", io::npy_header("<c16", 3) + std::string(48, '\0')}}))
            .starts_with("unsupported: f: data: elements of numpy's type <c16;"));
  CHECK(fault(archive({{"indices", list<double>("<f8", {0, 2, 1})}})) ==
        "unsupported: f: indices: indices of numpy's type <f8");
}

TEST_CASE("npz: archives that are cut, or changed anywhere, are refused or read as what they were") {
  const std::string whole = archive();
  for (std::size_t n = 0; n < whole.size(); n += 7) CHECK(fault(whole.substr(0, n)).starts_with("parse: f: "));
  for (std::size_t i = 0; i != whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    const std::string said = fault(changed);  // dates and such may change
    if (said == "no error") CHECK(plain(io::read_npz(changed, "f")) == kSmall);
  }
}

}  // namespace rowan::test
#endif
