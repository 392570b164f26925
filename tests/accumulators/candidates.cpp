// Facts of the candidate array; most hold before the program runs.
#include "accumulators/candidates.hpp"

#include <doctest/doctest.h>

namespace rowan::test {
namespace {

constexpr bool unlimited(const Candidate& c) {
  return c.max_nprod == kNoLimit && c.max_span == kNoLimit && c.max_a_nnz == kNoLimit && c.max_columns == kNoLimit &&
         c.max_b_area == kNoLimit && c.min_b_uses == 0 && c.max_span_per_product == kNoLimit &&
         c.max_widest_per_product == kNoLimit && !c.needs_sorted_b && !c.needs_runs && !c.needs_shifts;
}

template <class F>
constexpr bool holds_for_all(const F& f) {
  for (std::size_t i = 0; i < kCandidates.size(); i++)
    if (!f(i, kCandidates[i])) return false;
  return true;
}

constexpr bool names_are_unique() {
  return holds_for_all([](std::size_t i, const Candidate& c) {
    for (std::size_t j = 0; j < i; j++)
      if (kCandidates[j].name == c.name) return false;
    return true;
  });
}

/// Along the fallbacks, in as many steps as there are candidates at most.
constexpr bool ends_without_limits(CandidateId id) {
  for (std::size_t steps = 0; steps < kCandidates.size(); steps++) {
    if (unlimited(kCandidates[id])) return true;
    const auto next = candidate_named(kCandidates[id].fallback);
    if (!next) return false;
    id = *next;
  }
  return false;
}

// what no bounded candidate takes
constexpr Extent kHostile{.nprod_max = kNoLimit,
                          .bound_max = kNoLimit,
                          .span_max = kNoLimit,
                          .a_nnz_max = kNoLimit,
                          .columns = kNoLimit,
                          .sorted_b = false,
                          .runs = false,
                          .shifts = false,
                          .span_per_product = kNoLimit,
                          .widest_per_product = kNoLimit};

static_assert(names_are_unique());
static_assert(holds_for_all([](std::size_t i, const Candidate&) {
  return ends_without_limits(static_cast<CandidateId>(i));
}));
static_assert(holds_for_all([](std::size_t, const Candidate& c) { return unlimited(c) == c.fallback.empty(); }));
static_assert(holds_for_all([](std::size_t i, const Candidate& c) { return candidate_named(c.name) == i; }));
static_assert(holds_for_all([](std::size_t i, const Candidate&) {
  return along_fallbacks(static_cast<CandidateId>(i), [](CandidateId id) { return kCandidates[id].feasible(kHostile); })
      .has_value();
}));

constexpr std::size_t how_many(bool Candidate::*say) {
  std::size_t n = 0;
  for (const Candidate& c : kCandidates) n += c.*say ? 1 : 0;
  return n;
}
static_assert(how_many(&Candidate::last_resort) == 1 && how_many(&Candidate::cheapest) == 1);
static_assert(how_many(&Candidate::one_phase) == 1 && how_many(&Candidate::takes_abandoned) == 1);
static_assert(kCandidates[kLastResort].feasible(kHostile));
static_assert(kCandidates[candidate_that(&Candidate::one_phase)].short_rows);

}  // namespace

TEST_CASE("every candidate is complete and named after its family") {
  for (const Candidate& c : kCandidates) {
    CAPTURE(c.name);
    CHECK(c.name.starts_with(c.family));
    CHECK(!c.shines.empty());
    if (!c.on_host) continue;
    CHECK(!c.group_sizes.empty());
    CHECK(static_cast<bool>(c.scratch));  // not at compile time: g++ cannot with the undefined-behaviour sanitizer
    CHECK(static_cast<bool>(c.symbolic));
    c.numeric.for_each([](const auto& kernel) { CHECK(static_cast<bool>(kernel)); });
  }
}

TEST_CASE("a family's name stands for the first of its candidates that a backend has and that takes single rows") {
  CHECK_EQ(kCandidates[*candidate_named("dense")].name, "dense-window");
  CHECK_EQ(kCandidates[*candidate_named("hash")].name, "hash");
  const auto has_no_window = [](CandidateId id) { return kCandidates[id].name != "dense-window"; };
  CHECK_EQ(kCandidates[*candidate_named("dense", has_no_window)].name, "dense-rank");
  CHECK_EQ(kCandidates[*candidate_named("dense-window", has_no_window)].name, "dense-window");
  CHECK_EQ(kCandidates[*candidate_named("hash", has_no_window)].name, "hash");
  CHECK(!candidate_named("dense", [](CandidateId) { return false; }));
  CHECK(!candidate_named("no such"));
  CHECK(!candidate_named(""));
}

TEST_CASE("feasibility is each limit, up to and including it") {
  const Candidate limited{.name = "l",
                          .family = "l",
                          .shines = "",
                          .fallback = "",
                          .max_nprod = 10,
                          .max_span = 20,
                          .max_a_nnz = 3,
                          .max_columns = 30,
                          .max_b_area = 600,
                          .min_b_uses = 2,
                          .max_span_per_product = 4,
                          .max_widest_per_product = 5,
                          .needs_sorted_b = true,
                          .needs_runs = true,
                          .needs_shifts = true,
                          .group_sizes = {}};
  const Extent at{.nprod_max = 10,
                  .bound_max = 10,
                  .span_max = 20,
                  .a_nnz_max = 3,
                  .columns = 30,
                  .b_rows = 20,
                  .b_uses = 2,
                  .sorted_b = true,
                  .runs = true,
                  .shifts = true,
                  .span_per_product = 4,
                  .widest_per_product = 5};
  CHECK(limited.feasible(at));
  Candidate elsewhere = limited;
  elsewhere.on_host = false;
  CHECK(elsewhere.takes(at));
  CHECK(!elsewhere.feasible(at));
  for (const auto& change :
       {+[](Extent& e) { e.nprod_max++; }, +[](Extent& e) { e.span_max++; }, +[](Extent& e) { e.a_nnz_max++; },
        +[](Extent& e) { e.columns++; }, +[](Extent& e) { e.b_rows++; }, +[](Extent& e) { e.b_uses--; },
        +[](Extent& e) { e.sorted_b = false; }, +[](Extent& e) { e.runs = false; },
        +[](Extent& e) { e.shifts = false; }, +[](Extent& e) { e.span_per_product++; },
        +[](Extent& e) { e.widest_per_product++; }}) {
    Extent beyond = at;
    change(beyond);
    CHECK(!limited.feasible(beyond));
  }
}

}  // namespace rowan::test
