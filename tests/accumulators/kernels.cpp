// Every candidate's kernels, called directly, wherever they are feasible; with every instruction set.
#include "tests/accumulators/kernels.hpp"

#include <doctest/doctest.h>
#include <hwy/base.h>
#if HWY_ARCH_X86
#include <xmmintrin.h>
#endif

#include "tests/support/instruction_sets.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

// scratch that is filled and compared byte by byte: wider spans than this are left to the pipeline's tests
constexpr std::int64_t kWidest = 1 << 18;

template <class F>
void for_feasible(const F& f) {
  for (const Shape& shape : shapes()) {
    const Problem<float> narrow(shape, Values::special);
    const Problem<double> wide(shape, Values::reals);
    if (narrow.extent().span_max > kWidest) continue;
    for (const Candidate& c : kCandidates)
      if (c.feasible(narrow.extent())) {
        CAPTURE(shape.name);
        CAPTURE(c.name);
        f(c, narrow);
        f(c, wide);
      }
  }
}

}  // namespace

TEST_CASE("every feasible candidate counts and multiplies rows as the textbook does and cleans up") {
  for_feasible([](const Candidate& c, const auto& p) { CHECK_EQ(kernel_fault(c, p), ""); });
}

TEST_CASE("candidates that need nothing measured multiply rows all the same, in tasks of any rows") {
  std::int64_t tried = 0;
  const auto check = [&](const Candidate& c, const auto& p) {
    if (!c.feasible_unmeasured(p.unmeasured())) return;
    std::vector<std::int64_t> cuts{0};
    while (cuts.back() < p.a.rows && cuts.size() < 10)
      cuts.push_back(std::min(p.a.rows, cuts.back() + 1 + static_cast<std::int64_t>(cuts.size() * 7 % 11)));
    if (cuts.back() < p.a.rows) cuts.push_back(p.a.rows);
    CHECK_EQ(kernel_fault(c, p, cuts, 0xA5A5A5A5, false, false), "");
    tried++;
  };
  for_feasible(check);
  for (const std::int64_t target : instruction_sets()) {
    const OnlyTarget only(target);
    CAPTURE(hwy::TargetName(target));
    for_feasible(check);
  }
  CHECK_GT(tried, 100);
}

TEST_CASE("tasks may begin and end at any row, within runs too") {
  for_feasible([](const Candidate& c, const auto& p) {
    std::vector<std::int64_t> cuts{0};
    while (cuts.back() < p.a.rows && cuts.size() < 40)
      cuts.push_back(std::min(p.a.rows, cuts.back() + 1 + static_cast<std::int64_t>(cuts.size() * 5 % 11)));
    CHECK_EQ(kernel_fault(c, p, cuts), "");
  });
}

#if HWY_ARCH_X86
// Some processors take a hundred times as long for an operation with a subnormal number, as small integers are when
// read as floating-point: what is left over in scratch must not get into lanes that nobody reads.
TEST_CASE("no kernel computes with what it finds in its scratch") {
  for (const char* name : {"runs of 1 to 6 equal rows", "large runs", "shift runs", "large scattered"}) {
    const Shape& s = shape(name);
    const Problem<float> narrow(s, Values::reals);
    const Problem<double> wide(s, Values::reals);
    for (const Candidate& c : kCandidates) {
      if (!c.feasible(narrow.extent())) continue;
      CAPTURE(name);
      CAPTURE(c.name);
      const auto check = [&](const auto& p) {
        constexpr unsigned kDenormal = 2, kFlags = 0x3f;  // of the control and status register
        constexpr std::uint32_t kLeftOver = 5;            // subnormal as float and, twice, as double
        _mm_setcsr(_mm_getcsr() & ~kFlags);
        CHECK_EQ(kernel_fault(c, p, {0, p.a.rows}, kLeftOver), "");
        CHECK((_mm_getcsr() & kDenormal) == 0);
      };
      check(narrow), check(wide);
    }
  }
}
#endif

TEST_CASE("every instruction set gives the same bits") {
  const auto sets = instruction_sets();
  CHECK(!sets.empty());
  for (const std::int64_t target : sets) {
    const OnlyTarget only(target);
    const std::string name = hwy::TargetName(target);
    CAPTURE(name);
    REQUIRE_EQ(hwy::SupportedTargets(), target);
    for_feasible([](const Candidate& c, const auto& p) { CHECK_EQ(kernel_fault(c, p), ""); });
  }
}

TEST_CASE("every instruction set gives the same bits on several threads") {
  const Shape& s = shape("large runs");
  const Factors<double> f(s, Values::reals);
  const Product<double> expected = textbook(f.a(), f.b());
  for (const std::int64_t target : instruction_sets()) {
    const OnlyTarget only(target);
    for (const Candidate& c : kCandidates) {
      const std::string name = hwy::TargetName(target);
      CAPTURE(name);
      CAPTURE(c.name);
      Options options;
      options.force = c.name, options.threads = 2;
      CHECK_EQ(difference(multiply(f.a(), f.b(), options), expected), "");
    }
  }
}

}  // namespace rowan::test
