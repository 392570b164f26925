#include "lib/host/galerkin/sizes.hpp"

#include <mutex>

namespace rowan::fused {
namespace {

constexpr std::int64_t kRowsATask = 1 << 14;  // rows a task reads

std::int64_t longest_row(const Pattern& m) {
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < m.rows; i++) longest = std::max(longest, m.length(i));
  return longest;
}

/// The product of both, or `most` where that is less.
std::int64_t product_up_to(std::int64_t x, std::int64_t y, std::int64_t most) {
  return x != 0 && y > most / x ? most : std::min(x * y, most);
}

/// Rows of R in order, cut where about a share of all entries is reached.
void cut_rows(const Pattern& r, std::int64_t pieces, GalerkinSizes& sizes) {
  Chunk next{0, 0, 0};
  const auto share = [&](std::int64_t row) {
    return static_cast<double>(r.ptr[row]) / static_cast<double>(std::max<std::int64_t>(r.nnz(), 1));
  };
  for (std::int64_t i = 0; i < r.rows; i++) {
    const std::int64_t bound = product_up_to(r.length(i), sizes.longest_middle, sizes.cols);
    next.last = i + 1, next.bound += bound;
    sizes.bound += bound, sizes.longest = std::max(sizes.longest, bound);
    if (r.length(i) != 0) {
      const std::int64_t from = r.col[r.ptr[i]], to = r.col[r.ptr[i + 1] - 1];
      sizes.window = std::max(sizes.window, to - from + 1);
    }
    if (i + 1 < r.rows && share(i + 1) * static_cast<double>(pieces) < static_cast<double>(sizes.chunks.size() + 1))
      continue;
    sizes.chunks.push_back(next);
    next = {i + 1, i + 1, 0};
  }
}

}  // namespace

GalerkinSizes galerkin_sizes(const Pattern& r, const Pattern& a, const Pattern& p, std::int64_t pieces,
                             const Team& team) {
  GalerkinSizes all{.cols = p.cols, .chunks = {}};
  std::mutex lock;
  team.for_blocks(a.rows, kRowsATask, [&](std::int64_t from, std::int64_t to) {
    std::int64_t n = 0;
    for (std::int64_t k = a.ptr[from], end = a.ptr[to]; k < end; k++) n += p.length(a.col[k]);
    const std::lock_guard guard(lock);
    all.nprod_ap += n;
  });
  all.longest_middle = product_up_to(longest_row(a), longest_row(p), p.cols);
  cut_rows(r, std::max<std::int64_t>(pieces, 1), all);
  if (all.bound > kMaxOffset) all.chunks.clear();
  return all;
}

}  // namespace rowan::fused
