#include <algorithm>
#include <bit>

#include "lib/io/fault.hpp"
#include "lib/io/header.hpp"
#include "tests/fuzz/matrices.hpp"
#include "tests/lib/io/files.hpp"
#include <rowan/io.hpp>

namespace rowan::fuzz {
namespace {

bool small(std::string_view text) {
  constexpr std::int64_t kMostRows = 1 << 16;
  io::TextBuffer bytes = buffer_of(text);
  bytes.end_line();
  const std::string_view lines = bytes.view();
  if (lines.empty()) return true;
  try {
    const io::Header header = io::parse_header(lines);
    return header.rows <= kMostRows && header.cols <= kMostRows;
  } catch (const io::TextFault&) {
    return true;
  }
}

bool same(const Csr<double>& x, const Csr<double>& y) {
  return x.rows() == y.rows() && x.cols() == y.cols() && std::ranges::equal(x.row_ptr(), y.row_ptr()) &&
         std::ranges::equal(x.col(), y.col()) && std::ranges::equal(x.val(), y.val(), [](double a, double b) {
           return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
         });
}

}  // namespace

void check_text(std::string_view text) {
  if (!small(text)) return;
  Csr<double> m;
  try {
    m = io::parse_matrix_market(io::bytes_of_memory(text), kName);
  } catch (const Error& e) {
    return require_refusal(e);
  }
  validate(m.view(), "what was read");
  static const test::Folder folder;
  const std::string path = folder.path("round-trip.mtx");
  write_matrix(path, m, Format::matrix_market);
  require(same(m, read_matrix(path)), "another matrix after writing and reading");
}

void matrix_market(Bytes file) {
  check_text(text_of(file));
}

}  // namespace rowan::fuzz
