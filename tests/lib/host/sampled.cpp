#include "lib/host/sampled.hpp"

#include <doctest/doctest.h>

#include "lib/host/multiply.hpp"
#include "models/loaded.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/policies.hpp"
#include <rowan/context.hpp>
#include <rowan/generate.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

/// A policy that is asked for products whose rows are not measured.
LoadedPolicy policy(const std::string& sampled) {
  LoadedPolicy p = LoadedPolicy::from_text(policy_text({.more = R"("sampled": )" + sampled + ", "}), "test");
  p.resolve([](CandidateId id) { return kCandidates[id].on_host; });
  return p;
}

struct SampledRun {
  Csr<double> c;
  Stats stats;
};

SampledRun run(const CsrView<double>& a, const CsrView<double>& b, const std::string& sampled, Options options = {}) {
  const LoadedPolicy loaded = policy(sampled);
  const Policy in_force = loaded.view();
  const Settings settings{.options = options, .policy = in_force};
  SampledRun r;
  r.c = multiply(a, b, settings, r.stats);
  return r;
}

constexpr const char* kUnmeasured[] = {"sort", "sort-vector", "dense-spa", "direct-repeat"};

}  // namespace

TEST_CASE("rows that are not measured have the textbook's bits, on every shape and with any number of threads") {
  for (const std::vector<Shape>* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list) {
      CAPTURE(shape.name);
      const Factors<double> f(shape, Values::reals);
      const Product<double> expected = textbook(f.a(), f.b());
      for (const char* name : kUnmeasured)
        for (const int threads : {1, 3}) {
          CAPTURE(name);
          CAPTURE(threads);
          const SampledRun r = run(f.a(), f.b(), always(name), {.threads = threads});
          CHECK_EQ(difference(r.c, expected), "");
          if (r.stats.sampled) CHECK_EQ(r.stats.binning, 0);
        }
      CHECK_EQ(difference(run(f.a(), f.b(), R"([{"then": ["dense-spa", "sort", "sort-vector"]}])").c, expected), "");
    }
}

TEST_CASE("copies are neither measured nor decided, whatever the policy says, and have the textbook's bits") {
  const Csr<double> graph = generate("rmat:scale=11,edge_factor=6"),
                    oblong = generate("rectangular:rows=900,cols=2048,least=0,most=19");
  Rows diagonal, groups, selection, permutation;
  for (Column i = 0; i < 2048; i++) {
    diagonal.push_back({i}), groups.push_back({i / 5}), permutation.push_back({(i * 77 + 5) % 2048});
    selection.push_back(i % 3 == 1 ? std::vector<Column>{i / 3} : std::vector<Column>{});
  }
  const auto matrix = [](const Rows& rows, std::int64_t cols) {
    return filled<double>(from_rows(rows, cols), Values::special, 7);
  };
  const auto d = matrix(diagonal, 2048), g = matrix(groups, 410), s = matrix(selection, 683),
             p = matrix(permutation, 2048);
  const auto are_copies = [](const CsrView<double>& x, const CsrView<double>& y) {
    const Product<double> expected = textbook(x, y);
    bool copies = true;
    for (const int threads : {1, 3}) {
      const SampledRun r = run(x, y, always("measure"), {.threads = threads});
      CHECK_EQ(difference(r.c, expected), "");
      copies = copies && r.stats.sampled;
      CHECK_EQ(difference(run(x, y, always("sort-vector"), {.threads = threads}).c, expected), "");
      CHECK_EQ(difference(run(x, y, always("measure"), {.threads = threads, .force = "direct"}).c, expected), "");
    }
    return copies;
  };
  for (const Csr<double>* x : {&graph, &oblong}) {
    CHECK(are_copies(x->view(), d.view()));
    CHECK(are_copies(x->view(), g.view()));
    CHECK(are_copies(x->view(), s.view()));
    CHECK_FALSE(are_copies(x->view(), p.view()));
  }
  for (const auto* x : {&d, &p}) CHECK(are_copies(x->view(), graph.view()));
  CHECK(are_copies(p.view(), p.view()));
}

TEST_CASE("where columns may stand in any order they are not sorted, and their sums have the textbook's bits") {
  const Csr<double> a = generate("aggregation:nx=60,ny=60,nz=1,part=0"), p = generate("aggregation:nx=60,ny=60,nz=1");
  const LoadedPolicy loaded = policy(always("sort-vector"));
  const Policy in_force = loaded.view();
  for (const int threads : {1, 3}) {
    const Options options{.threads = threads};
    Stats stats;
    const Csr<double> c =
        multiply(a.view(), p.view(), {.options = options, .policy = in_force, .any_order = true}, stats);
    CHECK(stats.sampled);
    bool rises = true;
    for (std::int64_t i = 0; i < c.rows(); i++)
      rises = rises && std::is_sorted(c.col().begin() + c.row_ptr()[static_cast<std::size_t>(i)],
                                      c.col().begin() + c.row_ptr()[static_cast<std::size_t>(i) + 1]);
    CHECK_FALSE(rises);
    // transposed twice, rows rise
    CHECK_EQ(difference(transpose(transpose(c.view()).view()), textbook(a.view(), p.view())), "");
  }
}

