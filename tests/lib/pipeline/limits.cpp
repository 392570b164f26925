// Memory limits, progress and cancellation.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/policies.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

/// Its rows have 25 products at most for 13 entries: bound and size are far apart.
const char* const kCompressing = "shift runs";

std::string refusal(const CsrView<double>& a, std::int64_t limit) {
  Options options;
  options.memory_limit = limit, options.threads = 1;
  return error_of([&] { static_cast<void>(multiply(a, a, options)); });
}

/// The bytes that a refused multiply says it needs.
std::int64_t needed(const std::string& message) {
  const std::string before = "needs ";
  return std::stoll(message.substr(message.find(before) + before.size()));
}

}  // namespace

TEST_CASE("a memory limit below what C needs is refused and says what it needs") {
  const Matrix<double> a = filled<double>(shape(kCompressing).a, Values::reals, 1);
  const std::size_t nnz = textbook(a.view(), a.view()).col.size();
  const std::string message = refusal(a.view(), 1);
  const std::string expected = "memory_limit: C has " + std::to_string(nnz) + " entries and needs " +
                               std::to_string(needed(message)) + " bytes with its temporaries; the limit is 1";
  CHECK_EQ(message, expected);
  CHECK_NE(refusal(a.view(), needed(message) - 1), "no error");
  CHECK_EQ(refusal(a.view(), needed(message)), "no error");
}

TEST_CASE_TEMPLATE("a memory limit between size and bound counts first and gives the same bits", T, float, double) {
  const Matrix<T> a = filled<T>(shape(kCompressing).a, Values::reals, 1);
  Options options;
  options.threads = 1, options.memory_limit = 1;
  const auto attempt = [&] { static_cast<void>(multiply(a.view(), a.view(), options)); };
  options.memory_limit = needed(error_of(attempt));
  Stats stats;
  const Csr<T> c = Context(options).multiply(a.view(), a.view(), &stats);
  CHECK_EQ(difference(c, textbook(a.view(), a.view())), "");
  CHECK_EQ(stats.method, Method::two_phase);
  std::int64_t bound = 0;
  for (std::int64_t i = 0; i < a.pattern.rows; i++) {
    std::int64_t products = 0, lo = a.pattern.cols, hi = -1;
    for (std::int64_t k = a.view().row_ptr[i]; k < a.view().row_ptr[i + 1]; k++) {
      const std::int64_t j = a.pattern.col[static_cast<std::size_t>(k)];
      products += a.view().row_ptr[j + 1] - a.view().row_ptr[j];
      for (std::int64_t e = a.view().row_ptr[j]; e < a.view().row_ptr[j + 1]; e++) {
        lo = std::min<std::int64_t>(lo, a.pattern.col[static_cast<std::size_t>(e)]);
        hi = std::max<std::int64_t>(hi, a.pattern.col[static_cast<std::size_t>(e)]);
      }
    }
    bound += std::min(products, hi - lo + 1);
  }
  CHECK_EQ(stats.method_reason,
           "C's upper bound of " + std::to_string(bound) + " entries does not fit the memory limit");
}

TEST_CASE("progress rises to 1 on any number of threads with either method") {
  const Factors<double> f(shape("large scattered"), Values::reals);
  const Folder folder;
  for (const std::string method : {"one_phase", "two_phase"})
    for (const int threads : {1, 2, 4}) {
      CAPTURE(method);
      CAPTURE(threads);
      std::vector<double> told;
      Options options;
      options.model = folder.file(method, policy_text({.method = always(method)})), options.threads = threads;
      options.progress = [&](double share) { told.push_back(share); };
      static_cast<void>(multiply(f.a(), f.b(), options));
      REQUIRE(!told.empty());
      CHECK_GT(told.front(), 0);
      CHECK(std::ranges::is_sorted(told, std::less_equal<>()));
      CHECK_EQ(told.back(), 1);
    }
}

TEST_CASE("a stopped multiply throws cancelled") {
  const std::string cancelled = "cancelled: the multiplication was cancelled";
  const Factors<double> f(shape("large power law with a hub"), Values::reals);
  const Folder folder;
  for (const std::string method : {"one_phase", "two_phase"})
    for (const int threads : {1, 2, 4}) {
      CAPTURE(method);
      CAPTURE(threads);
      Options options;
      options.model = folder.file(method, policy_text({.method = always(method)})), options.threads = threads;
      std::stop_source source;
      options.stop = source.get_token();
      options.progress = [&](double) { source.request_stop(); };
      const Context context(options);
      INFO("stopped from the progress callback");
      CHECK_EQ(error_of([&] { static_cast<void>(context.multiply(f.a(), f.b())); }), cancelled);
      INFO("stopped before it began");
      CHECK_EQ(error_of([&] { static_cast<void>(context.multiply(f.a(), f.b())); }), cancelled);
      CHECK_EQ(error_of([&] { static_cast<void>(context.symbolic(f.a(), f.b())); }), cancelled);
      CHECK_EQ(error_of([&] { static_cast<void>(context.plan(f.a(), f.b())); }), cancelled);
    }
}

TEST_CASE("what the progress callback throws comes through") {
  const Factors<double> f(shape("large scattered"), Values::reals);
  for (const int threads : {1, 4}) {
    Options options;
    options.threads = threads;
    options.progress = [](double) { throw std::runtime_error("enough"); };
    CHECK_THROWS_WITH(static_cast<void>(multiply(f.a(), f.b(), options)), "enough");
  }
}

}  // namespace rowan::test
