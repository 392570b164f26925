#include <algorithm>
#include <cstdlib>
#include <thread>

#include <doctest/doctest.h>

#include "accumulators/candidates.hpp"
#include "models/embedded.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/policies.hpp"
#include <rowan/context.hpp>
#include <rowan/inspection.hpp>
#include <rowan/io.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

std::string refusal(const Options& options) {
  return error_of([&] { const Context context(options); });
}

template <class Names>
std::string listed(const Names& all) {
  std::string text;
  for (const auto& one : all) text += (text.empty() ? "" : ", ") + std::string(one.name);
  return text;
}

std::string policy_in_force(const Options& options = {}) {
  const Factors<double> f(shape("banded"), Values::integers);
  Stats stats;
  static_cast<void>(Context(options).multiply(f.a(), f.b(), &stats));
  return stats.policy;
}

/// ROWAN_MODEL for as long as it lives.
class Environment {
 public:
  explicit Environment(const std::string& file) { setenv("ROWAN_MODEL", file.c_str(), 1); }
  ~Environment() { unsetenv("ROWAN_MODEL"); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
};

}  // namespace

TEST_CASE("options that cannot be are refused with what could be") {
  Options threads, limit, force, policy, both, missing;
  threads.threads = -2;
  CHECK_EQ(refusal(threads), "invalid_argument: threads is -2, it must be 0 or more");
  limit.memory_limit = -1;
  CHECK_EQ(refusal(limit), "invalid_argument: memory_limit is -1, it must be 0 or more");
  force.force = "magic";
  CHECK_EQ(refusal(force), "invalid_argument: there is no accumulator \"magic\"; there are " + listed(kCandidates));
  policy.policy = "wisdom";
  CHECK_EQ(refusal(policy),
           "invalid_argument: there is no policy \"wisdom\"; there are " + listed(embedded_policies()));
  both.policy = "nsparse", both.model = "file.json";
  CHECK_EQ(refusal(both), "invalid_argument: policy and model were both given; give one");
  missing.model = "no/such/file.json";
  CHECK_EQ(refusal(missing), "io: no/such/file.json: cannot be read");
}

TEST_CASE("a policy comes from policy, model, the environment or the default, in this order") {
  const Folder folder;
  const std::string file = folder.file("model.json", policy_text());
  Options by_name, by_file;
  by_name.policy = "nsparse", by_file.model = file;
  CHECK_EQ(policy_in_force(), embedded_policies().front().name);
  CHECK_EQ(policy_in_force(by_name), "nsparse");
  CHECK_EQ(policy_in_force(by_file), "made-up");
  {
    const Environment environment(file);
    CHECK_EQ(policy_in_force(), "made-up");
    CHECK_EQ(policy_in_force(by_name), "nsparse");
  }
  const Environment environment("no/such/model.json");
  CHECK_EQ(refusal({}), "io: ROWAN_MODEL: no/such/model.json: cannot be read");
  CHECK_EQ(policy_in_force(by_name), "nsparse");
  CHECK_EQ(policy_in_force(by_file), "made-up");
}

TEST_CASE("an empty ROWAN_MODEL is none") {
  const Environment environment("");
  CHECK_EQ(policy_in_force(), embedded_policies().front().name);
}

TEST_CASE("a model file that is no policy is refused by its name") {
  const Folder folder;
  Options options;
  options.model = folder.file("broken.json", policy_text({.numeric = always("magic")}));
  CHECK_EQ(refusal(options), "parse: " + options.model + ": numeric, rule 1: unknown accumulator \"magic\"");
}

TEST_CASE("a model may be given as text, which a program may contain") {
  Options options;
  options.model = policy_text();
  CHECK_EQ(policy_in_force(options), "made-up");
  options.model = policy_text({.numeric = always("magic")});
  CHECK_EQ(refusal(options), "parse: Options::model: numeric, rule 1: unknown accumulator \"magic\"");
  options.model = "{";
  CHECK(refusal(options).starts_with("parse: Options::model: "));
}

