// A context on a device, host to host, beside one on the host.
#include <atomic>
#include <chrono>
#include <thread>

#include <doctest/doctest.h>

#include "accumulators/device/candidates.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/policies.hpp"
#include <rowan/context.hpp>
#include <rowan/generate.hpp>

namespace rowan::test {
namespace {

Options here() {
  Options options;
  options.backend = kBackend;
  return options;
}

/// A few of shapes(); the pipeline's own tests have them all.
constexpr const char* kShapes[] = {"no rows",
                                   "0 x 0",
                                   "all empty",
                                   "rows of B picked",
                                   "wide",
                                   "a row by a matrix",
                                   "up to 600 products",
                                   "runs of 1 to 6 equal rows",
                                   "unsorted",
                                   "duplicates in both"};

template <class T>
std::string difference(const Csr<T>& c, const Csr<T>& host) {
  Product<T> expected;
  expected.rows = host.rows(), expected.cols = host.cols();
  expected.row_ptr.assign(host.row_ptr().begin(), host.row_ptr().end());
  expected.col.assign(host.col().begin(), host.col().end());
  expected.val.assign(host.val().begin(), host.val().end());
  return difference(c, expected);
}

template <class T>
void check_against_host(const char* name, int wave) {
  const Factors<T> f(shape(name), Values::integers);
  const Context host, there(here());
  Stats stats, at_home;
  const Csr<T> c = there.multiply(f.a(), f.b(), &stats), expected = host.multiply(f.a(), f.b(), &at_home);
  CHECK_EQ(difference(c, expected), "");
  CHECK_EQ(stats.policy, wave == 64 ? "wave64-rules" : "device-rules");
  if (!stats.method_reason.empty()) CHECK_EQ(stats.method, Method::two_phase);
  CHECK_NE(stats.device, "");
  CHECK_EQ(at_home.device, "");
  CHECK_EQ(stats.nprod, at_home.nprod);
  CHECK_EQ(stats.nnz, c.nnz());
  CHECK_EQ(stats.bytes_c, at_home.bytes_c);
  CHECK_GE(stats.total, stats.prepare + stats.transfer);
  const Symbolic sizes = there.symbolic(f.a(), f.b());
  CHECK(std::equal(sizes.row_ptr.begin(), sizes.row_ptr.end(), c.row_ptr().begin(), c.row_ptr().end()));
  CHECK_EQ(sizes.nnz, c.nnz());
  CHECK_EQ(sizes.nprod, stats.nprod);
  CHECK_EQ(sizes.bytes_c, stats.bytes_c);
}

/// For every bin: who is wanted, and who does it in either phase.
std::vector<std::string> choices(const Options& options, const char* name) {
  const Factors<double> f(shape(name), Values::integers);
  std::vector<std::string> all;
  for (const BinReport& bin : Context(options).inspect(f.a(), f.b()).bins)
    all.push_back(bin.label + ": " + bin.requested + ", " + bin.symbolic_candidate + ", " + bin.candidate);
  return all;
}

}  // namespace

TEST_CASE("a context on a device gives the host's product and sizes") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    for (const char* name : kShapes) {
      CAPTURE(name);
      check_against_host<float>(name, wave);
      check_against_host<double>(name, wave);
    }
  });
}

