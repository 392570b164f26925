#include <utility>

#include "lib/io/binary.hpp"
#include "lib/io/matrix_market.hpp"
#include "lib/io/source.hpp"
#include <rowan/io.hpp>

namespace rowan {

Csr<double> read_matrix(const std::string& path) {
  io::Buffer bytes = io::read_source(path);
  const std::string name = io::source_name(path);
  return io::is_binary(bytes.view()) ? io::decode_binary(bytes.view(), name)
                                     : io::parse_matrix_market(std::move(bytes), name);
}

}  // namespace rowan
