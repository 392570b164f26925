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

Error broken(const std::string& name, const std::string& what) {
  return {ErrorCode::parse, name + ": " + what};
}

template <class T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

std::int64_t checked_dimension(std::int64_t size, const char* what, const std::string& name) {
  if (size < 0) throw broken(name, std::to_string(size) + " " + what + ", expected 0 or more");
  if (size > kMax)
    throw Error(ErrorCode::overflow,
                name + ": " + std::to_string(size) + " " + what + " exceed the limit of " + std::to_string(kMax));
  return size;
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

/// The row pointers, which start at 0, never fall and end with nnz; widened a block at a time.
Array<std::int64_t> read_row_pointers(const ReadAt& read_at, std::int64_t rows, std::int64_t nnz,
                                      const std::string& name) {
  Array<std::int64_t> row_ptr(rows + 1);
  Array<std::int32_t> block(std::min(rows + 1, kGrain));
  std::int64_t before = 0;
  for (std::int64_t begin = 0; begin <= rows; begin += kGrain) {
    const std::int64_t n = std::min(kGrain, rows + 1 - begin);
    read_at(kBinaryHeader + static_cast<std::size_t>(begin) * sizeof(std::int32_t),
            {reinterpret_cast<char*>(block.data()), static_cast<std::size_t>(n) * sizeof(std::int32_t)});
    for (std::int64_t i = 0; i != n; ++i) {
      const std::int64_t row = begin + i;
      const std::int64_t pointer = block[i];
      if (row == 0 && pointer != 0)
        throw broken(name, "row pointers start at " + std::to_string(pointer) + ", expected 0");
      if (pointer < before)
        throw broken(name, "row " + std::to_string(row - 1) + " ends at " + std::to_string(pointer) +
                               ", before it starts at " + std::to_string(before));
      row_ptr[row] = before = pointer;
    }
  }
  if (before != nnz)
    throw broken(name, "row pointers end at " + std::to_string(before) + ", expected " + std::to_string(nnz));
  return row_ptr;
}

/// Throws for the first column outside [0, cols).
void check_columns(const Array<std::int64_t>& row_ptr, const Array<std::int32_t>& col, std::int64_t cols,
                   const std::string& name) {
  // one comparison finds negative columns too: they are huge as unsigned numbers
  const auto limit = static_cast<std::uint32_t>(cols);
  const auto* const wrong =
      std::find_if(col.begin(), col.end(), [&](std::int32_t c) { return static_cast<std::uint32_t>(c) >= limit; });
  if (wrong == col.end()) return;
  const auto* const row_end = std::upper_bound(row_ptr.begin(), row_ptr.end(), wrong - col.begin());
  throw broken(name, "row " + std::to_string(row_end - row_ptr.begin() - 1) + " has column " + std::to_string(*wrong) +
                         ", expected 0.." + std::to_string(cols - 1));
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
  const std::int64_t rows = checked_dimension(load<std::int64_t>(p), "rows", name);
  const std::int64_t cols = checked_dimension(load<std::int64_t>(p + 8), "columns", name);
  const std::int64_t nnz = checked_dimension(load<std::int64_t>(p + 16), "entries", name);
  const std::size_t columns = kBinaryHeader + (static_cast<std::size_t>(rows) + 1) * sizeof(std::int32_t);
  const std::size_t values = columns + static_cast<std::size_t>(nnz) * sizeof(std::int32_t);
  const std::size_t expected = values + static_cast<std::size_t>(nnz) * sizeof(double);
  if (size != expected)
    throw broken(name, "binary CSR of " + std::to_string(rows) + " rows and " + std::to_string(nnz) +
                           " entries takes " + std::to_string(expected) + " bytes, the file has " +
                           std::to_string(size));
  const Team team;
  auto row_ptr = read_row_pointers(read_at, rows, nnz, name);
  auto col = read_array<std::int32_t>(read_at, columns, nnz, team);
  check_columns(row_ptr, col, cols, name);
  auto val = read_array<double>(read_at, values, nnz, team);
  return {rows, cols, std::move(row_ptr), std::move(col), std::move(val)};
}

Csr<double> decode_binary(std::string_view bytes, const std::string& name) {
  const ReadAt copy = [bytes](std::size_t offset, std::span<char> room) {
    const std::string_view part = bytes.substr(offset, room.size());
    std::copy(part.begin(), part.end(), room.begin());
  };
  return read_binary(bytes.size(), copy, name);
}

}  // namespace rowan::io
