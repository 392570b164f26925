#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "lib/core/parallel.hpp"
#include "lib/io/native.hpp"
#include "lib/io/native_layout.hpp"

namespace rowan::io {
namespace {

constexpr std::int64_t kNativeGrain = 1 << 18;  // elements that are read or widened at a time

template <class T>
std::span<const char> array_bytes(const Array<T>& array) {
  return {reinterpret_cast<const char*>(array.data()), array.size() * sizeof(T)};
}

/// n elements from `offset` on, mapped if that can be done, else filled in parallel.
template <class T>
Array<T> section(const ReadAt& read_at, const MapAt& map_at, std::size_t offset, std::int64_t n) {
  const auto count = static_cast<std::size_t>(n);
  if (map_at && n != 0)
    if (Block block = map_at(offset, count * sizeof(T)); block.data() != nullptr)
      return Array<T>(std::move(block), count);
  Array<T> array(n);
  Team().for_blocks(n, kNativeGrain, [&](std::int64_t begin, std::int64_t end) {
    read_at(offset + static_cast<std::size_t>(begin) * sizeof(T),
            {reinterpret_cast<char*>(array.data() + begin), static_cast<std::size_t>(end - begin) * sizeof(T)});
  });
  return array;
}

NativeHeader read_header(std::size_t size, const ReadAt& read_at, const std::string& name) {
  constexpr std::int64_t kMaxIndex = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t kMaxEntries = std::int64_t{1} << 48;  // beyond any file; its bytes fit int64
  NativeHeader header{};
  if (size < sizeof header)
    throw broken(name, "rowan's binary form starts with " + std::to_string(sizeof header) + " bytes, the file has " +
                           std::to_string(size));
  read_at(0, {reinterpret_cast<char*>(&header), sizeof header});
  if (header.version != kNativeVersion)  // of version 1 no checksum covers the header: a damaged one would be believed
    throw Error(ErrorCode::unsupported, name + ": rowan's binary form, version " + std::to_string(header.version) +
                                            "; this rowan reads version " + std::to_string(kNativeVersion) +
                                            ": make the file again");
  if (header.value_bytes != 0 && header.value_bytes != sizeof(float) && header.value_bytes != sizeof(double))
    throw broken(name, "values of " + std::to_string(header.value_bytes) + " bytes, expected 0, 4 or 8");
  check_size(header.rows, "rows", kMaxIndex, name);
  check_size(header.cols, "columns", kMaxIndex, name);
  check_size(header.nnz, "entries", kMaxEntries, name);
  return header;
}

}  // namespace

Csr<double> read_native(std::size_t size, const ReadAt& read_at, const MapAt& map_at, const std::string& name) {
  const NativeHeader header = read_header(size, read_at, name);
  const NativeLayout layout(header);
  if (size != layout.size)
    throw broken(name, "rowan's binary form of " + std::to_string(header.rows) + " rows and " +
                           std::to_string(header.nnz) + " entries takes " + std::to_string(layout.size) +
                           " bytes, the file has " + std::to_string(size));
  auto row_ptr = section<std::int64_t>(read_at, map_at, layout.row_ptr, header.rows + 1);
  auto col = section<std::int32_t>(read_at, map_at, layout.col, header.nnz);
  std::uint32_t crc = crc_behind(crc_behind(crc_of(header), array_bytes(row_ptr)), array_bytes(col));
  Array<double> val;
  if (header.value_bytes == sizeof(double)) {
    val = section<double>(read_at, map_at, layout.val, header.nnz);
    crc = crc_behind(crc, array_bytes(val));
  } else if (header.value_bytes == sizeof(float)) {
    const auto narrow = section<float>(read_at, map_at, layout.val, header.nnz);
    crc = crc_behind(crc, array_bytes(narrow));
    val = Array<double>(header.nnz);
    std::copy(narrow.begin(), narrow.end(), val.begin());
  } else {
    val = Array<double>(header.nnz);
    std::fill(val.begin(), val.end(), 1.0);
  }
  if (crc != header.crc)
    throw broken(name, "the checksum is " + std::to_string(crc) + ", expected " + std::to_string(header.crc) +
                           ": the file is damaged, make it again");
  check_row_pointers(row_ptr.span(), header.nnz, name);
  check_columns(row_ptr.span(), col.span(), header.cols, name);
  return {header.rows, header.cols, std::move(row_ptr), std::move(col), std::move(val)};
}

}  // namespace rowan::io
