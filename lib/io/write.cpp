#include <string_view>

#include "lib/io/binary.hpp"
#include "lib/io/matrix_market.hpp"
#include "lib/io/output.hpp"
#include <rowan/io.hpp>
#include <rowan/operations.hpp>

namespace rowan {
namespace {

struct Choice {
  bool binary;
  bool gzip;
};

Choice choose(std::string_view path, Format format) {
  if (format != Format::automatic) return {format == Format::binary, format == Format::matrix_market_gzip};
  const bool gzip = path.ends_with(".gz");
  if (gzip) path.remove_suffix(3);
  return {path.ends_with(".bin"), gzip};
}

}  // namespace

void write_matrix(const std::string& path, const CsrView<double>& matrix, Format format, const Progress& progress) {
  if (matrix.transposed) return write_matrix(path, transpose(transposed(matrix)), format, progress);
  validate(matrix);
  const auto [binary, gzip] = choose(path, format);
  if (binary) io::check_binary_fits(matrix, path);
  io::Output output(path);
  if (binary)
    io::write_binary(output, matrix, gzip);
  else
    io::print_matrix_market(output, matrix, gzip, progress);
  output.commit();
}

}  // namespace rowan
