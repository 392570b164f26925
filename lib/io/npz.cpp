#include "lib/io/npz.hpp"

#include <bit>
#include <cstring>
#include <limits>

#include "lib/io/assemble.hpp"
#include "lib/io/available_memory.hpp"
#include "lib/io/binary_checks.hpp"
#include "lib/io/npy.hpp"
#include "lib/io/zip.hpp"
#include <rowan/operations.hpp>

namespace rowan::io {

static_assert(std::endian::native == std::endian::little, "arrays are written as memory stands");

namespace {

constexpr std::int64_t kMostRead = std::numeric_limits<std::int32_t>::max();

/// "FILE: indices.npy", and its content.
struct Member {
  std::string name;
  TextBuffer bytes;
  NpyArray array;

  Member(const ZipReader& zip, const std::string& file, const char* what)
      : name(file + ": " + what), bytes(zip.read(std::string(what) + ".npy")), array(parse_npy(bytes.view(), name)) {}

  /// Refuses what is not a list of that many elements.
  void check(std::int64_t size) const {
    if (array.shape.size() != 1 || array.size() != size)
      throw broken(name, std::to_string(array.size()) + " elements, expected a list of " + std::to_string(size));
  }
};

/// "csr", of bytes or of characters, which have four each.
std::string text_in(const NpyArray& array) {
  std::string text;
  for (const char c : array.elements)
    if (c != '\0') text += c;
  return text;
}

Csr<double> compressed(const ZipReader& zip, const std::string& name, std::int64_t rows, std::int64_t cols) {
  const Member indptr(zip, name, "indptr"), indices(zip, name, "indices"), data(zip, name, "data");
  indptr.check(rows + 1);
  indices.check(data.array.size());
  data.check(data.array.size());
  Array<std::int64_t> row_ptr = as_wide(indptr.array, indptr.name);
  check_row_pointers(row_ptr.span(), data.array.size(), indptr.name);
  Array<std::int32_t> col = as_narrow(indices.array, indices.name);
  check_columns(row_ptr.span(), col.span(), cols, indices.name);
  return {rows, cols, std::move(row_ptr), std::move(col), as_doubles(data.array, data.name)};
}

/// Rows or columns of entries, each within its limit.
Array<std::int32_t> places(const ZipReader& zip, const std::string& name, const char* what, std::int64_t limit,
                           std::int64_t n) {
  const Member member(zip, name, what);
  member.check(n);
  Array<std::int32_t> all = as_narrow(member.array, member.name);
  for (std::int64_t i = 0; i != n; ++i)
    if (all[i] < 0 || all[i] >= limit)
      throw broken(member.name, "element " + std::to_string(i) + " is " + std::to_string(all[i]) + ", expected 0.." +
                                    std::to_string(limit - 1));
  return all;
}

Csr<double> coordinates(const ZipReader& zip, const std::string& name, std::int64_t rows, std::int64_t cols) {
  const Member data(zip, name, "data");
  const std::int64_t n = data.array.size();
  data.check(n);
  EntryPieces pieces(1);
  pieces[0].row = places(zip, name, "row", rows, n);
  pieces[0].col = places(zip, name, "col", cols, n);
  pieces[0].value = as_doubles(data.array, data.name);
  return assemble({.rows = rows, .cols = cols, .entries = n}, std::move(pieces));
}

std::string_view memory_bytes(const void* data, std::size_t size) {
  return {static_cast<const char*>(data), size};
}

/// A header and the elements behind it.
TextBuffer npy(std::string_view type, std::int64_t size, std::string_view elements) {
  const std::string header = npy_header(type, size);
  TextBuffer buffer(header.size() + elements.size());
  buffer.append(header);
  buffer.append(elements);
  return buffer;
}

/// 32 bits as long as they do, as scipy has them.
TextBuffer row_pointers(const CsrView<double>& matrix) {
  const auto count = static_cast<std::size_t>(matrix.rows) + 1;
  const auto written = [&](auto zero, std::string_view type) {
    Array<decltype(zero)> all(count);
    for (std::size_t i = 0; i != count; ++i) all[i] = static_cast<decltype(zero)>(matrix.row_ptr[i]);
    return npy(type, matrix.rows + 1, memory_bytes(all.data(), count * sizeof zero));
  };
  return matrix.nnz() <= kMostRead ? written(std::int32_t{}, "<i4") : written(std::int64_t{}, "<i8");
}

}  // namespace

Csr<double> read_npz(std::string_view bytes, const std::string& name) {
  const ZipReader zip(bytes, name);
  if (!zip.has("format.npy"))
    throw broken(name, "has no array \"format\": it is not a sparse matrix of scipy.sparse.save_npz");
  const std::string format = text_in(Member(zip, name, "format").array);
  const Member shape(zip, name, "shape");
  shape.check(2);
  const Array<std::int64_t> sizes = as_wide(shape.array, shape.name);
  check_size(sizes[0], "rows", kMostRead, name);
  check_size(sizes[1], "columns", kMostRead, name);
  check_rows_fit(sizes[0], available_memory(), name);
  if (format == "csr") return compressed(zip, name, sizes[0], sizes[1]);
  if (format == "csc") {
    const Csr<double> by_columns = compressed(zip, name, sizes[1], sizes[0]);
    return transpose(by_columns);
  }
  if (format == "coo") return coordinates(zip, name, sizes[0], sizes[1]);
  throw Error(ErrorCode::unsupported,
              name + ": scipy's form \"" + format + "\"; csr, csc and coo are read: save A.tocsr() instead");
}

void write_npz(Output& output, const CsrView<double>& matrix, const std::string& name) {
  const auto nnz = static_cast<std::size_t>(matrix.nnz());
  const std::int64_t sizes[] = {matrix.rows, matrix.cols};
  const TextBuffer indices = npy("<i4", matrix.nnz(), memory_bytes(matrix.col.data(), nnz * sizeof(std::int32_t))),
                   indptr = row_pointers(matrix), format = npy("|S3", -1, "csr"),
                   shape = npy("<i8", 2, memory_bytes(sizes, sizeof sizes)),
                   data = npy("<f8", matrix.nnz(), memory_bytes(matrix.val.data(), nnz * sizeof(double)));
  ZipWriter zip(name);
  zip.add("indices.npy", indices.view());
  zip.add("indptr.npy", indptr.view());
  zip.add("format.npy", format.view());
  zip.add("shape.npy", shape.view());
  zip.add("data.npy", data.view());
  output.write(zip.finish().view());
}

}  // namespace rowan::io
