#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "lib/core/parallel.hpp"
#include "lib/io/binary.hpp"
#include <rowan/error.hpp>

namespace rowan::io {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kGrain = 1 << 18;  // elements that are copied or checked at a time

template <class T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// n elements from `offset` on, filled in parallel.
template <class T>
Array<T> read_array(const ReadAt& read_at, std::size_t offset, std::int64_t n, const Team& team) {
  Array<T> array(n);
  team.for_blocks(n, kGrain, [&](std::int64_t begin, std::int64_t end) {
    read_at(offset + static_cast<std::size_t>(begin) * sizeof(T),
            {reinterpret_cast<char*>(array.data() + begin), static_cast<std::size_t>(end - begin) * sizeof(T)});
  });
  return array;
}

/// The row pointers, widened a block at a time.
Array<std::int64_t> read_row_pointers(const ReadAt& read_at, std::int64_t rows) {
  Array<std::int64_t> row_ptr(rows + 1);
  Array<std::int32_t> block(std::min(rows + 1, kGrain));
  for (std::int64_t begin = 0; begin <= rows; begin += kGrain) {
    const std::int64_t n = std::min(kGrain, rows + 1 - begin);
    read_at(kBinaryHeader + static_cast<std::size_t>(begin) * sizeof(std::int32_t),
            {reinterpret_cast<char*>(block.data()), static_cast<std::size_t>(n) * sizeof(std::int32_t)});
    std::copy(block.begin(), block.begin() + n, row_ptr.begin() + begin);
  }
  return row_ptr;
}

}  // namespace

bool is_binary(std::string_view bytes) noexcept {
  return bytes.size() >= sizeof(kBinaryMagic) && load<std::int32_t>(bytes.data()) == kBinaryMagic;
}

Csr<double> read_binary(std::size_t size, const ReadAt& read_at, const std::string& name) {
  if (size < kBinaryHeader)
    throw broken(name, "binary CSR starts with " + std::to_string(kBinaryHeader) + " bytes, the file has " +
                           std::to_string(size));
  std::array<char, kBinaryHeader> header{};
  read_at(0, header);
  const char* const p = header.data() + sizeof(kBinaryMagic);
  const auto rows = load<std::int64_t>(p);
  const auto cols = load<std::int64_t>(p + 8);
  const auto nnz = load<std::int64_t>(p + 16);
  check_size(rows, "rows", kMax, name);
  check_size(cols, "columns", kMax, name);
  check_size(nnz, "entries", kMax, name);
  const std::size_t columns = kBinaryHeader + (static_cast<std::size_t>(rows) + 1) * sizeof(std::int32_t);
  const std::size_t values = columns + static_cast<std::size_t>(nnz) * sizeof(std::int32_t);
  const std::size_t expected = values + static_cast<std::size_t>(nnz) * sizeof(double);
  if (size != expected)
    throw broken(name, "binary CSR of " + std::to_string(rows) + " rows and " + std::to_string(nnz) +
                           " entries takes " + std::to_string(expected) + " bytes, the file has " +
                           std::to_string(size));
  const Team team;
  auto row_ptr = read_row_pointers(read_at, rows);
  check_row_pointers(row_ptr.span(), nnz, name);
  auto col = read_array<std::int32_t>(read_at, columns, nnz, team);
  check_columns(row_ptr.span(), col.span(), cols, name);
  auto val = read_array<double>(read_at, values, nnz, team);
  return {rows, cols, std::move(row_ptr), std::move(col), std::move(val)};
}

Csr<double> decode_binary(std::string_view bytes, const std::string& name) {
  return read_binary(bytes.size(), reader_of(bytes), name);
}

}  // namespace rowan::io
