#pragma once
// The ways to show an inspection.
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "tools/rowan/common.hpp"
#include "tools/rowan/measured.hpp"
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

/// What pictures show besides: the operands, the product, and what making it took.
struct Pictured {
  std::string name;
  const Common& common;  // where the policy comes from
  CsrView<double> a;
  std::optional<Csr<double>> c = {};  // empty where there was no memory for it
  std::optional<Done> done = {};      // the same; the fastest multiplication
  int times = 0;                      // multiplications
};

/// Everything but the rows.
[[nodiscard]] nlohmann::ordered_json json_of(const Inspection& inspection);

/// Time of the chosen candidates over that of each bin's fastest, all bins together; 0 where nothing was measured.
[[nodiscard]] double regret_of(const Inspection& inspection);

// rows are printed one by one, never gathered
void print_table(Writer& out, const Shown& shown);
void print_csv(Writer& out, const Shown& shown);
void print_json(Writer& out, const Shown& shown);

/// A page that needs nothing but itself, with the rows that are shown, of which it holds no more than two million.
void print_page(Writer& out, const Shown& shown, const Pictured& pictured);

/// A picture for documents: A and C coloured by accumulator, and the bins.
void print_svg(Writer& out, const Shown& shown, const Pictured& pictured);

/// "#2f6fde": the colour of a candidate in pages and pictures, readable on light and dark.
[[nodiscard]] std::string colour_of(std::size_t candidate);

/// By bin: the number of its candidate.
[[nodiscard]] std::vector<std::uint8_t> candidates_of_bins(const Inspection& inspection);

}  // namespace rowan::tool
