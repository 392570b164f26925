#include "lib/io/chunk.hpp"

#include <utility>

#include "lib/io/entry_line.hpp"

namespace rowan::io {
namespace {

template <TextLayout layout, Field field>
Parsed parse(const char* p, const char* end, const Header& header) {
  constexpr bool kPlaced = layout == TextLayout::coordinate;
  constexpr bool kValued = field != Field::pattern;
  const std::size_t most = static_cast<std::size_t>(end - p) / smallest_line(layout, field);
  Parsed parsed;
  EntryPiece& entries = parsed.entries;
  entries.row = Array<std::int32_t>(most);
  entries.col = Array<std::int32_t>(most);
  if (kValued) entries.value = Array<double>(most);
  std::int32_t* const row = entries.row.data();
  std::int32_t* const col = entries.col.data();
  double* const value = entries.value.data();
  std::size_t n = 0;
  long long empty = 0;
  try {
    while ((p = skip_empty_lines(p, end, empty)) != end) {
      const ParsedEntry entry = take_entry<layout, field>(p, end, header);
      if constexpr (kPlaced) row[n] = entry.row, col[n] = entry.col;
      if constexpr (kValued) value[n] = entry.value;
      ++n;
    }
  } catch (TextFault& fault) {
    parsed.fault = std::move(fault);
  }
  entries.row.shrink(n), entries.col.shrink(n);
  if (kValued) entries.value.shrink(n);
  parsed.lines = static_cast<long long>(n) + empty;
  return parsed;
}

}  // namespace

Parsed parse_chunk(const char* begin, const char* end, const Header& header) {
  if (header.layout == TextLayout::array)
    return header.field == Field::integer ? parse<TextLayout::array, Field::integer>(begin, end, header)
                                          : parse<TextLayout::array, Field::real>(begin, end, header);
  switch (header.field) {
    case Field::integer:
      return parse<TextLayout::coordinate, Field::integer>(begin, end, header);
    case Field::pattern:
      return parse<TextLayout::coordinate, Field::pattern>(begin, end, header);
    case Field::real:
      break;
  }
  return parse<TextLayout::coordinate, Field::real>(begin, end, header);
}

}  // namespace rowan::io
