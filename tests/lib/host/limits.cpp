// Memory limits, progress and cancellation.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/host/least_limit.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/policies.hpp"
#include <rowan/context.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

/// Its rows have 25 products at most for 13 entries: bound and size are far apart.
const char* const kCompressing = "shift runs";

std::string refusal(const CsrView<double>& a, std::int64_t limit) {
  Options options;
  options.memory_limit = limit, options.threads = 1;
  return error_of([&] { static_cast<void>(multiply(a, a, options)); });
}

}  // namespace

TEST_CASE("a memory limit below what C needs is refused and says what it needs") {
  const Matrix<double> a = filled<double>(shape(kCompressing).a, Values::reals, 1);
  const std::size_t nnz = textbook(a.view(), a.view()).col.size();
  const std::int64_t least = least_limit([&](std::int64_t limit) { return refusal(a.view(), limit); });
  const std::string message = refusal(a.view(), least - 1);
  CHECK(message.starts_with("memory_limit: C has " + std::to_string(nnz) + " entries and needs " +
                            std::to_string(least) + " bytes: "));
  CHECK(message.ends_with(" to work in; the limit is " + std::to_string(least - 1)));
  CHECK_EQ(refusal(a.view(), 1), "memory_limit: C's row pointers take " + std::to_string((a.pattern.rows + 1) * 8) +
                                     " bytes; the limit is 1");
}

TEST_CASE_TEMPLATE("a memory limit between size and bound counts first and gives the same bits", T, float, double) {
  const Matrix<T> a = filled<T>(shape(kCompressing).a, Values::reals, 1);
  Options options;
  options.threads = 1;
  options.memory_limit = least_limit([&](std::int64_t limit) {
    options.memory_limit = limit;
    return error_of([&] { static_cast<void>(multiply(a.view(), a.view(), options)); });
  });
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

TEST_CASE("a product that cannot fit is refused before its rows are counted") {
  const Matrix<double> column = filled<double>(from_rows(Rows(30000, {0}), 1), Values::reals, 1);
  std::vector<std::int32_t> row(20000);
  for (std::size_t j = 0; j < row.size(); j++) row[j] = static_cast<std::int32_t>(j);
  const Matrix<double> dense = filled<double>(from_rows({row}, 20000), Values::reals, 1);
  bool counted = false;
  Options options;
  options.threads = 1, options.memory_limit = std::int64_t{1} << 24;
  options.progress = [&](double) { counted = true; };
  CHECK(error_of([&] {
          static_cast<void>(multiply(column.view(), dense.view(), options));
        }).starts_with("memory_limit: C has at least 600000000 entries and needs 720"));
  CHECK(!counted);
}

TEST_CASE("where C's upper bound does not fit, what fits beside C itself is chosen as it would be") {
  const Factors<double> f(shape("large shift runs"), Values::reals);
  const Folder folder;
  Options options;
  options.threads = 1, options.force = "dense-window";
  Stats two_phases, tight;
  options.model = folder.file("m", policy_text({.method = always("two_phase")}));
  static_cast<void>(Context(options).multiply(f.a(), f.b(), &two_phases));
  options.model = folder.file("m", policy_text({.method = always("one_phase")}));
  options.memory_limit = two_phases.bytes_c + two_phases.bytes_temporary;
  static_cast<void>(Context(options).multiply(f.a(), f.b(), &tight));
  CHECK_EQ(tight.method, Method::two_phase);
  CHECK_EQ(tight.bytes_temporary, two_phases.bytes_temporary);  // the window's, not a smaller one's
}

TEST_CASE("working memory that does not fit gives way to an accumulator that needs less") {
  const Factors<double> f(shape("runs beyond a narrow span, well filled"), Values::reals);
  Options options;
  options.threads = 1, options.force = "dense-window";
  Stats free, tight;
  static_cast<void>(Context(options).multiply(f.a(), f.b(), &free));
  options.memory_limit = free.bytes_c + free.bytes_temporary - 1;
  const Csr<double> c = Context(options).multiply(f.a(), f.b(), &tight);
  CHECK_EQ(difference(c, textbook(f.a(), f.b())), "");
  CHECK_LE(tight.bytes_c + tight.bytes_temporary, options.memory_limit);
}

TEST_CASE("counting, inspecting and planning keep the limit") {
  const Matrix<double> a = filled<double>(from_rows(Rows(50000), 1), Values::reals, 1);
  const Matrix<double> b = filled<double>(from_rows({{0}}, 1), Values::reals, 1);
  Options options;
  options.memory_limit = 100000;
  CHECK(error_of([&] {
          static_cast<void>(Context(options).symbolic(a.view(), b.view()));
        }).starts_with("memory_limit: C's row pointers take 400008 bytes"));
  options.memory_limit = 1000000;
  CHECK_EQ(error_of([&] { static_cast<void>(Context(options).symbolic(a.view(), b.view())); }), "no error");
  CHECK(error_of([&] {
          static_cast<void>(Context(options).inspect(a.view(), b.view()));
        }).starts_with("memory_limit: the features of the rows take "));
  CHECK(error_of([&] {
          static_cast<void>(Context(options).plan(a.view(), b.view()));
        }).starts_with("memory_limit: the features of A's, B's and C's rows take "));
}

TEST_CASE("memory follows the entries where rows and columns are many") {
  constexpr std::int64_t kMany = 3000000;
  const Sparsity tall = from_rows(Rows(kMany), 4);
  Sparsity wide = from_rows({{0, 1, 700000}, {5, 2999999}, {}, {1}}, kMany);
  const Matrix<double> few = filled<double>(wide, Values::reals, 1), none = filled<double>(tall, Values::reals, 2);
  Options options;
  options.memory_limit = 200000;
  const Context context(options);
  // a transpose of three million rows, and as many empty ones of B
  const Csr<double> squared = context.multiply(few.view(), transposed(few.view()));
  CHECK_EQ(difference(squared, textbook(few.view(), transpose(few.view()).view())), "");
  CHECK_EQ(context.multiply(few.view(), none.view()).nnz(), 0);
  CHECK_EQ(context.symbolic(few.view(), transposed(few.view())).nnz, squared.nnz());
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