TEST_CASE("in blocks of rows a device gives the rows of its whole product") {
  for_schedules(1, [](int, int) {
    for (const char* name : {"no rows", "all empty", "up to 600 products", "runs of 1 to 6 equal rows"}) {
      CAPTURE(name);
      const Factors<double> f(shape(name), Values::integers);
      const Context there(here());
      const Csr<double> whole = there.multiply(f.a(), f.b());
      const Symbolic sizes = there.symbolic(f.a(), f.b());
      for (const std::int64_t from : {std::int64_t{0}, whole.rows() / 2}) {
        std::int64_t next = from;
        const RowSink<double> sink = [&](std::int64_t first, const CsrView<double>& block) {
          CHECK_EQ(first, next);
          CHECK_EQ(block.cols, whole.cols());
          const auto at = static_cast<std::size_t>(whole.row_ptr()[static_cast<std::size_t>(first)]);
          CHECK(std::ranges::equal(block.col, whole.col().subspan(at, block.col.size())));
          CHECK(std::ranges::equal(block.val, whole.val().subspan(at, block.val.size())));
          next += block.rows;
        };
        Stats stats;
        there.multiply_in_blocks(f.a(), f.b(), sizes, from, sink, &stats);
        CHECK_EQ(next, whole.rows());
        if (from != 0) continue;
        next = 0;
        there.multiply_in_blocks(f.a(), f.b(), sink, &stats);
        CHECK_EQ(next, whole.rows());
        CHECK_EQ(stats.nnz, whole.nnz());
        CHECK_EQ(stats.blocks, whole.rows() == 0 ? 0 : 1);
      }
    }
  });
}

TEST_CASE("a device computes a block while the sink has the one before") {
  for_schedules(1, [](int, int) {
    constexpr auto kPatience = std::chrono::seconds(60);
    const Csr<double> a = generate("random:n=3000,row_length=6");
    std::atomic<double> share = 0;
    Options options = here();
    options.memory_limit = 5'000'000 / 2;
    options.progress = [&](double done) { share = done; };
    std::int64_t blocks = 0, meanwhile = 0, entries = 0;
    const RowSink<double> sink = [&](std::int64_t first, const CsrView<double>& block) {
      blocks++, entries += block.nnz();
      const double until_here = static_cast<double>(first + block.rows) / static_cast<double>(a.rows());
      for (const auto until = std::chrono::steady_clock::now() + kPatience;
           until_here < 1 && share <= until_here && std::chrono::steady_clock::now() < until;)
        std::this_thread::yield();
      if (until_here == 1 || share > until_here) meanwhile++;
    };
    Context(options).multiply_in_blocks(a, a, sink);
    CHECK_EQ(entries, multiply(a, a).nnz());
    CHECK_GT(blocks, 1);
    CHECK_EQ(meanwhile, blocks);
  });
}

TEST_CASE("a family's name means the same accumulator in a policy and forced, on every backend") {
  const Folder folder;
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    for (const Backend backend : {Backend::host, kBackend})
      for (const std::string family : {"direct", "sort", "dense", "hash"}) {
        CAPTURE(static_cast<int>(backend));
        CAPTURE(family);
        Options ruled;
        ruled.backend = backend;
        ruled.model = folder.file(
            "model.json",
            policy_text({.method = always("two_phase"), .symbolic = always(family), .numeric = always(family)}));
        Options forced = ruled;  // by the same features
        forced.force = family;
        for (const char* name : {"up to 600 products", "runs of 1 to 6 equal rows"})
          CHECK_EQ(choices(ruled, name), choices(forced, name));
        if (family != "dense") continue;
        const std::string dense = backend == Backend::host ? "dense-window" : "dense-rank";
        for (const std::string& choice : choices(ruled, "512 products"))
          CHECK_EQ(choice.substr(choice.find(": ")), ": " + dense + ", " + dense + ", " + dense);
      }
  });
}

TEST_CASE("a device takes transposed views, narrow row pointers and forced accumulators") {
  for_schedules(1, [](int, int) {
    const Matrix<double> a = filled<double>(shape("wide").a, Values::integers, 1);
    const auto expected = textbook(transposed(a.view()), a.view());
    for (const char* force : {"", "direct", "hash", "dense", "dense-rank"}) {
      CAPTURE(force);
      Options options = here();
      options.force = force;
      CHECK_EQ(difference(multiply(transposed(a.narrow_view()), a.narrow_view(), options), expected), "");
    }
  });
}

