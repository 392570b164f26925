#include "tools/rowan/table.hpp"

#include <algorithm>

#include "tools/rowan/printable.hpp"

namespace rowan::tool {

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (Column& column : columns_) column.title = printable(column.title);
}

void Table::add(const std::vector<std::string>& cells) {
  std::vector<std::string>& row = rows_.emplace_back();
  for (const std::string& cell : cells) row.push_back(printable(cell));
}

std::string Table::text() const {
  std::vector<std::size_t> width;
  std::vector<std::string> titles;
  for (std::size_t c = 0; c < columns_.size(); c++) {
    titles.push_back(columns_[c].title);
    width.push_back(columns_[c].title.size());
    for (const auto& row : rows_) width[c] = std::max(width[c], row[c].size());
  }
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t c = 0; c < cells.size(); c++) {
      const std::string blanks(width[c] - cells[c].size(), ' ');
      text += c == 0 ? "" : "  ";
      text += columns_[c].align == Align::left ? cells[c] + blanks : blanks + cells[c];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  if (std::any_of(titles.begin(), titles.end(), [](const std::string& t) { return !t.empty(); })) line(titles);
  for (const auto& row : rows_) line(row);
  return out;
}

}  // namespace rowan::tool