TEST_CASE_TEMPLATE("symbolic gives the exact size of every row", T, float, double) {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list) {
      CAPTURE(shape.name);
      const Factors<T> f(shape, Values::integers);
      const Product<T> expected = textbook(f.a(), f.b());
      const Symbolic s = Context().symbolic(f.a(), f.b());
      CHECK(std::equal(s.row_ptr.begin(), s.row_ptr.end(), expected.row_ptr.begin(), expected.row_ptr.end()));
      CHECK_EQ(s.nnz, expected.row_ptr.back());
      CHECK_GE(s.nprod, s.nnz);
      CHECK_EQ(s.bytes_c, static_cast<std::int64_t>(expected.row_ptr.size() * 8) +
                              s.nnz * static_cast<std::int64_t>(4 + sizeof(T)));
      CHECK_GE(s.bytes_temporary, 0);
    }
}

TEST_CASE("one context serves several threads at once") {
  const Context context;
  const char* const names[] = {"large runs", "banded", "large scattered", "duplicates in both"};
  std::vector<std::string> results(8, "not run");
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < results.size(); t++)
    threads.emplace_back([&, t] {
      const Factors<double> f(shape(names[t % 4]), Values::reals);
      const Product<double> expected = textbook(f.a(), f.b());
      results[t] = "";
      for (int repeat = 0; repeat < 3; repeat++) results[t] += difference(context.multiply(f.a(), f.b()), expected);
    });
  for (auto& t : threads) t.join();
  for (const std::string& r : results) CHECK_EQ(r, "");
}

TEST_CASE(
    "unsorted: multiply leaves columns in any order and the bits as they are, and all else gives rows that rise") {
  const Csr<double> a = load_matrix("generated:classical:nx=60,ny=60,nz=1,part=0"),
                    p = load_matrix("generated:classical:nx=60,ny=60,nz=1,part=1");
  const auto rises = [](const Csr<double>& m) {
    for (std::int64_t i = 0; i < m.rows(); i++) {
      const Column* const row = m.col().data() + m.row_ptr().data()[i];
      if (!std::is_sorted(row, m.col().data() + m.row_ptr().data()[i + 1])) return false;
    }
    return true;
  };
  const Product<double> expected = textbook(a.view(), p.view());
  for (const int threads : {1, 3}) {
    const Context any({.threads = threads, .unsorted = true}), sorted({.threads = threads});
    const Csr<double> c = any.multiply(a, p);
    CHECK_FALSE(rises(c));
    CHECK_EQ(difference(transpose(transpose(c.view()).view()), expected), "");  // which sorts
    CHECK_EQ(difference(sorted.multiply(c.view(), transposed(p.view())), textbook(c.view(), transposed(p.view()))),
             "");  // an operand like any other
    CHECK(any.inspect(a, p).sampled);
    // what promises rows that rise
    const Csr<double> sum = any.multiply_add(1.0, a.view(), p.view(), 2.0, c.view());
    CHECK(rises(sum));
    const DividedCsr<double> parts = any.multiply_divided(a.view(), p.view(), {10, 300});
    CHECK_EQ(parts.inside.nnz() + parts.outside.nnz(), c.nnz());
    CHECK(rises(parts.inside));
    CHECK(rises(parts.outside));
    CHECK_EQ(difference(any.galerkin(transposed(p.view()), a.view(), p.view()),
                        textbook(transposed(p.view()), sorted.multiply(a, p).view())),
             "");
    Csr<double> again;
    any.plan(a, p).execute(a, p, again);
    CHECK_EQ(difference(again, expected), "");
  }
}

TEST_CASE("a context may be copied and outlive what it was copied from") {
  const Factors<double> f(shape("banded"), Values::reals);
  auto first = std::make_unique<Context>();
  const Context copy = *first;
  first.reset();
  CHECK_EQ(difference(copy.multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
}

}  // namespace rowan::test
