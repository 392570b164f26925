#include "lib/device/pipeline/needed_rows.hpp"

#include <algorithm>
#include <bit>

#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr std::int64_t kGatheredRows = 1 << 12, kRenumbered = 1 << 16;  // of B, and entries of A, in a task

}  // namespace

template <class T>
RowGatherer<T>::RowGatherer(const Operand<T>& a, const Operand<T>& b) : a_(a), b_(b) {}

/// B is then sent as it is with every chunk, which is as large as B at least: at most twice as much travels, and
/// nothing is copied on the host.
template <class T>
bool RowGatherer<T>::small_b(std::int64_t bytes) const {
  return bytes_of_b() <= bytes / 2;
}

template <class T>
std::int64_t RowGatherer<T>::mark(std::int64_t row) {
  fresh_.clear();
  std::int64_t bytes = 0;
  for (std::int64_t e = a_.ptr[row]; e < a_.ptr[row + 1]; e++) {
    const Column j = a_.col[e];
    std::uint64_t& word = named_[word_of(j)];
    if ((word & bit_of(j)) != 0) continue;
    word |= bit_of(j);
    fresh_.push_back(j), bytes += 8 + b_.length(j) * kEntry;
  }
  return bytes;
}

template <class T>
RowRange RowGatherer<T>::mark_all(RowRange rows, std::int64_t bytes) {
  named_.assign(static_cast<std::size_t>(b_.rows / kWord + 1), 0);
  named_bytes_ = 0;
  marked_ = {rows.first, rows.first};
  for (; marked_.last < rows.last; marked_.last++) {
    const std::int64_t row = marked_.last, more = mark(row);
    if (row > rows.first && bytes_of_a({rows.first, row + 1}) + named_bytes_ + more > bytes) {
      for (const Column j : fresh_) named_[word_of(j)] &= ~bit_of(j);
      break;
    }
    named_bytes_ += more;
  }
  return marked_;
}

template <class T>
RowRange RowGatherer<T>::fitting(RowRange rows, std::int64_t bytes) {
  if (rows.size() < 2) return rows;
  if (small_b(bytes)) {
    const std::int64_t room = bytes - bytes_of_b();
    std::int64_t low = rows.first + 1, high = rows.last;
    while (low < high) {
      const std::int64_t middle = low + (high - low + 1) / 2;
      if (bytes_of_a({rows.first, middle}) <= room)
        low = middle;
      else
        high = middle - 1;
    }
    return {rows.first, low};
  }
  return mark_all(rows, bytes);
}

template <class T>
NeededRows<T> RowGatherer<T>::with_all_of_b(RowRange rows, const Team& team) const {
  NeededRows<T> part;
  part.a_ptr = Array<std::int64_t>(rows.size() + 1);
  const std::int64_t begin = a_.ptr[rows.first];
  team.for_blocks(rows.size() + 1, kRenumbered, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; i++) part.a_ptr[i] = a_.ptr[rows.first + i] - begin;
  });
  part.a = {{.rows = rows.size(), .cols = a_.cols, .ptr = part.a_ptr.data(), .col = a_.col + begin}, a_.val + begin};
  part.b = b_;
  return part;
}

template <class T>
NeededRows<T> RowGatherer<T>::gather(RowRange rows, std::int64_t bytes, const Team& team) {
  NeededRows<T> part = with_all_of_b(rows, team);
  if (small_b(bytes)) return part;
  if (marked_.first != rows.first || marked_.last != rows.last) (void)mark_all(rows, INT64_MAX);
  constexpr double kNearlyAll = 0.9;
  if (static_cast<double>(named_bytes_) >= kNearlyAll * static_cast<double>(bytes_of_b()) &&
      bytes_of_a(rows) + bytes_of_b() <= bytes)
    return part;
  before_.resize(named_.size());
  std::int64_t n = 0;
  for (std::size_t w = 0; w < named_.size(); w++) before_[w] = std::exchange(n, n + std::popcount(named_[w]));
  part.a_col = Array<Column>(part.a.nnz());
  team.for_blocks(part.a.nnz(), kRenumbered, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t e = from; e < to; e++) {
      const Column j = part.a.col[e];
      const std::size_t w = word_of(j);
      part.a_col[e] = static_cast<Column>(before_[w] + std::popcount(named_[w] & (bit_of(j) - 1)));
    }
  });
  part.b_ptr = Array<std::int64_t>(n + 1);
  std::vector<Column> names(static_cast<std::size_t>(n));
  std::int64_t row = 0, nnz = 0;
  for (std::size_t w = 0; w < named_.size(); w++)
    for (std::uint64_t left = named_[w]; left != 0; left &= left - 1) {
      const auto j = static_cast<Column>(static_cast<std::int64_t>(w) * kWord + std::countr_zero(left));
      names[static_cast<std::size_t>(row)] = j;
      part.b_ptr[row++] = std::exchange(nnz, nnz + b_.length(j));
    }
  part.b_ptr[n] = nnz;
  part.b_col = Array<Column>(nnz), part.b_val = Array<T>(nnz);
  team.for_blocks(n, kGatheredRows, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t k = from; k < to; k++) {
      const std::int64_t begin = b_.ptr[names[static_cast<std::size_t>(k)]], length = part.b_ptr[k + 1] - part.b_ptr[k];
      std::copy_n(b_.col + begin, length, part.b_col.data() + part.b_ptr[k]);
      std::copy_n(b_.val + begin, length, part.b_val.data() + part.b_ptr[k]);
    }
  });
  part.a.cols = n, part.a.col = part.a_col.data();
  part.b = {{.rows = n, .cols = b_.cols, .ptr = part.b_ptr.data(), .col = part.b_col.data()}, part.b_val.data()};
  return part;
}

#define ROWAN_INSTANTIATE(T) template class RowGatherer<T>;
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