TEST_CASE("what a device cannot do is refused by the argument's name") {
  for_schedules(1, [](int, int) {
    std::string all;
    for (std::size_t i = 0; i < kCandidates.size(); i++)
      if (device::on_devices(static_cast<CandidateId>(i)))
        all += (all.empty() ? "" : ", ") + std::string(kCandidates[i].name);
    for (std::size_t i = 0; i < kCandidates.size(); i++) {
      if (device::on_devices(static_cast<CandidateId>(i))) continue;
      Options force = here();
      force.force = kCandidates[i].name;
      CHECK_EQ(error_of([&] { const Context context(force); }),
               "invalid_argument: force is \"" + force.force + "\", which devices do not have; they have " + all);
    }
    const Factors<double> f(shape("banded"), Values::integers), other(shape("wide"), Values::integers);
    const Context there(here());
    CHECK_EQ(error_of([&] { (void)there.inspect(f.a(), f.b(), true); }),
             "unsupported: measure: accumulators are timed one by one on the host only");
    CHECK_EQ(error_of([&] { (void)there.multiply(f.a(), other.b()); }),
             "invalid_argument: A has 200 columns, but B has 300 rows");
    CsrView<double> broken = f.a();
    const std::vector<std::int32_t> columns(broken.col.size(), 200);
    broken.col = columns;
    CHECK(error_of([&] { (void)there.multiply(broken, f.b()); }).starts_with("invalid_argument: A"));
    Options limited = here();
    limited.memory_limit = 1000;
    // of two chunks at work either may be the first to fail
    const std::string refused = error_of([&] { (void)Context(limited).multiply(f.a(), f.b()); });
    CHECK(refused.starts_with("memory_limit: row "));
    CHECK_NE(refused.find(" of C does not fit a device with"), std::string::npos);
    CHECK(error_of([&] { (void)Context(limited).plan(f.a(), f.b()); }).starts_with("memory_limit: a plan takes A and"));
  });
}

TEST_CASE("a policy of the host's serves a device, in one phase too") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(shape("up to 40 products"), Values::integers);
    Options options = here();
    options.policy = "host-rules";
    Stats stats;
    const Csr<double> c = Context(options).multiply(f.a(), f.b(), &stats);
    CHECK_EQ(difference(c, textbook(f.a(), f.b())), "");
    CHECK_EQ(stats.policy, "host-rules");
    CHECK_EQ(stats.method, Method::one_phase);
    CHECK_EQ(stats.method_reason, "");
  });
}

#if defined(ROWAN_EMULATED)
TEST_CASE(
    "operands that a device has no memory for are multiplied and counted in parts, and what needs them whole says so") {
  const Matrix<double> m = filled<double>(scattered(1000, 1000, 4, 10, 70), Values::reals, 1);
  const CsrView<double> a = transposed(m.narrow_view()), b = m.narrow_view();
  emulator::EmulatorOptions small;
  small.memory = 150'000;  // A and B are 184 KB
  const Emulated emulated(small);
  Options options = here();
  options.deterministic = true;
  const Context there(options), host;
  Stats stats;
  const Csr<double> expected = host.multiply(a, b), c = there.multiply(a, b, &stats);
  CHECK_EQ(difference(c, expected), "");
  CHECK_MESSAGE(stats.method_reason.starts_with("A and B do not fit the device's memory: "), stats.method_reason);
  const Symbolic sizes = there.symbolic(a, b);
  CHECK(std::ranges::equal(sizes.row_ptr.span(), expected.row_ptr()));
  std::vector<Column> col(static_cast<std::size_t>(sizes.nnz));
  std::vector<double> val(static_cast<std::size_t>(sizes.nnz));
  there.multiply_into(a, b, sizes, col, val);
  CHECK(std::ranges::equal(col, expected.col()));
  CHECK(std::ranges::equal(val, expected.val()));
  const std::string plan = error_of([&] { (void)there.plan(a, b); }),
                    inspection = error_of([&] { (void)there.inspect(a, b); });
  CHECK_MESSAGE(plan.starts_with("out_of_memory: a plan takes A and B as a whole, and there is no room for them: "),
                plan);
  CHECK_MESSAGE(inspection.starts_with("out_of_memory: inspect() takes A and B as a whole, and there is no room"),
                inspection);
}
#endif

}  // namespace rowan::test
