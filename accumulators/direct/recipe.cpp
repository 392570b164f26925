#include "accumulators/direct/recipe.hpp"

#include <bit>
#include <utility>

#include "accumulators/common/scratch.hpp"

namespace rowan::direct {
namespace {

/// Hands out parts of the scratch, one after another.
class ScratchParts {
 public:
  explicit ScratchParts(std::byte* at) : at_(at) {}
  template <class T>
  T* take(std::size_t bytes) {
    return reinterpret_cast<T*>(std::exchange(at_, at_ + bytes));
  }

 private:
  std::byte* at_;
};

/// Whether rows of B behind `from`, up to `to`, are each the one before moved by one column.
bool all_shifted(const RowRun* b_run, std::int64_t from, std::int64_t to) {
  for (std::int64_t j = from + 1; j <= to; j++)
    if (!b_run[j].shifted) return false;
  return true;
}

}  // namespace

ShiftLayout::ShiftLayout(const Extent& e, std::size_t value_bytes) {
  const auto nprod = static_cast<std::size_t>(e.nprod_max), entries = static_cast<std::size_t>(e.bound_max);
  const auto words = static_cast<std::size_t>(words_of(e.span_max)), a_nnz = static_cast<std::size_t>(e.a_nnz_max);
  bits = aligned(words * sizeof(Word));
  head = aligned(sizeof(PersistentRecipe));
  list = aligned(words * sizeof(std::uint32_t));
  position_of = aligned(words * 64 * sizeof(std::uint32_t));
  position = aligned(nprod * sizeof(std::uint32_t));
  col = aligned((entries + kVectorColumns) * sizeof(Column));
  end = aligned((entries + 1) * sizeof(std::uint32_t));
  products = aligned(nprod * sizeof(Factors));
  b_rows = aligned(a_nnz * sizeof(TransposedRows));
  recipe = list + position_of + position + col + end + products + b_rows;
  transposed_a = aligned(a_nnz * kTile * value_bytes);
  transposed_b = aligned(nprod * kStride * value_bytes);
  transposed_c = aligned(entries * kTile * value_bytes);
  constexpr std::size_t kMore = kVectorColumns + 32;  // written behind the last row; LineWriter::kMore
  out_val = aligned((entries * kTile + kMore) * value_bytes);
  out_col = aligned((entries * kTile + kMore) * sizeof(Column));
}

// Four steps over the row's products, in A's order: mark their columns; number the columns that are marked; count the
// products of each; write each product's factors behind those of its column before it (a stable counting sort, so an
// entry's products stay in the order of A's entries).
Recipe make_recipe(const Pattern& a, const Pattern& b, const RowRun* b_run, const CRow& row, std::int64_t i,
                   const ShiftLayout& layout, const Scratch& scratch) {
  auto* const bits = reinterpret_cast<Word*>(scratch.zeroed);
  ScratchParts parts(scratch.persistent + layout.head);
  auto* const list = parts.take<std::uint32_t>(layout.list);
  auto* const position_of = parts.take<std::uint32_t>(layout.position_of);  // by column from row.lo; where a bit is set
  auto* const position = parts.take<std::uint32_t>(layout.position);        // by product: its column's, in C's row
  auto* const col = parts.take<Column>(layout.col);
  auto* const end = parts.take<std::uint32_t>(layout.end);
  auto* const products = parts.take<Factors>(layout.products);
  auto* const b_rows = parts.take<TransposedRows>(layout.b_rows);
  const std::int64_t first = a.ptr[i], last = a.ptr[i + 1];
  const auto for_products = [&](const auto& f) {
    for (std::int64_t e = first; e < last; e++)
      for (std::int64_t k = b.ptr[a.col[e]]; k < b.ptr[a.col[e] + 1]; k++)
        f(static_cast<std::uint32_t>(b.col[k]) - static_cast<std::uint32_t>(row.lo));
  };

  for_products([&](std::uint32_t at) { bits[at >> 6] |= Word{1} << (at & 63); });

  // n columns; the words of the bitmap that have some are listed, and cleared at the end
  std::uint32_t n = 0, listed = 0;
  const auto words = static_cast<std::uint32_t>(words_of(row.span()));
  for (std::uint32_t q = 0; q < words; q++) {
    if (bits[q] == 0) continue;
    list[listed++] = q;
    for (Word m = bits[q]; m != 0; m &= m - 1) {
      const std::uint32_t at = q * 64 + static_cast<std::uint32_t>(std::countr_zero(m));
      position_of[at] = n, col[n++] = row.lo + static_cast<Column>(at);
    }
  }
  for (std::uint32_t l = 0; l < listed; l++) bits[list[l]] = 0;

  // begin[p]: where entry p's products begin, the number of products of the entries before it. It is filled from p on,
  // as these are written, and so is where they end at last: `begin` and `end` are one array.
  std::uint32_t* const begin = end;
  std::fill(begin, begin + n + 1, 0U);
  std::uint32_t s = 0;
  for_products([&](std::uint32_t at) {
    position[s] = position_of[at];
    begin[position[s++] + 1]++;
  });
  for (std::uint32_t p = 1; p <= n; p++) begin[p] += begin[p - 1];

  // Rows of B that follow one another, moved by one column each, are transposed as one block.
  std::size_t blocks = 0;
  std::uint32_t block_base = 0;  // of the next block
  s = 0;
  for (std::int64_t e = first; e < last; e++) {
    const std::int64_t j = a.col[e], length = b.length(j);
    const std::int64_t ahead = blocks == 0 ? -1 : j - b_rows[blocks - 1].first;
    if (ahead < 0 || ahead > kExtra || !all_shifted(b_run, b_rows[blocks - 1].first, j)) {
      b_rows[blocks++] = {j, block_base, 0};
      block_base += static_cast<std::uint32_t>(length * kStride);
    }
    TransposedRows& block = b_rows[blocks - 1];
    const auto extra = static_cast<std::uint32_t>(j - block.first);
    block.extra = std::max(block.extra, extra);
    for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(length); k++)
      products[begin[position[s++]]++] = {static_cast<std::uint32_t>((e - first) * kTile),
                                          block.base + k * static_cast<std::uint32_t>(kStride) + extra};
  }
  // every begin[p] has moved to where entry p's products end
  return {{col, n}, {end, n}, products, {b_rows, blocks}};
}

std::optional<RecipeShift> shift_to(const Pattern& a, const Pattern& b, const RowRun* b_run, const CRow* rows,
                                    const Recipe& recipe, std::int64_t known, std::int64_t i) {
  const std::int64_t m = a.length(i);
  if (m != a.length(known) || rows[i].nprod != rows[known].nprod) return std::nullopt;
  const Column *const here = a.col + a.ptr[i], *const there = a.col + a.ptr[known];
  const RecipeShift by{here[0] - there[0], rows[i].lo - rows[known].lo};
  for (std::int64_t e = 0; e < m; e++) {
    const std::int64_t n = b.length(here[e]);
    if (here[e] - there[e] != by.rows || n != b.length(there[e])) return std::nullopt;
    const Column *const columns = b.col + b.ptr[here[e]], *const others = b.col + b.ptr[there[e]];
    Column differ = 0;
    for (std::int64_t k = 0; k < n; k++) differ |= (columns[k] - others[k]) ^ by.columns;
    if (differ != 0) return std::nullopt;
  }
  for (const TransposedRows& block : recipe.b_rows)
    if (!all_shifted(b_run, block.first + by.rows, block.first + by.rows + block.extra)) return std::nullopt;
  return by;
}

}  // namespace rowan::direct
