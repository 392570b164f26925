#include "accumulators/direct/recipe.hpp"

#include <bit>
#include <utility>

#include "accumulators/dense/layout.hpp"

namespace rowan::direct {
namespace {

using dense::aligned;
using Word = std::uint64_t;

/// Hands out pieces of the scratch, one after another.
class Pieces {
 public:
  explicit Pieces(std::byte* at) : at_(at) {}
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
  const auto words = static_cast<std::size_t>(dense::words_of(e.span_max)),
             a_nnz = static_cast<std::size_t>(e.a_nnz_max);
  bits = aligned(words * sizeof(Word));
  head = aligned(sizeof(KeptRecipe));
  list = aligned(words * sizeof(std::uint32_t));
  slot = aligned(words * 64 * sizeof(std::uint32_t));
  place = aligned(nprod * sizeof(std::uint32_t));
  col = aligned((entries + kVectorColumns) * sizeof(std::int32_t));
  end = aligned((entries + 1) * sizeof(std::uint32_t));
  products = aligned(nprod * sizeof(Factors));
  b_rows = aligned(a_nnz * sizeof(TurnedRows));
  recipe = list + slot + place + col + end + products + b_rows;
  turned_a = aligned(a_nnz * kTile * value_bytes);
  turned_b = aligned(nprod * kStride * value_bytes);
  turned_c = aligned(entries * kTile * value_bytes);
  constexpr std::size_t kMore = kVectorColumns + 32;  // rubbish behind the last row; LineWriter::kMore
  out_val = aligned((entries * kTile + kMore) * value_bytes);
  out_col = aligned((entries * kTile + kMore) * sizeof(std::int32_t));
}

Recipe make_recipe(const Pattern& a, const Pattern& b, const RowRun* b_run, const CRow& row, std::int64_t i,
                   const ShiftLayout& layout, const Scratch& scratch) {
  auto* const bits = reinterpret_cast<Word*>(scratch.zeroed);
  Pieces pieces(scratch.kept + layout.head);
  auto* const list = pieces.take<std::uint32_t>(layout.list);
  auto* const slot = pieces.take<std::uint32_t>(layout.slot);  // by column: its place; set where a bit is
  auto* const place = pieces.take<std::uint32_t>(layout.place);
  auto* const col = pieces.take<std::int32_t>(layout.col);
  auto* const end = pieces.take<std::uint32_t>(layout.end);
  auto* const products = pieces.take<Factors>(layout.products);
  auto* const b_rows = pieces.take<TurnedRows>(layout.b_rows);
  const std::int64_t first = a.ptr[i], last = a.ptr[i + 1];
  const auto for_products = [&](const auto& f) {
    for (std::int64_t e = first; e < last; e++)
      for (std::int64_t k = b.ptr[a.col[e]]; k < b.ptr[a.col[e] + 1]; k++)
        f(static_cast<std::uint32_t>(b.col[k]) - static_cast<std::uint32_t>(row.lo));
  };

  // columns of C, and of each product the place of its column among them
  for_products([&](std::uint32_t at) { bits[at >> 6] |= Word{1} << (at & 63); });
  std::uint32_t n = 0, listed = 0;
  const auto words = static_cast<std::uint32_t>(dense::words_of(row.span()));
  for (std::uint32_t q = 0; q < words; q++) {
    if (bits[q] == 0) continue;
    list[listed++] = q;
    for (Word m = bits[q]; m != 0; m &= m - 1) {
      const std::uint32_t at = q * 64 + static_cast<std::uint32_t>(std::countr_zero(m));
      slot[at] = n, col[n++] = row.lo + static_cast<std::int32_t>(at);
    }
  }
  std::fill(end, end + n + 1, 0U);
  std::uint32_t s = 0;
  for_products([&](std::uint32_t at) {
    place[s] = slot[at];
    end[place[s++] + 1]++;
  });
  for (std::uint32_t l = 0; l < listed; l++) bits[list[l]] = 0;

  // stable counting sort: an entry's products stay in the order of A's entries
  for (std::uint32_t k = 1; k <= n; k++) end[k] += end[k - 1];
  std::size_t blocks = 0;
  std::uint32_t room = 0;
  s = 0;
  for (std::int64_t e = first; e < last; e++) {
    const std::int64_t j = a.col[e], length = b.length(j);
    const std::int64_t ahead = blocks == 0 ? -1 : j - b_rows[blocks - 1].first;
    if (ahead < 0 || ahead > kExtra || !all_shifted(b_run, b_rows[blocks - 1].first, j)) {
      b_rows[blocks++] = {j, room, 0};
      room += static_cast<std::uint32_t>(length * kStride);
    }
    TurnedRows& block = b_rows[blocks - 1];
    const auto extra = static_cast<std::uint32_t>(j - block.first);
    block.extra = std::max(block.extra, extra);
    for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(length); k++)
      products[end[place[s++]]++] = {static_cast<std::uint32_t>((e - first) * kTile),
                                     block.base + k * static_cast<std::uint32_t>(kStride) + extra};
  }
  return {{col, n}, {end, n}, products, {b_rows, blocks}};
}

std::optional<Moved> moved_to(const Pattern& a, const Pattern& b, const RowRun* b_run, const CRow* rows,
                              const Recipe& recipe, std::int64_t known, std::int64_t i) {
  const std::int64_t m = a.length(i);
  if (m != a.length(known) || rows[i].nprod != rows[known].nprod) return std::nullopt;
  const std::int32_t *const here = a.col + a.ptr[i], *const there = a.col + a.ptr[known];
  const Moved by{here[0] - there[0], rows[i].lo - rows[known].lo};
  for (std::int64_t e = 0; e < m; e++) {
    const std::int64_t n = b.length(here[e]);
    if (here[e] - there[e] != by.rows || n != b.length(there[e])) return std::nullopt;
    const Column *const columns = b.col + b.ptr[here[e]], *const others = b.col + b.ptr[there[e]];
    std::int32_t differ = 0;
    for (std::int64_t k = 0; k < n; k++) differ |= (columns[k] - others[k]) ^ by.columns;
    if (differ != 0) return std::nullopt;
  }
  for (const TurnedRows& block : recipe.b_rows)
    if (!all_shifted(b_run, block.first + by.rows, block.first + by.rows + block.extra)) return std::nullopt;
  return by;
}

}  // namespace rowan::direct
