// The text is cut at line borders into chunks, and every chunk becomes a piece of its own, reserved at the most entries
// that so many bytes can hold and cut to size afterwards: the file's promise is only compared with what was found. A
// chunk that meets a fault keeps it; chunks behind the first fault known are skipped, those before it are not, so the
// fault reported is the file's first whatever the timing.
#include "lib/io/entries.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>

#include "lib/core/parallel.hpp"
#include "lib/io/entry_line.hpp"

namespace rowan::io {
namespace {

// Not measured, only bounded: milliseconds of parsing each, and some pages of the largest size for the entries.
constexpr std::size_t kSmallestChunk = std::size_t{256} << 10;
constexpr std::size_t kLargestChunk = std::size_t{4} << 20;
constexpr std::size_t kChunksPerThread = 8;  // to even out chunks that take longer

/// The borders of chunks, each the start of a line or the end of the text.
std::vector<const char*> chunk_borders(const char* begin, const char* end, std::size_t threads) {
  const auto size = static_cast<std::size_t>(end - begin);
  const std::size_t step = std::clamp(size / (threads * kChunksPerThread), kSmallestChunk, kLargestChunk);
  std::vector<const char*> borders{begin};
  while (borders.back() != end) {
    const char* const from = borders.back();
    borders.push_back(static_cast<std::size_t>(end - from) <= step ? end : next_line(from + step));
  }
  return borders;
}

/// Parses the lines of [p, chunk_end) into `found`, which is complete up to a fault even when it throws.
template <Layout layout, Field field>
void parse_chunk(const char* p, const char* chunk_end, const char* text_end, const Header& header,
                 Array<Entry>& found) {
  found = Array<Entry>(static_cast<std::size_t>(chunk_end - p) / smallest_line(layout, field));
  Entry* out = found.data();
  const auto cut = [&] { found.shrink(static_cast<std::size_t>(out - found.data())); };
  try {
    while ((p = skip_empty_lines(p, chunk_end)) != chunk_end) {
      const Entry entry = take_entry<layout, field>(p, text_end, header);
      *out++ = entry;
    }
  } catch (const Fault&) {
    cut();
    throw;
  }
  cut();
}

using ParseChunk = void (*)(const char*, const char*, const char*, const Header&, Array<Entry>&);

ParseChunk chunk_parser(const Header& header) {
  if (header.layout == Layout::array)
    return header.field == Field::integer ? parse_chunk<Layout::array, Field::integer>
                                          : parse_chunk<Layout::array, Field::real>;
  switch (header.field) {
    case Field::integer:
      return parse_chunk<Layout::coordinate, Field::integer>;
    case Field::pattern:
      return parse_chunk<Layout::coordinate, Field::pattern>;
    case Field::real:
      break;
  }
  return parse_chunk<Layout::coordinate, Field::real>;
}

/// The fault of a file whose chunk from `p` on holds more entries than the `expected` that were still to come.
Fault surplus(const char* p, const char* end, std::size_t expected, std::string_view text, const Header& header) {
  p = skip_empty_lines(p, end);
  for (; expected != 0; --expected) p = skip_empty_lines(next_line(p), end);
  return {p, show_token(p) + " follows the " + std::to_string(header.entries) + " entries that line " +
                 std::to_string(line_of(text, header.sizes)) + " promises"};
}

/// Gives the values of an array, which stand column by column, their places.
void place_array(EntryPieces& pieces, const Header& header) {
  const auto first_row = [&](std::int64_t col) {
    if (header.symmetry == Symmetry::general) return std::int64_t{0};
    return col + (header.symmetry == Symmetry::skew_symmetric ? 1 : 0);
  };
  std::int64_t col = 0;
  std::int64_t row = first_row(0);
  for (Array<Entry>& piece : pieces) {
    for (Entry& entry : piece) {
      entry.row = static_cast<std::int32_t>(row);
      entry.col = static_cast<std::int32_t>(col);
      if (++row == header.rows) ++col, row = first_row(col);
    }
  }
}

}  // namespace

EntryPieces parse_entries(std::string_view text, const Header& header) {
  const Team team;
  const char* const end = text.data() + text.size();
  const std::vector<const char*> borders = chunk_borders(header.body, end, static_cast<std::size_t>(team.size()));
  const std::size_t chunks = borders.size() - 1;
  const ParseChunk parse = chunk_parser(header);
  EntryPieces pieces(chunks);
  std::vector<std::optional<Fault>> faults(chunks);
  std::atomic<std::size_t> first_fault = chunks;
  team.for_blocks(static_cast<std::int64_t>(chunks), 1, [&](std::int64_t from, std::int64_t to) {
    for (auto i = static_cast<std::size_t>(from); i != static_cast<std::size_t>(to); ++i) {
      if (i > first_fault.load(std::memory_order_relaxed)) continue;
      try {
        parse(borders[i], borders[i + 1], end, header, pieces[i]);
      } catch (Fault& fault) {
        faults[i] = std::move(fault);
        std::size_t known = first_fault.load(std::memory_order_relaxed);
        while (i < known && !first_fault.compare_exchange_weak(known, i, std::memory_order_relaxed)) {
        }
      }
    }
  });

  auto missing = static_cast<std::size_t>(header.entries);
  for (std::size_t i = 0; i != chunks; ++i) {
    // what follows the last entry promised is one too many, whether it could be parsed or not
    if (pieces[i].size() > missing || (faults[i] && pieces[i].size() == missing))
      throw surplus(borders[i], borders[i + 1], missing, text, header);
    if (faults[i]) throw *std::move(faults[i]);
    missing -= pieces[i].size();
  }
  if (missing != 0)
    throw Fault{end - 1, "the file ends after " + std::to_string(static_cast<std::size_t>(header.entries) - missing) +
                             " of the " + std::to_string(header.entries) + " entries that line " +
                             std::to_string(line_of(text, header.sizes)) + " promises"};
  if (header.layout == Layout::array) place_array(pieces, header);
  return pieces;
}

}  // namespace rowan::io
