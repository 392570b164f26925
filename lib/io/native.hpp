#pragma once
// Rowan's own binary form, made to be mapped: little-endian; sections start at multiples of 4096 bytes.
//
//      0  char[8]  "\x93ROWAN\r\n": what mangles line ends or the eighth bit of text breaks it
//      8  uint32   version, 2
//     12  uint32   bytes of a value: 8 double, 4 float, 0 none (a pattern, all values are 1)
//     16  int64    rows, cols, nnz
//     40  uint32   CRC-32 (zlib's) of the header's first 48 bytes, this field as 0, and of the sections, one after
//                  another, without their padding. Version 1, which is refused, left the header out
//     44  zeros up to 4096
//   4096  int64    row pointers[rows + 1]
//         int32    columns[nnz]
//         double or float values[nnz], none in patterns; the file ends with the last section

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "lib/io/binary_checks.hpp"
#include "lib/io/output.hpp"
#include <rowan/csr.hpp>

namespace rowan::io {

constexpr std::string_view kNativeMagic{"\x93ROWAN\r\n", 8};

/// A part of a file as memory; empty where it cannot be mapped.
using MapAt = std::function<Block(std::size_t offset, std::size_t bytes)>;

/// The matrix in a whole file of `size` bytes. Parts that the matrix can use unchanged are mapped, if `map_at` is
/// set; all others are read. Throws Error{parse} with a message that starts with `name` for whatever breaks the form,
/// Error{overflow} for too large sizes, Error{unsupported} for a version that this one does not know.
[[nodiscard]] Csr<double> read_native(std::size_t size, const ReadAt& read_at, const MapAt& map_at,
                                      const std::string& name);

/// Writes a valid, untransposed matrix; as a pattern where all values are 1. Gzipped if asked.
void write_native(Output& output, const CsrView<double>& matrix, bool gzip);

}  // namespace rowan::io
