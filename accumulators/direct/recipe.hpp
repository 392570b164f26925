#pragma once
// What the rows of one shift run have in common: C's columns up to a constant, and for each entry of C which entries of
// A's row and of B's rows are multiplied for it, in which order. Found once for the first row, followed by all.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "accumulators/candidate.hpp"

namespace rowan::direct {

inline constexpr std::int64_t kTile = 32;  // rows whose values are transposed together
inline constexpr std::int64_t kExtra = 8;  // further rows of B in a block, where rows of A meet overlapping rows of B
inline constexpr std::int64_t kStride = kTile + kExtra;
inline constexpr std::size_t kVectorColumns = 16;  // columns are read a vector at a time

/// One product: where in the transposed tiles its factors are, for the tile's first row.
struct Factors {
  std::uint32_t a, b;
};

/// Rows first .. first + kTile + extra of B, stored entry by entry from `base` on.
struct TransposedRows {
  std::int64_t first;
  std::uint32_t base, extra;
};

struct Recipe {
  std::span<const Column> col;         // of C's first row
  std::span<const std::uint32_t> end;  // products of entry k: [end[k - 1], end[k])
  const Factors* products = nullptr;
  std::span<const TransposedRows> b_rows;
};

/// What persists from task to task: the recipe of row `row`, whose parts are behind it.
struct PersistentRecipe {
  bool known;
  std::int64_t row;
  Recipe recipe;
};

/// Where recipes and transposed tiles are in the scratch; sizes for all rows of an extent.
struct ShiftLayout {
  std::size_t bits, head, list, position_of, position, col, end, products, b_rows, recipe;  // bytes
  std::size_t transposed_a, transposed_b, transposed_c, out_val, out_col;                   // bytes

  ShiftLayout(const Extent& e, std::size_t value_bytes);
  [[nodiscard]] ScratchBytes total() const {
    return {bits, transposed_a + transposed_b + transposed_c + out_val + out_col, head + recipe};
  }
};

/// Where the rows from i on that are one another moved by one column end.
[[nodiscard]] inline std::int64_t end_of_shifts(const CRow* rows, std::int64_t i, std::int64_t last) noexcept {
  for (i += rows[i].run.shifts; i < last && rows[i].run.shifted;) i += rows[i].run.shifts;
  return std::min(i, last);
}

/// The recipe of row i and the rows behind it. O(products + span / 64). `scratch` as ShiftLayout says; the recipe lives
/// in it.
[[nodiscard]] Recipe make_recipe(const Pattern& a, const Pattern& b, const RowRun* b_run, const CRow& row,
                                 std::int64_t i, const ShiftLayout& layout, const Scratch& scratch);

/// Where a recipe's rows of B and columns of C are for another row: this many behind.
struct RecipeShift {
  std::int64_t rows = 0;
  Column columns = 0;
};

/// How the recipe of row `known` serves row i, too; empty where their products are not alike. One comparison a product:
/// a tenth of what a recipe takes. Lines of a grid behind one another are alike.
[[nodiscard]] std::optional<RecipeShift> shift_to(const Pattern& a, const Pattern& b, const RowRun* b_run,
                                                  const CRow* rows, const Recipe& recipe, std::int64_t known,
                                                  std::int64_t i);

/// A recipe that serves row i and the rows of its run: the last one made where it does, else a new one, which replaces
/// it.
struct FoundRecipe {
  const Recipe& recipe;
  RecipeShift offset;
};
template <class Task>
[[nodiscard]] FoundRecipe find_recipe(const Task& t, const ShiftLayout& layout, std::int64_t i) {
  auto& last = *reinterpret_cast<PersistentRecipe*>(t.scratch.persistent);
  if (last.known)
    if (const auto offset = shift_to(t.a, t.b, t.b_run, t.rows, last.recipe, last.row, i))
      return {last.recipe, *offset};
  last = {true, i, make_recipe(t.a, t.b, t.b_run, t.rows[i], i, layout, t.scratch)};
  return {last.recipe, {}};
}

}  // namespace rowan::direct
