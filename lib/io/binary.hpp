#pragma once
// Binary CSR, the bytes of little-endian memory: int32 magic; int64 rows, cols, nnz; int32 row pointers;
// int32 columns; double values; no padding.

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/io/binary_checks.hpp"
#include "lib/io/output.hpp"
#include <rowan/csr.hpp>

namespace rowan::io {

static_assert(std::endian::native == std::endian::little, "binary CSR is written as memory stands");

constexpr std::int32_t kBinaryMagic = 0x52535243;
constexpr std::size_t kBinaryHeader = sizeof(std::int32_t) + 3 * sizeof(std::int64_t);

/// Whether bytes start with the magic number.
[[nodiscard]] bool is_binary(std::string_view bytes) noexcept;

/// The matrix in a whole file of binary CSR, which has `size` bytes. Throws Error{parse} with a message that starts
/// with `name` for sizes, row pointers or columns that break the format, Error{overflow} for rows and columns beyond
/// int32. Nothing is allocated before the file's size is found to be the one that its header asks for.
[[nodiscard]] Csr<double> read_binary(std::size_t size, const ReadAt& read_at, const std::string& name);

/// The same for bytes in memory.
[[nodiscard]] Csr<double> decode_binary(std::string_view bytes, const std::string& name);

/// Writes a valid, untransposed matrix, gzipped if asked.
void write_binary(Output& output, const CsrView<double>& matrix, bool gzip);

/// Throws Error{overflow} where a matrix has more entries than the file's row pointers can count.
void check_binary_fits(const CsrView<double>& matrix, const std::string& name);

}  // namespace rowan::io
