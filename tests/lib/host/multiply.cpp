// The promise: the textbook's bits, whatever is chosen.
#include <array>
#include <limits>

#include <doctest/doctest.h>

#include "accumulators/candidates.hpp"
#include "models/embedded.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/policies.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

/// Both methods, with the rows in bins and without.
struct Plan {
  std::string name;
  Method method;
  bool binned;
  std::string file;
};

std::array<Plan, 4> plans(const Folder& folder) {
  const auto file = [&](const char* name, const char* binning, const char* method) {
    return folder.file(name, policy_text({.use_binning = always(binning), .method = always(method)}));
  };
  return {{{"one phase", Method::one_phase, false, file("1", "no", "one_phase")},
           {"one phase, bins", Method::one_phase, true, file("2", "yes", "one_phase")},
           {"two phases", Method::two_phase, false, file("3", "no", "two_phase")},
           {"two phases, bins", Method::two_phase, true, file("4", "yes", "two_phase")}}};
}

template <class T>
void check_all(const std::vector<Shape>& list, Values values, const std::vector<int>& threads) {
  const Folder folder;
  const auto all_plans = plans(folder);
  for (const Shape& shape : list) {
    const Factors<T> f(shape, values);
    const Product<T> expected = textbook(f.a(), f.b());
    for (const Plan& plan : all_plans)
      for (const Candidate& candidate : kCandidates)
        for (const int n : threads) {
          CAPTURE(shape.name);
          CAPTURE(plan.name);
          CAPTURE(candidate.name);
          CAPTURE(n);
          Options options;
          options.model = plan.file, options.force = candidate.name, options.threads = n;
          Stats stats;
          CHECK_EQ(difference(Context(options).multiply(f.a(), f.b(), &stats), expected), "");
          CHECK_EQ(stats.method, plan.method);
          CHECK_EQ(stats.binned, plan.binned);
          CHECK_EQ(stats.nnz, static_cast<std::int64_t>(expected.col.size()));
        }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("every accumulator has the textbook's bits on every shape with either method", T, float, double) {
  check_all<T>(shapes(), Values::reals, {1, 2});
}

// Not among the shapes of all tests: emulated devices look through every word of such bitmaps.
TEST_CASE_TEMPLATE("few entries over all columns that there can be", T, float, double) {
  constexpr std::int64_t kMostColumns = std::numeric_limits<std::int32_t>::max();
  Random random(70);
  Rows b{{0, kMostColumns - 1}, {5, kMostColumns - 1}};
  for (int i = 0; i < 22; i++) b.push_back(some_columns(random, 5, 0, kMostColumns));
  check_all<T>({{"", from_rows({{0, 1}, {0, 1}}, 2), from_rows({b[0], b[1]}, kMostColumns)},
                {"", scattered(30, 24, 1, 24, 71), from_rows(b, kMostColumns)}},
               Values::reals, {1, 2});
}

TEST_CASE_TEMPLATE("every accumulator has the textbook's bits on 1, 2 and 4 threads where there is work for them", T,
                   float, double) {
  check_all<T>(large_shapes(), Values::reals, {1, 2, 4});
}

TEST_CASE_TEMPLATE("NaN, Inf, -0 and subnormal numbers follow IEEE in every accumulator", T, float, double) {
  check_all<T>(shapes(), Values::special, {1});
}

TEST_CASE_TEMPLATE("every embedded policy has the textbook's bits on every shape", T, float, double) {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list) {
      const Factors<T> f(shape, Values::reals);
      const Product<T> expected = textbook(f.a(), f.b());
      for (const Policy& policy : embedded_policies())
        for (const int n : {1, 4}) {
          CAPTURE(shape.name);
          CAPTURE(policy.name);
          CAPTURE(n);
          Options options;
          options.policy = policy.name, options.threads = n;
          Stats stats;
          CHECK_EQ(difference(Context(options).multiply(f.a(), f.b(), &stats), expected), "");
          CHECK_EQ(stats.policy, policy.name);
        }
    }
}

TEST_CASE("the free function is a multiply with a context of its own") {
  const Factors<double> f(shape("banded"), Values::reals);
  CHECK_EQ(difference(multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
}

TEST_CASE("a multiply's stages and sizes are told") {
  const Factors<double> f(shape("large scattered"), Values::reals);
  Options options;
  options.threads = 2;
  Stats stats;
  const Csr<double> c = Context(options).multiply(f.a(), f.b(), &stats);
  CHECK_EQ(stats.nnz, c.nnz());
  CHECK_EQ(stats.threads, 2);
  CHECK_EQ(stats.bytes_c,
           static_cast<std::int64_t>(c.row_ptr().size_bytes() + c.col().size_bytes() + c.val().size_bytes()));
  CHECK_GT(stats.nprod, stats.nnz);
  CHECK_GT(stats.bytes_temporary, 0);
  CHECK_EQ(stats.method_reason, "");
  CHECK_GT(stats.numeric, 0);
  CHECK_GE(stats.total, stats.prepare + stats.features + stats.binning + stats.deciding + stats.numeric);
}

}  // namespace rowan::test
