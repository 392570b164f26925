#include "lib/io/binary.hpp"

#include "tests/fuzz/matrices.hpp"
#include "tests/lib/io/files.hpp"
#include <rowan/io.hpp>

namespace rowan::fuzz {

void binary(Bytes file) {
  const std::string_view bytes = text_of(file);
  if (!io::is_binary(bytes)) return;
  Csr<double> m;
  try {
    m = io::decode_binary(bytes, kName);
  } catch (const Error& e) {
    return require_refusal(e);
  }
  validate(m.view(), "what was read");
  static const test::Folder folder;
  const std::string path = folder.path("round-trip.bin");
  write_matrix(path, m, Format::binary);
  require(test::content(path) == bytes, "other bytes after reading and writing");
}

}  // namespace rowan::fuzz
