#pragma once
/// \file
/// Matrices in files: Matrix Market, binary CSR and rowan's own form, plain or gzip, and scipy's .npz.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <rowan/csr.hpp>
#include <rowan/export.hpp>

namespace rowan {

/// How a file is written.
enum class Format {
  automatic,           ///< by the name, in letters of either size: .bin is binary CSR, .rowan rowan's own form, .npz
                       ///< scipy's, .mtx Matrix Market, as are names that end in nothing that is known; .gz compresses
  matrix_market,       ///< coordinate real general, 1-based, shortest numbers that read back the same
  matrix_market_gzip,  ///< the same, compressed
  binary,              ///< binary CSR: int32 magic 0x52535243; int64 rows, cols, nnz; int32 row pointers; int32
                       ///< columns; double values; little-endian, no padding
  rowan,               ///< rowan's own form: int64 row pointers, checksum; mapped when it is read, not copied
  npz,                 ///< scipy.sparse.save_npz's, as csr, compressed (in builds with libzip)
};

/// Called with the share of a file that was read or written: rising, from one thread at a time, never from within
/// itself. It may do parallel work, multiply or read another file. While it waits, its thread does none of the work of
/// the call around it, so it must not wait for oneTBB tasks that were begun outside. An exception from it ends the
/// reading or writing.
using Progress = std::function<void(double)>;

/// Reads a matrix; "-" is standard input. The content decides the format (gzip, zip, binary CSR, rowan's own form,
/// Matrix Market), not the name. A zip archive is what scipy.sparse.save_npz writes, csr, csc or coo of real numbers;
/// it is held as a whole besides the matrix, and needs a build with libzip. Matrix Market may be coordinate or array;
/// real, integer, double or pattern; general, symmetric or skew-symmetric. Symmetric files are expanded. Duplicate
/// entries and zeros are kept. Patterns get the value 1. Entries of a row keep the file's order. Numbers are the
/// nearest doubles; inf and nan may be spelled out. Parallel; the result, or the error, does not depend on the number
/// of threads. Text is read a few chunks at a time and never held as a whole; reading takes at most about 2.5 times the
/// memory of the matrix. `progress` is not called where the size is unknown (pipes) or nothing is parsed (binary
/// forms). A file of rowan's own form must not become shorter while the matrix lives (rowan itself replaces files; it
/// shortens only files of several names, which it does not map). Throws Error{parse} 'FILE:LINE: what is wrong' (no
/// line for gzip and binary) for the first fault of the file, Error{overflow} for rows or columns beyond int32,
/// Error{unsupported} for complex and hermitian files, Error{io} for what cannot be read, Error{out_of_memory} for more
/// rows than the free memory can hold.
[[nodiscard]] ROWAN_API Csr<double> read_matrix(const std::string& path, const Progress& progress = {});

/// A matrix as the command line names it: "generated:SPEC" is made by generate(SPEC), anything else is read by
/// read_matrix. (A file with such a name is "./generated:...".)
[[nodiscard]] ROWAN_API Csr<double> load_matrix(const std::string& source, const Progress& progress = {});

/// SPEC, where `source` is "generated:SPEC".
[[nodiscard]] ROWAN_API std::optional<std::string_view> generator_spec(std::string_view source) noexcept;

/// Writes a matrix; "-" is standard output. A regular file appears whole or not at all: it is written under a temporary
/// name beside it and renamed, so a failure leaves what was there before. It keeps its mode and, where the system
/// allows it, its owner; symbolic links are followed. A file of several names (hard links) keeps them: it too is
/// written under a temporary name first, then its content is copied into the file, which a reader may see half done.
/// The old content is kept in the same folder meanwhile and restored if copying fails; a process killed in that moment
/// leaves both there. Devices and pipes are written directly. A transposed view is written as the matrix it stands
/// for. The bytes do not depend on the number of threads. A file beyond the process's limit of size is an Error{io}
/// where the program ignores SIGXFSZ; else that signal ends it, as any signal may, and the temporary file stays. Throws
/// Error{io}; Error{overflow} where the binary form cannot hold the row pointers; Error{invalid_argument} for a matrix
/// that breaks its contract, and for a name that asks for a form or a compression that is not written here
/// (.csv, .mtx.bz2, .mxt: letters that are none of the above and not .txt) unless `format` says what to write.
ROWAN_API void write_matrix(const std::string& path, const CsrView<double>& matrix, Format format = Format::automatic,
                            const Progress& progress = {});

}  // namespace rowan