TEST_CASE("candidates that are raced leave the bits that one leaves") {
  const Csr<double> a = generate("delaunay:nx=120,ny=120,shuffle=300");
  const Product<double> expected = textbook(a.view(), a.view());
  for (const int threads : {1, 2, 4}) {
    const SampledRun raced =
        run(a.view(), a.view(), R"([{"then": ["sort", "dense-spa", "sort-vector"]}])", {.threads = threads});
    CHECK(raced.stats.sampled);
    CHECK_FALSE(raced.stats.binned);
    CHECK_EQ(difference(raced.c, expected), "");
  }
}

TEST_CASE("rows are measured where the policy says so, no candidate is feasible, one is forced, or memory is short") {
  const Csr<double> a = generate("random:n=3000,row_length=4");
  CHECK(run(a.view(), a.view(), always("sort-vector")).stats.sampled);
  CHECK_FALSE(run(a.view(), a.view(), always("measure")).stats.sampled);
  CHECK_FALSE(run(a.view(), a.view(), always("sort-vector"), {.force = "hash"}).stats.sampled);
  const Csr<double> long_rows = generate("random:n=300,row_length=30");  // 900 products a row: too many for sort
  CHECK_FALSE(run(long_rows.view(), long_rows.view(), always("sort")).stats.sampled);
  const Csr<double> pairs = generate("rectangular:rows=3000,cols=2000000,least=2,most=2"),
                    wide = generate("hypersparse:rows=2000000,cols=2000000,entries=60000");
  CHECK_FALSE(run(pairs.view(), wide.view(), always("dense-spa")).stats.sampled);
  const Csr<double> few = generate("random:n=4000,row_length=9"), many = generate("random:n=4200,row_length=9");
  CHECK(run(few.view(), few.view(), always("dense-window")).stats.sampled);  // reads every column of each row
  CHECK_FALSE(run(many.view(), many.view(), always("dense-window")).stats.sampled);
}

TEST_CASE(
    "rows of few products on average are not measured for the sake of a few heavy ones, nor of rows of one entry") {
  const Csr<double> heavy = generate("powerlaw:n=50000,least=1,longest=300,dense_rows=2");
  for (const char* policy : {"host-rules", "host-trained"}) {
    Stats stats;
    const Csr<double> c = Context({.threads = 1, .policy = policy}).multiply(heavy.view(), heavy.view(), &stats);
    CHECK(stats.sampled);
    CHECK_EQ(difference(c, textbook(heavy.view(), heavy.view())), "");
    // a grid: most rows are the ones before, moved by one
    const Csr<double> grid = generate("fem:nx=200,ny=200,nz=1,unknowns=1");
    static_cast<void>(Context({.threads = 1, .policy = policy}).multiply(grid.view(), grid.view(), &stats));
    CHECK_FALSE(stats.sampled);
  }
}

TEST_CASE("rows of regular multigrid repeat earlier ones, those of meshes do not") {
  const auto part = [](const std::string& grid, int n) { return generate(grid + ",part=" + std::to_string(n)); };
  for (const char* policy : {"host-rules", "host-trained"}) {
    const Context context({.threads = 1, .policy = policy});
    const auto taken = [&](const Csr<double>& x, const Csr<double>& y) {
      return context.inspect(x.view(), y.view()).bins[0].candidate;
    };
    for (const char* grid :
         {"aggregation:nx=80,ny=80,nz=1,corners=1", "aggregation:nx=24,ny=24,nz=24", "classical:nx=24,ny=24,nz=24"}) {
      CAPTURE(grid);
      CHECK_EQ(taken(part(grid, 0), part(grid, 1)), "direct-repeat");
      CHECK_EQ(taken(part(grid, 2), part(grid, 3)), "direct-repeat");
    }
    const Csr<double> mesh = generate("delaunay:nx=60,ny=60"), grid = generate("stencil2d:nx=60,ny=60"),
                      elasticity = generate("fem:nx=6,ny=6,nz=6,unknowns=3");
    for (const Csr<double>* m : {&mesh, &grid, &elasticity}) CHECK_NE(taken(*m, *m), "direct-repeat");
  }
}

