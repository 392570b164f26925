#include <string_view>

#include "lib/core/border.hpp"
#include "lib/io/binary.hpp"
#include "lib/io/matrix_market.hpp"
#include "lib/io/native.hpp"
#include "lib/io/output.hpp"
#include <rowan/io.hpp>
#include <rowan/operations.hpp>

namespace rowan {
namespace {

struct Choice {
  Format form;  // but for gzip
  bool gzip;
};

Choice choose(std::string_view path, Format format) {
  if (format == Format::matrix_market_gzip) return {Format::matrix_market, true};
  if (format != Format::automatic) return {format, false};
  const bool gzip = path.ends_with(".gz");
  if (gzip) path.remove_suffix(3);
  if (path.ends_with(".rowan")) return {Format::rowan, gzip};
  return {path.ends_with(".bin") ? Format::binary : Format::matrix_market, gzip};
}

}  // namespace

void write_matrix(const std::string& path, const CsrView<double>& matrix, Format format, const Progress& progress) try {
  if (matrix.transposed) return write_matrix(path, transpose(transposed(matrix)), format, progress);
  validate(matrix);
  const auto [form, gzip] = choose(path, format);
  if (form == Format::binary) io::check_binary_fits(matrix, path);
  io::Output output(path);
  if (form == Format::binary)
    io::write_binary(output, matrix, gzip);
  else if (form == Format::rowan)
    io::write_native(output, matrix, gzip);
  else
    io::print_matrix_market(output, matrix, gzip, progress);
  output.commit();
} catch (...) {
  rethrow_as_error();
}

}  // namespace rowan
