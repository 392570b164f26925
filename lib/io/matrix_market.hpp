#pragma once

#include <functional>
#include <string>

#include "lib/io/bytes.hpp"
#include "lib/io/output.hpp"
#include <rowan/csr.hpp>

namespace rowan::io {

/// Parses a whole Matrix Market file as it comes. Messages of errors start with `name` and the line. Calls `tick` now
/// and then, from several threads at the same time; no other thread waits for it.
[[nodiscard]] Csr<double> parse_matrix_market(
    Bytes bytes, const std::string& name, const std::function<void()>& tick = [] {});

/// Writes a valid, untransposed matrix as coordinate real general, rows in order, gzipped if asked. Calls `progress`,
/// if it is set, with the share that is written.
void print_matrix_market(Output& output, const CsrView<double>& matrix, bool gzip,
                         const std::function<void(double)>& progress = {});

}  // namespace rowan::io
