// The memory limit kept by multiplying rows in blocks: the same bits, whatever is left.
#include <limits>

#include <doctest/doctest.h>

#include "lib/host/multiply.hpp"
#include "models/embedded.hpp"
#include "tests/lib/host/least_limit.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"

namespace rowan::test {
namespace {

template <class T>
struct Run {
  Stats stats;
  Csr<T> c;
  std::string error;

  Run(const Factors<T>& f, const Options& options, std::string_view policy, std::int64_t block_rows) {
    const Settings env{options, *embedded_policy(policy), block_rows};
    error = error_of([&] { c = multiply(f.a(), f.b(), env, stats); });
  }
};

template <class T>
std::int64_t least_limit_of(const Factors<T>& f, Options options, std::string_view policy, std::int64_t block_rows) {
  return least_limit([&](std::int64_t limit) {
    options.memory_limit = limit;
    return Run<T>(f, options, policy, block_rows).error;
  });
}

}  // namespace

TEST_CASE_TEMPLATE("rows in blocks have the textbook's bits, at the least memory they ask for", T, float, double) {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list) {
      const Factors<T> f(shape, Values::reals);
      const Product<T> expected = textbook(f.a(), f.b());
      for (const char* policy : {"host-rules", "nsparse"})
        for (const std::int64_t rows : {7, 500, 2048})
          for (const int threads : {1, 4}) {
            CAPTURE(shape.name);
            CAPTURE(policy);
            CAPTURE(rows);
            CAPTURE(threads);
            Options options;
            options.threads = threads;
            options.memory_limit = least_limit_of(f, options, policy, rows);
            const Run<T> least(f, options, policy, rows);
            REQUIRE_EQ(least.error, "no error");
            CHECK_EQ(difference(least.c, expected), "");
            CHECK_LE(least.stats.bytes_c + least.stats.bytes_temporary, options.memory_limit);
            // room for one worker more than the least, and then for all
            options.memory_limit += 1 << 20;
            CHECK_EQ(difference(Run<T>(f, options, policy, rows).c, expected), "");
            options.memory_limit = least.stats.bytes_c;
            CHECK(Run<T>(f, options, policy, rows).error.starts_with("memory_limit: "));
          }
    }
}

TEST_CASE("a limit below the features of all rows is kept by blocks, and told") {
  const Factors<double> f(shape("large shift runs"), Values::reals);
  Options options;
  options.threads = 1;
  const Run<double> free(f, options, "host-rules", 100);
  CHECK_EQ(free.stats.method, Method::one_phase);
  const std::int64_t needed = least_limit_of(f, options, "host-rules", 100);
  CHECK_LT(needed - free.stats.bytes_c, free.stats.bytes_temporary);
  options.memory_limit = needed - 1;
  CHECK(Run<double>(f, options, "host-rules", 100)
            .error.starts_with("memory_limit: C has " + std::to_string(free.c.nnz()) + " entries and needs " +
                               std::to_string(needed) + " bytes: "));
  options.memory_limit = needed;
  const Run<double> tight(f, options, "host-rules", 100);
  CHECK_EQ(tight.stats.method, Method::two_phase);
  CHECK_EQ(tight.stats.method_reason, "the features of all rows do not fit the memory limit: rows in blocks of 100");
  CHECK_EQ(tight.stats.nprod, free.stats.nprod);
  CHECK_EQ(tight.stats.nnz, free.stats.nnz);
  CHECK_LE(tight.stats.bytes_c + tight.stats.bytes_temporary, needed);
}

TEST_CASE("several workers' scratch and buffers are counted, and fewer work where they do not fit") {
  const Factors<double> f(shape("large and wide"), Values::reals);
  Options options;
  options.threads = 4;
  const Run<double> four(f, options, "host-rules", 65536);
  options.threads = 1;
  const Run<double> one(f, options, "host-rules", 65536);
  CHECK_EQ(four.stats.threads, 4);
  // a worker of a team has two buffers of a chunk's entries; 100,000 are less than any chunk here has
  CHECK_GT(four.stats.bytes_temporary, one.stats.bytes_temporary + 4 * 2 * 100000);
  options.threads = 4;
  options.memory_limit = least_limit_of(f, options, "host-rules", 65536);
  const Run<double> tight(f, options, "host-rules", 65536);
  CHECK_EQ(tight.stats.threads, 1);
  CHECK_EQ(difference(tight.c, textbook(f.a(), f.b())), "");
}

TEST_CASE("progress rises to 1 over all blocks, and a stop is heard between them") {
  const Factors<double> f(shape("large scattered"), Values::reals);
  Options options;
  options.threads = 2;
  options.memory_limit = least_limit_of(f, options, "host-rules", 100);
  std::vector<double> told;
  options.progress = [&](double share) { told.push_back(share); };
  CHECK_EQ(Run<double>(f, options, "host-rules", 100).error, "no error");
  REQUIRE_GT(told.size(), 30);
  CHECK(std::ranges::is_sorted(told, std::less_equal<>()));
  CHECK_EQ(told.back(), 1);
  std::stop_source source;
  options.stop = source.get_token();
  options.progress = [&](double share) {
    if (share > 0.7) source.request_stop();
  };
  CHECK_EQ(Run<double>(f, options, "host-rules", 100).error, "cancelled: the multiplication was cancelled");
}

TEST_CASE("sizes that bytes cannot count fit no limit") {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t entries : {kMost, kMost / 4, kMost / 12, kMost / 24 + 100}) {
    CHECK_GT(c_bytes<double>(std::int64_t{1} << 31, entries), kMost / 3);
    Options options;
    options.memory_limit = kMost / 4;
    Budget budget(options, 0);
    budget.c = c_bytes<double>(5, entries);
    CHECK(!budget.fits(0));
    CHECK(!budget.fits(std::int64_t{1} << 60));
  }
  CHECK_EQ(c_bytes<double>(0, 10), (10 + kWriteSlack) * 12 + 8);
}

TEST_CASE("the machine's memory is the limit where none is given") {
  Budget budget(Options{}, 0);
  CHECK_GT(budget.limit, 1 << 20);
  CHECK(budget.fits(1 << 10));
  CHECK(!budget.fits(std::int64_t{1} << 60));
  budget.entries = 7;
  CHECK_EQ(error_of([&] { budget.refuse(); }),
           "out_of_memory: C has 7 entries and needs 1152921504606846976 bytes: 0 for itself, 0 for copies of A and B "
           "and the features of their rows, 1152921504606846976 to work in; the limit is " +
               std::to_string(budget.limit));
}

}  // namespace rowan::test
