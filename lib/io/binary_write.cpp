#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "lib/io/binary.hpp"
#include "lib/io/buffer.hpp"
#include "lib/io/section.hpp"
#include <rowan/error.hpp>

namespace rowan::io {
namespace {

/// The header and the row pointers, narrowed.
TextBuffer encode_start(const CsrView<double>& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.rows);
  TextBuffer buffer(kBinaryHeader + (rows + 1) * sizeof(std::int32_t));
  const auto put = [&](auto value) {
    std::memcpy(buffer.room().data(), &value, sizeof(value));
    buffer.advance(sizeof(value));
  };
  put(kBinaryMagic);
  put(matrix.rows), put(matrix.cols), put(matrix.nnz());
  for (std::size_t row = 0; row <= rows; ++row) put(static_cast<std::int32_t>(matrix.row_ptr[row]));
  return buffer;
}

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

void check_binary_fits(const CsrView<double>& matrix, const std::string& name) {
  constexpr std::int64_t kMostWritten = std::numeric_limits<std::int32_t>::max();
  if (matrix.nnz() > kMostWritten)
    throw Error(ErrorCode::overflow, name + ": binary CSR counts up to " + std::to_string(kMostWritten) +
                                         " entries, the matrix has " + std::to_string(matrix.nnz()));
}

void write_binary(Output& output, const CsrView<double>& matrix, bool gzip) {
  const TextBuffer start = encode_start(matrix);
  write_section(output, start.view(), gzip);
  write_section(output, bytes_of(matrix.col), gzip);
  write_section(output, bytes_of(matrix.val), gzip);
}

}  // namespace rowan::io
