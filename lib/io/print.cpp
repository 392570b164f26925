// Pieces have a number of entries, not of rows: one row may hold most of a matrix.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string_view>

#include "lib/io/matrix_market.hpp"
#include "lib/io/pieces.hpp"

namespace rowan::io {
namespace {

// one or two megabytes of text: a gzip header for each costs nothing
constexpr std::int64_t kEntriesPerPiece = 1 << 16;
constexpr std::size_t kIndexSpace = 11;  // ten digits and a blank
constexpr std::size_t kLineSpace = 48;   // two indices and the 24 characters of -2.2250738585072014e-308

/// Prints a number at `p`, which has the space, and returns where it ends.
template <class Number>
char* print(char* p, Number number) {
  return std::to_chars(p, p + kLineSpace, number).ptr;
}

TextBuffer print_banner(const CsrView<double>& matrix) {
  constexpr std::string_view kWritten = "%%MatrixMarket matrix coordinate real general\n";
  TextBuffer buffer(kWritten.size() + 3 * kLineSpace);
  char* const start = buffer.room().data();
  char* p = std::copy(kWritten.begin(), kWritten.end(), start);
  p = print(p, matrix.rows), *p++ = ' ';
  p = print(p, matrix.cols), *p++ = ' ';
  p = print(p, matrix.nnz()), *p++ = '\n';
  buffer.advance(static_cast<std::size_t>(p - start));
  return buffer;
}

/// The first row that ends behind the entry `k`.
std::int64_t row_of(const CsrView<double>& matrix, std::int64_t k) {
  std::int64_t first = 0, last = matrix.rows;
  while (first < last) {
    const std::int64_t middle = first + (last - first) / 2;
    if (matrix.row_ptr[middle + 1] <= k)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

/// The lines of the entries [begin, end).
TextBuffer print_entries(const CsrView<double>& matrix, std::int64_t begin, std::int64_t end) {
  TextBuffer buffer(static_cast<std::size_t>(end - begin) * kLineSpace);
  char* const start = buffer.room().data();
  char* p = start;
  std::array<char, kLineSpace> row_text{};
  std::int64_t k = begin;
  for (std::int64_t row = row_of(matrix, begin); k != end; ++row) {
    const std::int64_t row_end = std::min(end, matrix.row_ptr[static_cast<std::size_t>(row) + 1]);
    if (k == row_end) continue;
    char* const blank = print(row_text.data(), row + 1);
    *blank = ' ';
    const auto row_size = static_cast<std::size_t>(blank + 1 - row_text.data());
    for (; k != row_end; ++k) {
      const auto i = static_cast<std::size_t>(k);
      std::memcpy(p, row_text.data(), kIndexSpace);  // of fixed size, which is faster; the rest is overwritten
      p += row_size;
      p = print(p, std::int64_t{matrix.col[i]} + 1), *p++ = ' ';
      p = print(p, matrix.val[i]), *p++ = '\n';
    }
  }
  buffer.advance(static_cast<std::size_t>(p - start));
  return buffer;
}

}  // namespace

void print_matrix_market(Output& output, const CsrView<double>& matrix, bool gzip,
                         const std::function<void(double)>& progress) {
  const std::int64_t nnz = matrix.nnz();
  const auto print = [&](std::int64_t piece) {
    if (piece == 0) return print_banner(matrix);
    const std::int64_t begin = (piece - 1) * kEntriesPerPiece;
    return print_entries(matrix, begin, std::min(nnz, begin + kEntriesPerPiece));
  };
  write_pieces(output, 1 + (nnz + kEntriesPerPiece - 1) / kEntriesPerPiece, gzip, print, progress);
}

}  // namespace rowan::io
