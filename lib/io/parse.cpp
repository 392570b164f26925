#include <utility>

#include "lib/io/assemble.hpp"
#include "lib/io/entries.hpp"
#include "lib/io/fault.hpp"
#include "lib/io/matrix_market.hpp"

namespace rowan::io {

Csr<double> parse_matrix_market(Buffer bytes, const std::string& name) {
  const std::string_view text = bytes.lines();
  if (text.empty()) throw Error(ErrorCode::parse, name + ":1: the file is empty, expected %%MatrixMarket");
  Header header;
  EntryPieces pieces;
  try {
    header = parse_header(text);
    pieces = parse_entries(text, header);
  } catch (const Fault& fault) {
    throw text_error(name, text, fault);
  }
  bytes = Buffer();  // the text is not needed while the matrix grows
  return assemble(header, pieces);
}

}  // namespace rowan::io
