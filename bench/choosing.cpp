// What it costs to ask a policy: one tree, and all decisions of a multiply, beside the multiply itself.
//   choosing [Google Benchmark's options]
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "lib/host/multiply.hpp"
#include "models/embedded.hpp"
#include <rowan/generate.hpp>

namespace rowan {
namespace {

/// A million products and more each, from few bins to many.
constexpr const char* kMatrices[] = {"stencil2d:nx=300,ny=300", "fem:nx=12,ny=12,nz=12,unknowns=3",
                                     "powerlaw:n=50000,longest=1000,dense_rows=2,dense_length=5000,tail=2,skew=2",
                                     "rmat:scale=14,edge_factor=8"};

struct Product {
  Csr<double> a;
  Team team = Team(1);
  Inputs<double> in;
  Measured measured;

  explicit Product(const char* spec) : a(generate(spec)), in(a.view(), a.view(), true, team) {
    measured = measure(in.a(), in.b(), team);
  }
};

/// As a multiply decides.
Record decided(Product& p, const Policy& policy) {
  Record record = decide_matrix(p.measured, policy);
  if (record.binned)
    record.bins.bins = p.measured.bins.bins;
  else
    record.bins.bins = one_bin(p.measured.all).bins;
  decide_bins(p.measured, "", record);
  return record;
}

/// A tree of `policy` for the features of the matrices' bins in turn.
void one_tree(benchmark::State& state, const Policy& policy, Decision decision) {
  std::vector<FeatureVector> features;
  for (const char* spec : kMatrices) {
    Product p(spec);
    for (const BinDecision& d : decided(p, policy).decisions) features.push_back(d.features);
  }
  const Tree& tree = policy.tree(decision);
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(evaluate(tree, features[next]));
    if (++next == features.size()) next = 0;
  }
  state.counters["nodes"] = static_cast<double>(tree.nodes.size());
}

void all_decisions(benchmark::State& state, const Policy& policy, const char* spec) {
  Product p(spec);
  std::size_t bins = 0;
  for (auto _ : state) bins = decided(p, policy).decisions.size();
  state.counters["bins"] = static_cast<double>(bins);
  state.counters["products"] = static_cast<double>(p.measured.all.nprod);
}

void whole_multiply(benchmark::State& state, const Policy& policy, const char* spec) {
  const Csr<double> a = generate(spec);
  const Options options{.threads = 1};
  for (auto _ : state) {
    Stats stats;
    benchmark::DoNotOptimize(multiply<double>(a.view(), a.view(), {options, policy}, stats).nnz());
  }
}

}  // namespace
}  // namespace rowan

int main(int argc, char** argv) {
  using namespace rowan;
  for (const Policy& policy : embedded_policies()) {
    const std::string name(policy.name);
    for (const Decision d : {Decision::use_binning, Decision::symbolic, Decision::numeric})
      benchmark::RegisterBenchmark((name + "/tree " + std::string(kDecisionNames[static_cast<std::size_t>(d)])).c_str(),
                                   [&policy, d](benchmark::State& s) { one_tree(s, policy, d); });
  }
  const Policy& policy = embedded_policies().front();
  for (const char* spec : kMatrices) {
    const std::string name = std::string(policy.name) + "/" + std::string(spec).substr(0, std::string(spec).find(':'));
    benchmark::RegisterBenchmark((name + "/all decisions").c_str(),
                                 [&policy, spec](benchmark::State& s) { all_decisions(s, policy, spec); });
    benchmark::RegisterBenchmark((name + "/multiply").c_str(), [&policy, spec](benchmark::State& s) {
      whole_multiply(s, policy, spec);
    })->Unit(benchmark::kMicrosecond);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
