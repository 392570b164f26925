#include "tools/rowan/table.hpp"

#include <algorithm>

#include "tools/rowan/printable.hpp"
#include "tools/rowan/width.hpp"

namespace rowan::tool {
namespace {

constexpr std::size_t kBetween = 2;  // blanks

/// The widest word of a cell: a column cannot be narrower.
std::size_t widest_word(const std::string& cell) {
  std::size_t widest = 0;
  for (const std::string& word : wrapped(cell, 0)) widest = std::max(widest, columns_of(word));
  return widest;
}

std::size_t sum(const std::vector<std::size_t>& widths) {
  std::size_t all = 0;
  for (const std::size_t w : widths) all += w + (all == 0 ? 0 : kBetween);
  return all;
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (Column& column : columns_) column.title = printable(column.title);
}

void Table::add(const std::vector<std::string>& cells) {
  std::vector<std::string>& row = rows_.emplace_back();
  for (const std::string& cell : cells) row.push_back(printable(cell));
}

/// Widths of all columns: those of words are made narrower, the widest first, until the page holds the table. Where it
/// cannot hold all columns, only those that are too wide beside the first.
std::vector<std::size_t> Table::widths(std::size_t page) const {
  std::vector<std::size_t> width, least;
  for (std::size_t c = 0; c < columns_.size(); c++) {
    width.push_back(columns_of(columns_[c].title)), least.push_back(widest_word(columns_[c].title));
    for (const auto& row : rows_) {
      width[c] = std::max(width[c], columns_of(row[c]));
      least[c] = std::max(least[c], columns_[c].align == Align::left ? widest_word(row[c]) : columns_of(row[c]));
    }
  }
  if (sum(least) > page) {
    for (std::size_t c = 1; c < width.size(); c++)
      if (width[0] + kBetween + width[c] > page)
        width[c] = std::max(least[c], page - std::min(page, width[0] + kBetween));
    return width;
  }
  while (sum(width) > page) {
    std::size_t widest = 0;
    for (std::size_t c = 0; c < width.size(); c++)
      if (width[c] > least[c] && (width[widest] <= least[widest] || width[c] > width[widest])) widest = c;
    width[widest]--;
  }
  return width;
}

std::string Table::piece(const std::vector<std::size_t>& shown, const std::vector<std::size_t>& width) const {
  std::string out;
  const auto line = [&](const auto& cell_of) {
    std::vector<std::vector<std::string>> parts;
    std::size_t height = 1;
    for (const std::size_t c : shown) {
      parts.push_back(wrapped(cell_of(c), width[c]));
      height = std::max(height, parts.back().size());
    }
    for (std::size_t l = 0; l < height; l++) {
      std::string text;
      for (std::size_t k = 0; k < shown.size(); k++) {
        const std::size_t c = shown[k];
        const std::string part = l < parts[k].size() ? parts[k][l] : "";
        const std::string blanks(std::max(width[c], columns_of(part)) - columns_of(part), ' ');
        text += (k == 0 ? "" : std::string(kBetween, ' ')) +
                (columns_[c].align == Align::left ? part + blanks : blanks + part);
      }
      text.erase(text.find_last_not_of(' ') + 1);
      out += text + "\n";
    }
  };
  if (std::ranges::any_of(columns_, [](const Column& c) { return !c.title.empty(); }))
    line([&](std::size_t c) { return columns_[c].title; });
  for (const auto& row : rows_) line([&](std::size_t c) { return row[c]; });
  return out;
}

std::string Table::text() const {
  const std::size_t page = page_width();
  const std::vector<std::size_t> width = widths(page);
  std::string out;
  // where not all columns fit, the first one stands before each part of the others
  for (std::size_t c = 1; c <= columns_.size();) {
    std::vector<std::size_t> shown{0};
    for (std::size_t all = width[0]; c < columns_.size(); c++) {
      if (all + kBetween + width[c] > page && shown.size() > 1) break;
      all += kBetween + width[c];
      shown.push_back(c);
    }
    out += (out.empty() ? "" : "\n") + piece(shown, width);
    if (c == columns_.size()) break;
  }
  return out;
}

}  // namespace rowan::tool
