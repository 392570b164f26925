// A program that contains the policy which `rowan train` fitted to its user's matrices (CMakeLists.txt trains and
// embeds it): it needs no file when it runs. A policy changes the time of a product, never its bits.
//   embedded_policy MATRIX
#include <algorithm>
#include <cstdio>

#include "mine.h"  // kMine, the text of mine.json
#include <rowan/rowan.hpp>

int main(int argc, char** argv) try {
  if (argc != 2) return std::fprintf(stderr, "usage: embedded_policy MATRIX\n"), 2;
  const rowan::Csr<double> a = rowan::read_matrix(argv[1]);
  const rowan::Context mine({.model = kMine});
  rowan::Stats stats;
  const rowan::Csr<double> c = mine.multiply(a, a, &stats);
  std::printf("policy %s: %lld products, %lld entries\n", stats.policy.c_str(), static_cast<long long>(stats.nprod),
              static_cast<long long>(stats.nnz));
  for (const rowan::BinReport& bin : mine.inspect(a, a).bins)
    std::printf("  %-32s %8lld rows  %s\n", bin.label.c_str(), static_cast<long long>(bin.rows), bin.candidate.c_str());
  const rowan::Csr<double> builtin = rowan::multiply(a, a);
  return stats.policy == "mine" && std::ranges::equal(c.col(), builtin.col()) &&
                 std::ranges::equal(c.val(), builtin.val())
             ? 0
             : 1;
} catch (const rowan::Error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
