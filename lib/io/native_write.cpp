#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "lib/io/native.hpp"
#include "lib/io/native_layout.hpp"
#include "lib/io/section.hpp"

namespace rowan::io {
namespace {

template <class T>
std::span<const char> section_bytes(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

/// Bit by bit: -1, 0 and nan are none.
bool all_ones(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return v == 1; });
}

/// Zeros up to the next border.
void fill_up(Output& output, std::size_t written, bool gzip) {
  const std::string zeros(NativeLayout::up(written) - written, '\0');
  if (!zeros.empty()) write_section(output, zeros, gzip);
}

}  // namespace

void write_native(Output& output, const CsrView<double>& matrix, bool gzip) {
  Array<std::int64_t> widened;
  std::span<const std::int64_t> row_ptr(matrix.row_ptr.wide(), static_cast<std::size_t>(matrix.rows) + 1);
  if (matrix.row_ptr.wide() == nullptr) {
    widened = Array<std::int64_t>(matrix.rows + 1);
    for (std::int64_t row = 0; row <= matrix.rows; ++row) widened[row] = matrix.row_ptr[row];
    row_ptr = widened.span();
  }
  const bool pattern = all_ones(matrix.val);
  NativeHeader header{};
  std::copy(kNativeMagic.begin(), kNativeMagic.end(), header.magic);
  header.version = kNativeVersion;
  header.value_bytes = pattern ? 0 : sizeof(double);
  header.rows = matrix.rows, header.cols = matrix.cols, header.nnz = matrix.nnz();
  std::vector<std::span<const char>> sections{section_bytes(row_ptr)};
  if (matrix.nnz() != 0) sections.push_back(section_bytes(matrix.col));
  if (!pattern) sections.push_back(section_bytes(matrix.val));
  header.crc = crc_of(header);
  for (const std::span<const char> section : sections) header.crc = crc_behind(header.crc, section);
  std::size_t written = sizeof header;
  write_section(output, {reinterpret_cast<const char*>(&header), sizeof header}, gzip);
  for (const std::span<const char> section : sections) {
    fill_up(output, written, gzip);
    write_section(output, {section.data(), section.size()}, gzip);
    written = section.size();
  }
}

}  // namespace rowan::io
