#include "lib/generate/random.hpp"

#include <algorithm>

namespace rowan::gen {
namespace {

/// Takes each in turn with the share that is still wanted (Knuth's algorithm S).
void select(Random& random, std::int64_t n, std::int64_t from, std::int64_t to, std::vector<std::int32_t>& out) {
  for (std::int64_t j = from; n > 0; j++)
    if (n == to - j || random.below(to - j) < n) out.push_back(static_cast<std::int32_t>(j)), n--;
}

}  // namespace

void choose(Random& random, std::int64_t n, std::int64_t from, std::int64_t to, std::vector<std::int32_t>& out) {
  if (2 * n >= to - from) return select(random, std::min(n, to - from), from, to, out);
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  const std::size_t wanted = out.size() + static_cast<std::size_t>(n);
  while (out.size() < wanted) {  // what was drawn twice is drawn again
    while (out.size() < wanted) out.push_back(static_cast<std::int32_t>(from + random.below(to - from)));
    std::sort(out.begin() + first, out.end());
    out.erase(std::unique(out.begin() + first, out.end()), out.end());
  }
}

}  // namespace rowan::gen
