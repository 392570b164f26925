#include "lib/io/write.hpp"

#include "lib/core/border.hpp"
#include "lib/io/binary.hpp"
#include "lib/io/ending.hpp"
#include "lib/io/matrix_market.hpp"
#include "lib/io/native.hpp"
#include "lib/io/npz.hpp"
#include <rowan/operations.hpp>

namespace rowan {
namespace {

io::Form choose(const std::string& path, Format format) {
  if (format == Format::matrix_market_gzip) return {Format::matrix_market, true};
  return format == Format::automatic ? io::form_of_name(path) : io::Form{format, false};
}

}  // namespace

io::Output io::write_uncommitted(const std::string& path, const CsrView<double>& matrix, Format format,
                                 const Progress& progress) {
  if (matrix.transposed) return write_uncommitted(path, transpose(transposed(matrix)), format, progress);
  validate(matrix);
  const auto [form, gzip] = choose(path, format);
  if (form == Format::binary) check_binary_fits(matrix, path);
  Output output(path);
  if (form == Format::binary)
    write_binary(output, matrix, gzip);
  else if (form == Format::npz)
    write_npz(output, matrix, path);
  else if (form == Format::rowan)
    write_native(output, matrix, gzip);
  else
    print_matrix_market(output, matrix, gzip, progress);
  return output;
}

void write_matrix(const std::string& path, const CsrView<double>& matrix, Format format, const Progress& progress) try {
  io::write_uncommitted(path, matrix, format, progress).commit();
} catch (...) {
  rethrow_as_error();
}

}  // namespace rowan
