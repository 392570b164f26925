#include "lib/generate/build.hpp"

#include <algorithm>

#include "lib/generate/random.hpp"

namespace rowan::gen {
namespace {

constexpr std::int64_t kGrain = 1 << 11;  // rows

/// 0.5 and a multiple of 2^-52 below 1: exact.
double value(std::uint64_t seed, std::int64_t i, std::int64_t j) {
  const std::uint64_t place = static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint64_t>(j);
  return 0.5 + static_cast<double>(mix(mix(seed + place) + kGolden) >> 12) * 0x1p-52;
}

}  // namespace

Csr<double> from_rows(const Build& build, const std::function<void(std::int64_t, std::vector<std::int32_t>&)>& row) {
  const Team team;
  const std::int64_t blocks = (build.rows + kGrain - 1) / kGrain;
  std::vector<std::vector<std::int32_t>> part(static_cast<std::size_t>(blocks));
  const auto part_of = [&](std::int64_t i) -> auto& {
    return part[static_cast<std::size_t>(i / kGrain)];
  };
  Array<std::int64_t> ptr(build.rows + 1);
  ptr[0] = 0;
  team.for_blocks(build.rows, kGrain, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; i++) {
      row(i, part_of(first));
      ptr[i + 1] = std::ssize(part_of(first));
    }
  });
  std::vector<std::int64_t> before{0};  // entries of the blocks before
  for (const auto& p : part) before.push_back(before.back() + std::ssize(p));

  Array<std::int32_t> col(before.back());
  Array<double> val(before.back());
  const std::uint64_t seed = Random(build.seed, kValueStream).bits();
  team.for_blocks(build.rows, kGrain, [&](std::int64_t first, std::int64_t last) {
    const std::int64_t start = before[static_cast<std::size_t>(first / kGrain)];
    std::copy(part_of(first).begin(), part_of(first).end(), col.data() + start);
    part_of(first) = {};
    std::int64_t k = start;
    for (std::int64_t i = first; i < last; i++) {
      ptr[i + 1] += start;
      for (; k < ptr[i + 1]; k++) {
        const bool mirrored = build.symmetric && col[k] > i;
        val[k] = mirrored ? value(seed, col[k], i) : value(seed, i, col[k]);
      }
    }
  });
  return {build.rows, build.cols, std::move(ptr), std::move(col), std::move(val)};
}

// Lists are dealt out to buckets of consecutive rows, and these are sorted: pieces that fit a cache throughout.
Csr<double> from_pairs(const Build& build, std::vector<Pairs> lists) {
  constexpr std::int64_t kMostBuckets = 1024;  // more streams would be too many for write buffers and page tables
  const Team team;
  int shift = 32;
  while (build.rows >> (shift - 32) > kMostBuckets) shift++;
  const auto bucket_of = [&](std::uint64_t pair) { return static_cast<std::size_t>(pair >> shift); };
  const std::size_t buckets = bucket_of(static_cast<std::uint64_t>(build.rows) << 32) + 1;
  const auto for_lists = [&](const auto& f) {
    team.for_blocks(std::ssize(lists), 1, [&](std::int64_t l, std::int64_t) { f(static_cast<std::size_t>(l)); });
  };

  std::vector<std::vector<std::size_t>> place(lists.size());  // of each list's next pair in each bucket
  for_lists([&](std::size_t l) {
    place[l].resize(buckets);
    for (const std::uint64_t pair : lists[l]) place[l][bucket_of(pair)]++;
  });
  std::vector<std::size_t> begin{0};  // of each bucket
  for (std::size_t b = 0, next = 0; b < buckets; b++, begin.push_back(next))
    for (auto& of_list : place) next += std::exchange(of_list[b], next);
  Array<std::uint64_t> pairs(begin.back());
  for_lists([&](std::size_t l) {
    for (const std::uint64_t pair : lists[l]) pairs[place[l][bucket_of(pair)]++] = pair;
    lists[l] = {};
  });
  team.for_blocks(static_cast<std::int64_t>(buckets), 1, [&](std::int64_t b, std::int64_t) {
    std::sort(pairs.data() + begin[static_cast<std::size_t>(b)], pairs.data() + begin[static_cast<std::size_t>(b) + 1]);
  });

  return from_rows(build, [&](std::int64_t i, std::vector<Column>& columns) {
    const auto row = static_cast<std::uint64_t>(i);
    const std::size_t b = bucket_of(row << 32);
    const auto* at = std::lower_bound(pairs.data() + begin[b], pairs.data() + begin[b + 1], row << 32);
    for (const auto* const end = pairs.data() + begin[b + 1]; at != end && *at >> 32 == row; ++at)
      if (at == pairs.data() || *at != at[-1]) columns.push_back(static_cast<std::int32_t>(*at & 0xFFFFFFFF));
  });
}

}  // namespace rowan::gen
