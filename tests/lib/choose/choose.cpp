// Choosing, which is one for hosts and devices; most of it holds before the program runs.
#include "lib/choose/choose.hpp"

#include <vector>

#include <doctest/doctest.h>

namespace rowan::test {
namespace {

constexpr CandidateId kDirect = *candidate_named("direct"), kSort = *candidate_named("sort"),
                      kWindow = *candidate_named("dense-window"), kHash = *candidate_named("hash"),
                      kRegisters = *candidate_named("hash-registers");

template <class... Ids>
constexpr Ranking ranked(Ids... ids) {
  Ranking r;
  ((r.outcome[r.count++] = ids), ...);
  return r;
}

/// Of what may be chosen; nothing else is left to hash, and every refusal is for limits.
template <class... Ids>
constexpr Choice chosen(const Ranking& of, Ids... feasible) {
  return choose(
      of, [&](CandidateId id) { return ((id == feasible) || ...); }, [](CandidateId) { return Instead::limits; },
      [] { return kHash; });
}

static_assert(chosen(ranked(kSort, kWindow), kSort, kWindow) == Choice{kSort, kSort, Instead::as_requested});
static_assert(chosen(ranked(kSort, kWindow), kWindow, kHash) == Choice{kSort, kWindow, Instead::limits});
// along the first one's fallbacks: direct, sort, dense-window, hash
static_assert(chosen(ranked(kDirect), kWindow, kHash) == Choice{kDirect, kWindow, Instead::limits});
// a ranking goes before fallbacks
static_assert(chosen(ranked(kDirect, kHash), kSort, kHash) == Choice{kDirect, kHash, Instead::limits});
// what is left over is as requested where it was
static_assert(chosen(ranked(kSort), kDirect) == Choice{kSort, kHash, Instead::limits});
static_assert(chosen(ranked(kHash), kDirect) == Choice{kHash, kHash, Instead::as_requested});

static_assert(refusal(Phase::numeric, kRegisters) == Instead::only_counts);
static_assert(refusal(Phase::symbolic, kRegisters) == Instead::limits);
static_assert(refusal(Phase::numeric, kSort) == Instead::limits);

}  // namespace

TEST_CASE("a forced candidate stands in the ranking's place") {
  const std::vector<Node> nodes{{.less = 0, .other = 2}};
  const std::vector<std::uint8_t> outcomes{kSort, kHash};
  const Tree tree{nodes, outcomes};
  CHECK_EQ(ranking(tree, {}, std::nullopt).count, 2);
  CHECK_EQ(ranking(tree, {}, std::nullopt)[0], kSort);
  CHECK_EQ(ranking(tree, {}, kWindow).count, 1);
  CHECK_EQ(ranking(tree, {}, kWindow)[0], kWindow);
}

TEST_CASE("every reason but as requested has words of its own") {
  std::vector<std::string_view> words;
  for (const Instead why : {Instead::limits, Instead::only_counts, Instead::isolated, Instead::memory}) {
    CHECK_FALSE(reason(why).empty());
    for (const std::string_view other : words) CHECK_NE(reason(why), other);
    words.push_back(reason(why));
  }
  CHECK(reason(Instead::as_requested).empty());
}

}  // namespace rowan::test
