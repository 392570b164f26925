#include "accumulators/direct/kept_rows.hpp"

namespace rowan::direct {

KeptRow*& KeptRows::slot(const Pattern& a, const Pattern& b, std::int64_t i) noexcept {
  const Column* const row = a.col + a.ptr[i];
  const std::int64_t m = a.length(i), step = std::max<std::int64_t>(1, m / 16);
  const auto first = static_cast<std::uint32_t>(b.length(row[0]) == 0 ? 0 : b.col[b.ptr[row[0]]]);
  auto hash = static_cast<std::uint64_t>(m);
  for (std::int64_t e = 0; e < m; e += step) {
    const auto length = static_cast<std::uint32_t>(b.length(row[e]));
    const std::uint32_t column = length == 0 ? 0 : static_cast<std::uint32_t>(b.col[b.ptr[row[e]]]) - first;
    hash = (hash ^ (std::uint64_t{length} << 32 | column)) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32;
  }
  return slot_[hash % kSlots];
}

KeptRow* KeptRows::keep(const Pattern& a, const Pattern& b, std::int64_t i, std::span<const Column> col,
                        ColumnPositions::Position* position, std::int64_t begin, Column lo) noexcept {
  const Column* const row = a.col + a.ptr[i];
  const std::int64_t m = a.length(i), n = std::ssize(col);
  if (n > kKeptEntries || b.length(row[0]) == 0) return nullptr;
  std::int64_t b_columns = 0, products = 0;
  for (std::int64_t e = 0; e < m; e++) b_columns += padded(b.length(row[e])), products += b.length(row[e]);
  const auto bytes = [](std::int64_t count, std::size_t each) {
    return aligned(static_cast<std::size_t>(count) * each);
  };
  const std::size_t needed = bytes(1, sizeof(KeptRow)) + bytes(m, sizeof(MetRow)) + bytes(b_columns, sizeof(Column)) +
                             bytes(products, 1) + bytes(kKeptEntries, sizeof(Column));
  if (needed > kKeptRoom / 4) return nullptr;
  if (used_ + needed > kKeptRoom) {
    std::ranges::fill(slot_, nullptr);
    used_ = 0, last = nullptr;
  }
  const std::size_t used_before = used_;
  auto* const kept = room<KeptRow>(1);
  auto* const met = room<MetRow>(m);
  auto* const columns = room<Column>(b_columns);
  auto* const position_of = room<std::uint8_t>(products);
  auto* const c_columns = room<Column>(kKeptEntries);
  const auto first = static_cast<std::uint32_t>(b.col[b.ptr[row[0]]]);
  const auto from_first = [first](Column column) {
    return static_cast<Column>(static_cast<std::uint32_t>(column) - first);
  };
  for (std::int64_t e = 0; e < n; e++) {
    position[col[static_cast<std::size_t>(e)] - lo] = static_cast<ColumnPositions::Position>(begin + e);
    c_columns[e] = from_first(col[static_cast<std::size_t>(e)]);
  }
  std::int64_t at = 0, product = 0;
  for (std::int64_t e = 0; e < m; e++) {
    const std::int64_t length = b.length(row[e]), behind = at + padded(length);
    met[e] = {.positions = 0,
              .length = static_cast<std::int32_t>(length),
              .first_lanes = static_cast<std::uint16_t>((1 << std::min<std::int64_t>(length, kKeptColumns)) - 1)};
    for (std::int64_t l = b.ptr[row[e]]; l < b.ptr[row[e] + 1]; l++) {
      const std::int64_t p = position[b.col[l] - lo] - begin;
      if (met[e].positions >> p != 0) {  // the row of B does not rise
        used_ = used_before;
        return nullptr;
      }
      met[e].positions |= std::uint64_t{1} << p;
      columns[at++] = from_first(b.col[l]), position_of[product++] = static_cast<std::uint8_t>(p);
    }
    std::fill(columns + at, columns + behind, 0);
    at = behind;
  }
  *kept = {m, n, nullptr, met, columns, position_of, c_columns};
  return kept;
}

}  // namespace rowan::direct