TEST_CASE("a small B that is met often is kept dense, but not a thin one, nor one met rarely, nor runs of rows") {
  const Csr<double> a = generate("rectangular:rows=3000,cols=300,least=10,most=20"),
                    few = generate("rectangular:rows=100,cols=300,least=10,most=20"),
                    fem = generate("fem:nx=4,ny=4,nz=4,unknowns=3");
  const auto b = [](int columns, int entries) {
    return generate("rectangular:rows=300,cols=" + std::to_string(columns) + ",least=" + std::to_string(entries) +
                    ",most=" + std::to_string(entries));
  };
  for (const char* policy : {"host-rules", "host-trained"}) {
    const Context context({.threads = 1, .policy = policy});
    const auto taken = [&](const Csr<double>& x, const Csr<double>& y) {
      return context.inspect(x.view(), y.view()).bins[0].candidate;
    };
    for (const auto& [columns, entries] : {std::pair(12, 2), {30, 2}, {60, 6}, {128, 16}}) {
      const Csr<double> small = b(columns, entries);
      CHECK_EQ(taken(a, small), "dense-b");
      CHECK_EQ(difference(context.multiply(a.view(), small.view()), textbook(a.view(), small.view())), "");
      CHECK_NE(taken(few, small), "dense-b");
    }
    CHECK_NE(taken(a, b(128, 2)), "dense-b");
    CHECK_NE(taken(a, b(600, 50)), "dense-b");
    CHECK_NE(taken(fem, fem), "dense-b");
  }
  // columns in any order are no reason for another one
  const Csr<double> cluster = b(60, 6);
  CHECK_EQ(Context({.threads = 1, .unsorted = true}).inspect(a.view(), cluster.view()).bins[0].candidate, "dense-b");
  // each of two threads would make a dense B of its own: in a small product one works alone
  const Csr<double> rows = generate("rectangular:rows=300,cols=300,least=15,most=15"), small = b(128, 16),
                    larger = b(128, 40);
  for (const Csr<double>* each : {&small, &larger})
    for (const int threads : {1, 2}) {
      const Context context({.threads = threads});
      const bool alone = threads == 1 || each == &small;
      CHECK_EQ(context.inspect(rows.view(), each->view()).bins[0].candidate == "dense-b", alone);
      Stats stats;
      (void)context.multiply(rows.view(), each->view(), &stats);
      CHECK_EQ(stats.threads, alone ? 1 : 2);
    }
}

TEST_CASE("a B of few columns is dense-narrow's, where its rows have entries enough") {
  const Csr<double> a = generate("random:n=4000,row_length=9"),
                    wide = generate("rectangular:rows=4000,cols=200,least=9,most=9");
  const Csr<double> few = generate("rectangular:rows=4000,cols=64,least=1,most=1"),
                    more = generate("rectangular:rows=4000,cols=64,least=6,most=8");
  for (const char* policy : {"host-rules", "host-trained"}) {
    const Context context({.threads = 1, .policy = policy});
    const auto taken = [&](const Csr<double>& b) { return context.inspect(a.view(), b.view()).bins[0].candidate; };
    CHECK_EQ(taken(more), "dense-narrow");
    CHECK_NE(taken(few), "dense-narrow");
    CHECK_NE(taken(wide), "dense-narrow");
    CHECK_EQ(difference(context.multiply(a.view(), more.view()), textbook(a.view(), more.view())), "");
  }
}

TEST_CASE("inspect tells that rows would not be measured, by whom they are multiplied and why") {
  const LoadedPolicy loaded =
      policy(R"([{"when": ["nprod_avg >= 17"], "then": "measure"}, {"then": ["sort-vector", "sort"]}])");
  const Csr<double> a = generate("random:n=20000,row_length=4");
  Stats stats;
  const Options options;
  const Policy in_force = loaded.view();
  const Pattern p{a.rows(), a.cols(), a.row_ptr().data(), a.col().data()};
  const auto decided = decide_sampled(p, p, {.options = options, .policy = in_force}, Team(1), stats);
  REQUIRE(decided);
  CHECK(decided->record.sampled);
  REQUIRE_EQ(decided->record.raced.size(), 2);
  CHECK_EQ(kCandidates[decided->record.raced[0]].name, "sort-vector");
  CHECK_EQ(kCandidates[decided->record.decisions[0].numeric.chosen].name, "sort-vector");
  std::int64_t next = 0, bound = 0;
  for (const Chunk& c : decided->chunks) {
    CHECK_EQ(c.first, next);
    next = c.last, bound += c.bound;
  }
  CHECK_EQ(next, a.rows());
  CHECK_EQ(bound, stats.nprod);

  const Inspection in = Context({.policy = "host-rules"}).inspect(a.view(), a.view());
  CHECK(in.sampled);
  REQUIRE_EQ(in.bins.size(), 1);
  CHECK_EQ(in.bins[0].label, "all rows");
  CHECK_EQ(in.bins[0].candidate, "sort-vector");
  CHECK_EQ(in.bins[0].nnz, in.nnz);
  REQUIRE_EQ(in.bins[0].how.size(), 1);
  CHECK(in.bins[0].how[0].find("raced with") == 0);
  Stats multiplied;
  static_cast<void>(Context({.policy = "host-rules"}).multiply(a.view(), a.view(), &multiplied));
  CHECK(multiplied.sampled);
}

}  // namespace rowan::test
