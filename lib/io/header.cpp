#include "lib/io/header.hpp"

#include <array>
#include <limits>
#include <string>
#include <utility>

#include "lib/io/fault.hpp"
#include "lib/io/scan.hpp"

namespace rowan::io {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equals(std::string_view token, std::string_view word) {
  if (token.size() != word.size()) return false;
  for (std::size_t i = 0; i != token.size(); ++i)
    if (lower(token[i]) != lower(word[i])) return false;
  return true;
}

template <class Value>
struct HeaderWord {
  std::string_view text;
  Value value;
};

constexpr std::array kBanner{HeaderWord<bool>{"%%MatrixMarket", true}};
constexpr std::array kObjects{HeaderWord<bool>{"matrix", true}};
constexpr std::array kLayouts{HeaderWord<TextLayout>{"coordinate", TextLayout::coordinate},
                              HeaderWord<TextLayout>{"array", TextLayout::array}};
constexpr std::array kFields{HeaderWord<Field>{"real", Field::real}, HeaderWord<Field>{"integer", Field::integer},
                             HeaderWord<Field>{"double", Field::real}, HeaderWord<Field>{"pattern", Field::pattern}};
constexpr std::array kSymmetries{HeaderWord<Symmetry>{"general", Symmetry::general},
                                 HeaderWord<Symmetry>{"symmetric", Symmetry::symmetric},
                                 HeaderWord<Symmetry>{"skew-symmetric", Symmetry::skew_symmetric}};
constexpr std::array<std::string_view, 2> kRefused{"complex", "hermitian"};

/// The value of the word at `p`, which moves behind it.
template <class Value, std::size_t n>
Value take_word(const char*& p, const std::array<HeaderWord<Value>, n>& words, const char* expected) {
  p = skip_blanks(p);
  const char* const end = token_end(p);
  const std::string_view token(p, static_cast<std::size_t>(end - p));
  for (const HeaderWord<Value>& word : words)
    if (equals(token, word.text)) return p = end, word.value;
  for (const std::string_view refused : kRefused)
    if (equals(token, refused))
      throw TextFault{p, std::string(refused) + " matrices are not supported", ErrorCode::unsupported};
  throw TextFault{p, std::string("expected ") + expected + ", found " + show_token(p)};
}

std::int64_t take_size(const char*& p, const char* what, std::int64_t limit) {
  p = skip_blanks(p);
  const char* const start = p;
  std::int64_t size = 0;
  const Scan scan = scan_integer(p, size);
  if (scan == Scan::malformed)
    throw TextFault{start, std::string("expected the number of ") + what + ", found " + show_token(start)};
  if (*start == '-') throw TextFault{start, show_token(start) + " " + what + ", expected 0 or more"};
  if (scan == Scan::out_of_range || size > limit)
    throw TextFault{start, show_token(start) + " " + what + " exceed the limit of " + std::to_string(limit),
                    ErrorCode::overflow};
  return size;
}

void take_line_end(const char*& p, const char* behind) {
  p = skip_blanks(p);
  if (*p != '\n') throw TextFault{p, show_token(p) + " follows the " + behind + ", expected the end of the line"};
  ++p;
}

void parse_banner(const char*& p, Header& header) {
  take_word(p, kBanner, "%%MatrixMarket");
  take_word(p, kObjects, "matrix");
  header.layout = take_word(p, kLayouts, "coordinate or array");
  const char* const field = p;
  header.field = take_word(p, kFields, "real, integer, double or pattern");
  header.symmetry = take_word(p, kSymmetries, "general, symmetric or skew-symmetric");
  if (header.field == Field::pattern && header.layout == TextLayout::array)
    throw TextFault{field, "an array holds values, expected real, integer or double, found 'pattern'"};
  if (header.field == Field::pattern && header.symmetry == Symmetry::skew_symmetric)
    throw TextFault{field, "a pattern has no signs, expected general or symmetric, found 'skew-symmetric'"};
  take_line_end(p, "banner");
}

/// How many values an array's file stores: all, or those on and below the diagonal, or those below it.
std::int64_t array_entries(const Header& header) {
  switch (header.symmetry) {
    case Symmetry::general:
      return header.rows * header.cols;
    case Symmetry::symmetric:
      return header.rows * (header.rows + 1) / 2;
    case Symmetry::skew_symmetric:
      break;
  }
  return header.rows * (header.rows - 1) / 2;
}

}  // namespace

bool holds_header(std::string_view text) noexcept {
  const char* const end = text.data() + text.size();
  return text.empty() || skip_empty_lines(next_line(text.data()), end) != end;
}

Header parse_header(std::string_view text) {
  constexpr std::int64_t kMaxIndex = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t kMaxEntries = 999'999'999'999'999'999;  // scan_integer takes any 18 digits
  Header header;
  const char* p = text.data();
  const char* const end = p + text.size();
  parse_banner(p, header);
  p = skip_empty_lines(p, end);
  const bool array = header.layout == TextLayout::array;
  if (p == end)
    throw TextFault{end - 1, array ? "the file ends before its sizes, expected rows and columns"
                                   : "the file ends before its sizes, expected rows, columns and entries"};
  const char* const sizes = p;
  header.line = line_of(text, sizes);
  header.rows = take_size(p, "rows", kMaxIndex);
  header.cols = take_size(p, "columns", kMaxIndex);
  header.entries = array ? 0 : take_size(p, "entries", kMaxEntries);
  take_line_end(p, "sizes");
  header.body = p;
  if (header.symmetry != Symmetry::general && header.rows != header.cols)
    throw TextFault{sizes, "a symmetric or skew-symmetric matrix is square, found " + std::to_string(header.rows) +
                               " rows and " + std::to_string(header.cols) + " columns"};
  if (array) header.entries = array_entries(header);
  return header;
}

}  // namespace rowan::io
