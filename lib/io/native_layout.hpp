#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rowan::io {

static_assert(std::endian::native == std::endian::little, "binary forms are written as memory stands");

constexpr std::uint32_t kNativeVersion = 2;

/// The first bytes of a file; native.hpp says what they mean.
struct NativeHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t value_bytes;
  std::int64_t rows, cols, nnz;
  std::uint32_t crc, zero;
};
static_assert(sizeof(NativeHeader) == 48);

/// Where the sections of a valid header lie.
struct NativeLayout {
  static constexpr std::size_t kBorder = 4096;  // a page

  explicit NativeLayout(const NativeHeader& header)
      : row_ptr_bytes((static_cast<std::size_t>(header.rows) + 1) * sizeof(std::int64_t)),
        col_bytes(static_cast<std::size_t>(header.nnz) * sizeof(std::int32_t)),
        val_bytes(static_cast<std::size_t>(header.nnz) * header.value_bytes) {}

  [[nodiscard]] static constexpr std::size_t up(std::size_t n) { return (n + kBorder - 1) / kBorder * kBorder; }

  std::size_t row_ptr_bytes, col_bytes, val_bytes;
  std::size_t row_ptr = kBorder;
  std::size_t col = row_ptr + up(row_ptr_bytes);
  std::size_t val = col + up(col_bytes);
  std::size_t size = val_bytes != 0 ? val + val_bytes : col_bytes != 0 ? col + col_bytes : row_ptr + row_ptr_bytes;
};

/// The start value of the checksum of the sections.
[[nodiscard]] std::uint32_t crc_of(NativeHeader header);

/// The CRC-32 of `bytes` behind data whose CRC-32 is `crc`; parallel.
[[nodiscard]] std::uint32_t crc_behind(std::uint32_t crc, std::span<const char> bytes);

}  // namespace rowan::io
