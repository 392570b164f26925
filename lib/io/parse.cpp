#include <string>
#include <utility>

#include "lib/io/assemble.hpp"
#include "lib/io/available_memory.hpp"
#include "lib/io/entries.hpp"
#include "lib/io/fault.hpp"
#include "lib/io/matrix_market.hpp"

namespace rowan::io {
namespace {

/// The start of the file as far as the sizes, and whatever stands in the same chunk.
TextBuffer read_head(Lines& lines, const std::string& name) {
  TextBuffer head;
  try {
    while (lines.append_next(head) && !holds_header(head.view())) {
    }
  } catch (const EndlessLine&) {
    throw Error(ErrorCode::parse, name + ": a line does not end within " + std::to_string(Lines::kLongest) +
                                      " bytes; this is no Matrix Market file");
  }
  if (head.size() == 0) throw Error(ErrorCode::parse, name + ":1: the file is empty, expected %%MatrixMarket");
  return head;
}

}  // namespace

Csr<double> parse_matrix_market(Bytes bytes, const std::string& name, const std::function<void()>& tick) {
  Lines lines(std::move(bytes));
  TextBuffer head = read_head(lines, name);
  Header header;
  try {
    header = parse_header(head.view());
  } catch (const TextFault& fault) {
    throw text_error(name, head.view(), fault);
  }
  EntryPieces pieces = parse_entries(std::move(head), lines, header, name, tick);
  // the entries are there, which bounds all but the rows: those are only the header's word. Without entries nothing is
  // written to their pointers, and memory that is not written to costs nothing.
  if (header.entries != 0) check_rows_fit(header.rows, available_memory(), name + ":" + std::to_string(header.line));
  return assemble(header, std::move(pieces));
}

}  // namespace rowan::io
