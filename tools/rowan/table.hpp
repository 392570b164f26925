#pragma once
// Columns that line up.
#include <string>
#include <vector>

namespace rowan::tool {

class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit Table(std::vector<Column> columns);

  /// One cell a column. Cells and titles become printable (printable.hpp).
  void add(const std::vector<std::string>& cells);

  /// Titles, if there are any, and rows; two blanks between columns, none at the ends of lines. Made to fit the page
  /// (width.hpp): words go on in further lines; where that is not enough, the columns come in several parts, each
  /// behind the first column.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths(std::size_t page) const;
  [[nodiscard]] std::string piece(const std::vector<std::size_t>& shown, const std::vector<std::size_t>& width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace rowan::tool
