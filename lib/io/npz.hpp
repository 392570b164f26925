#pragma once
// scipy.sparse.save_npz's files: zip archives of arrays. "format" says what the others are: csr and csc have indices,
// indptr and data, coo has row, col and data; all have shape.

#include <string>
#include <string_view>

#include "lib/io/output.hpp"
#include <rowan/csr.hpp>

namespace rowan::io {

/// The matrix in a whole file. Entries of a row keep the file's order; csc's are sorted by column. Throws Error{parse},
/// whose message starts with `name`, for what breaks the form, Error{unsupported} for bsr, dia and complex values.
[[nodiscard]] Csr<double> read_npz(std::string_view bytes, const std::string& name);

/// Writes a valid, untransposed matrix as csr, compressed.
void write_npz(Output& output, const CsrView<double>& matrix, const std::string& name);

}  // namespace rowan::io
