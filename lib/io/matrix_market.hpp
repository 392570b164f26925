#pragma once

#include <string>

#include "lib/io/buffer.hpp"
#include "lib/io/output.hpp"
#include <rowan/csr.hpp>

namespace rowan::io {

/// Parses a whole Matrix Market file. Messages of errors start with `name` and the line.
[[nodiscard]] Csr<double> parse_matrix_market(Buffer text, const std::string& name);

/// Writes a valid, untransposed matrix as coordinate real general, rows in order, gzipped if asked.
void print_matrix_market(Output& output, const CsrView<double>& matrix, bool gzip);

}  // namespace rowan::io
