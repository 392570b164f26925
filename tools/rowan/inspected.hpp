#pragma once
// The three ways to print an inspection. Rows are printed one by one, never gathered.
#include "tools/rowan/writer.hpp"
#include <rowan/inspection.hpp>

namespace rowan::tool {

/// Half-open, within the matrix.
struct RowRange {
  std::int64_t first = 0, last = 0;
};

struct Shown {
  const Inspection& inspection;
  RowRange rows;
  bool rows_asked = false;  // the table prints rows only then
  bool measured = false;
};

void print_table(Writer& out, const Shown& shown);
void print_csv(Writer& out, const Shown& shown);
void print_json(Writer& out, const Shown& shown);

}  // namespace rowan::tool
