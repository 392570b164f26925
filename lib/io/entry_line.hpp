#pragma once
// One line of a Matrix Market file's body: the hot loop of reading. Errors are handled out of line.

#include <cstdint>
#include <string>

#include "lib/io/fault.hpp"
#include "lib/io/header.hpp"
#include "lib/io/scan.hpp"

namespace rowan::io {

/// One stored entry, its indices counted from 0 and inside the matrix.
struct ParsedEntry {
  std::int32_t row;
  std::int32_t col;
  double value;
};

/// The fewest bytes that an entry's line takes with its newline: one digit and one blank for each number.
[[nodiscard]] constexpr std::size_t smallest_line(TextLayout layout, Field field) {
  if (layout == TextLayout::array) return 2;
  return field == Field::pattern ? 4 : 6;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_index(const char* at, const char* what, Scan scan,
                                                               std::int64_t size) {
  if (scan == Scan::malformed) throw TextFault{at, std::string("expected a ") + what + ", found " + show_token(at)};
  throw TextFault{at, std::string(what) + " " + show_token(at) + " lies outside 1.." + std::to_string(size)};
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_value(const char* at, Scan scan, Field field) {
  if (scan == Scan::out_of_range) throw TextFault{at, "value " + show_token(at) + " is out of the range of a double"};
  throw TextFault{at, std::string(field == Field::integer ? "expected an integer" : "expected a number") + ", found " +
                          show_token(at)};
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_triangle(const char* at, const ParsedEntry& entry,
                                                                  Symmetry symmetry) {
  const std::string place = "entry (" + std::to_string(entry.row + 1) + ", " + std::to_string(entry.col + 1) + ") ";
  if (entry.row == entry.col)
    throw TextFault{at, place + "lies on the diagonal of a skew-symmetric matrix, expected only entries below it"};
  throw TextFault{at, place + "lies above the diagonal of a " +
                          (symmetry == Symmetry::symmetric ? "symmetric" : "skew-symmetric") +
                          " matrix, expected only the lower triangle"};
}

/// Reads an index in 1..size and counts it from 0.
[[nodiscard]] inline std::int32_t take_index(const char*& p, const char* what, std::int64_t size) {
  const char* const start = p = skip_blanks(p);
  std::int64_t index = 0;
  const Scan scan = scan_integer(p, index);
  if (scan != Scan::ok || index < 1 || index > size) [[unlikely]]
    throw_index(start, what, scan, size);
  return static_cast<std::int32_t>(index - 1);
}

template <Field field>
[[nodiscard]] double take_value(const char*& p, const char* end) {
  if constexpr (field == Field::pattern) return 1.0;
  const char* const start = p = skip_blanks(p);
  double value = 0;
  Scan scan = Scan::ok;
  if constexpr (field == Field::integer) {
    std::int64_t integer = 0;
    scan = scan_integer(p, integer);
    value = static_cast<double>(integer);
    // more digits than int64 holds: the nearest double will do, as it does for every integer above 2^53
    if (scan == Scan::out_of_range) scan = scan_real(p, end, value);
  } else {
    scan = scan_real(p, end, value);
  }
  if (scan != Scan::ok) [[unlikely]]
    throw_value(start, scan, field);
  return value;
}

/// Reads the entry at `p` up to and with the end of its line. Values of arrays get their positions later. `end` is the
/// text's.
template <TextLayout layout, Field field>
[[nodiscard]] ParsedEntry take_entry(const char*& p, const char* end, const Header& header) {
  const char* const start = p;
  ParsedEntry entry{};
  if constexpr (layout == TextLayout::coordinate) {
    entry.row = take_index(p, "row", header.rows);
    entry.col = take_index(p, "column", header.cols);
    if (header.symmetry != Symmetry::general &&
        entry.row < entry.col + (header.symmetry == Symmetry::skew_symmetric ? 1 : 0)) [[unlikely]]
      throw_triangle(start, entry, header.symmetry);
  }
  entry.value = take_value<field>(p, end);
  p = skip_blanks(p);
  if (*p != '\n') [[unlikely]]
    throw TextFault{p, show_token(p) + " follows the entry, expected the end of the line"};
  ++p;
  return entry;
}

}  // namespace rowan::io
