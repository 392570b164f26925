// rowan on a CUDA device beside cuSPARSE: C = A A, double, operands and result in device memory, wall clock from
// synchronised to synchronised, C's allocation inside (warm pools on both sides), contestants by turns, medians.
//   device_vs_cusparse [--policy NAME] [--force NAME] [--no-peers] A...    .mtx, .mtx.gz or binary CSR
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <vector>

#include "bench/device/cusparse.hpp"
#include "lib/core/prepared.hpp"
#include "lib/pipeline/device/transfer.hpp"
#include "models/embedded.hpp"
#include <rowan/io.hpp>
#include <rowan/rowan.hpp>

namespace rowan::bench {
namespace {

using device::Engine;
constexpr int kRounds = 9;

struct Contestant {
  const char* name;
  std::function<std::int64_t()> multiply;
  std::vector<double> ms = {};
  std::int64_t nnz = 0;
  std::string failed = {};

  [[nodiscard]] double median() {
    if (!failed.empty() || ms.empty()) return INFINITY;
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
  }
};

void run(Contestant& c) {
  if (!c.failed.empty()) return;
  try {
    must(cudaDeviceSynchronize());
    const auto start = std::chrono::steady_clock::now();
    c.nnz = c.multiply();
    must(cudaDeviceSynchronize());
    c.ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  } catch (const std::exception& e) {
    c.failed = e.what();
    (void)cudaGetLastError();
  }
}

template <class V>
V* up(const V* host, std::int64_t n) {
  void* p;
  must(cudaMalloc(&p, static_cast<std::size_t>(std::max<std::int64_t>(n, 1)) * sizeof(V)));
  must(cudaMemcpy(p, host, static_cast<std::size_t>(n) * sizeof(V), cudaMemcpyHostToDevice));
  return static_cast<V*>(p);
}

/// Largest difference from the host's product, relative to the entry; infinite where the patterns differ.
double error_of(const device::Product<double>& c, const Csr<double>& expected) {
  if (c.nnz != expected.nnz() || c.rows != expected.rows()) return INFINITY;
  std::vector<std::int64_t> ptr(static_cast<std::size_t>(c.rows) + 1);
  std::vector<std::int32_t> col(static_cast<std::size_t>(c.nnz));
  std::vector<double> val(static_cast<std::size_t>(c.nnz));
  must(cudaMemcpy(ptr.data(), c.row_ptr.data(), ptr.size() * 8, cudaMemcpyDeviceToHost));
  must(cudaMemcpy(col.data(), c.col.data(), col.size() * 4, cudaMemcpyDeviceToHost));
  must(cudaMemcpy(val.data(), c.val.data(), val.size() * 8, cudaMemcpyDeviceToHost));
  if (!std::equal(ptr.begin(), ptr.end(), expected.row_ptr().begin())) return INFINITY;
  if (!std::equal(col.begin(), col.end(), expected.col().begin())) return INFINITY;
  double worst = 0;
  for (std::size_t k = 0; k < val.size(); k++) {
    const double e = expected.val()[k];
    worst = std::max(worst, std::abs(val[k] - e) / std::max(std::abs(e), 1e-300));
  }
  return worst;
}

struct Totals {
  double log = 0;
  int n = 0, slower = 0;
};

void bench(const std::string& file, Engine& engine, bool peers, Totals& totals) {
  Csr<double> a = read_matrix(file);
  const std::int64_t nnz = a.nnz(), rows = a.rows();
  // positive values: sums in any order agree to rounding, so that a wrong result shows
  for (std::size_t k = 0; k < a.val().size(); k++)
    a.val()[k] = 0.5 + static_cast<double>(k * 2654435761U % 1024) / 1024;
  std::vector<int> narrow(a.row_ptr().begin(), a.row_ptr().end());
  const DeviceCsr32 theirs{
      rows, a.cols(), nnz, up(narrow.data(), rows + 1), up(a.col().data(), nnz), up(a.val().data(), nnz)};
  std::int64_t* const wide = up(a.row_ptr().data(), rows + 1);
  const device::Resident<double> ours{{{.rows = rows, .cols = a.cols(), .ptr = wide, .col = theirs.col}, theirs.val},
                                      nnz};
  CuSparse cusparse;
  std::vector<Contestant> all;
  all.push_back({"rowan", [&] { return device::multiply(engine, ours, ours, 0, nullptr, nullptr).nnz; }});
  if (peers) {
    all.push_back({"default", [&] { return cusparse.multiply(theirs, theirs, CUSPARSE_SPGEMM_DEFAULT); }});
    all.push_back({"alg2", [&] { return cusparse.multiply(theirs, theirs, CUSPARSE_SPGEMM_ALG2); }});
    all.push_back({"alg3", [&] { return cusparse.multiply(theirs, theirs, CUSPARSE_SPGEMM_ALG3); }});
    all.push_back({"reuse", [&] { return cusparse.reuse(theirs, theirs); }});
  }
  for (Contestant& c : all) run(c), c.ms.clear();  // warm
  for (int r = 0; r < kRounds; r++)
    for (Contestant& c : all) {
      run(c);
      if (r >= 2 && c.median() > 200) c.ms.resize(1);
    }
  Stats stats;
  const auto product = device::multiply(engine, ours, ours, 0, nullptr, &stats);
  must(cudaDeviceSynchronize());
  const double error = stats.nprod <= 1'000'000'000 ? error_of(product, multiply(a, a)) : NAN;
  const double mine = all[0].median();
  double best = INFINITY;
  for (std::size_t k = 1; k < all.size(); k++) best = std::min(best, all[k].median());
  const std::string name = file.substr(file.rfind('/') + 1);
  std::printf("%-24s nprod %11lld nnzC %10lld rowan %8.3f", name.substr(0, name.find('.')).c_str(),
              static_cast<long long>(stats.nprod), static_cast<long long>(product.nnz), mine);
  for (std::size_t k = 1; k < all.size(); k++) std::printf(" %s %8.3f", all[k].name, all[k].median());
  std::printf(" ratio %5.2f error %.1e | feat %.3f bin %.3f dec %.3f sym %.3f num %.3f temp %lld MB%s\n", best / mine,
              error, stats.features * 1e3, stats.binning * 1e3, stats.deciding * 1e3, stats.symbolic * 1e3,
              stats.numeric * 1e3, static_cast<long long>(stats.bytes_temporary >> 20),
              all[0].failed.empty() ? "" : (" FAILED " + all[0].failed).c_str());
  std::fflush(stdout);
  if (std::isfinite(best)) totals.log += std::log(best / mine), totals.n++, totals.slower += mine > best;
  for (void* p : {static_cast<void*>(theirs.ptr), static_cast<void*>(theirs.col), static_cast<void*>(theirs.val),
                  static_cast<void*>(wide)})
    must(cudaFree(p));
}

}  // namespace
}  // namespace rowan::bench

int main(int argc, char** argv) try {
  std::string policy = "device-rules", force;
  bool peers = true;
  std::vector<std::string> files;
  for (int k = 1; k < argc; k++) {
    const std::string word = argv[k];
    if (word == "--policy")
      policy = argv[++k];
    else if (word == "--force")
      force = argv[++k];
    else if (word == "--no-peers")
      peers = false;
    else
      files.push_back(word);
  }
  const auto* chosen = rowan::embedded_policy(policy);
  if (chosen == nullptr) throw std::runtime_error("there is no policy " + policy);
  cudaMemPool_t pool;
  rowan::bench::must(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::uint64_t keep = UINT64_MAX;
  rowan::bench::must(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  rowan::device::Engine engine(0, *chosen, force);
  rowan::bench::Totals totals;
  for (const std::string& file : files) {
    try {
      rowan::bench::bench(file, engine, peers, totals);
    } catch (const std::exception& e) {
      std::printf("%s: %s\n", file.c_str(), e.what());
    }
  }
  std::printf("%s, %s%s: geomean %.2f x the best of cuSPARSE on %d matrices, slower on %d\n",
              engine.info().name.c_str(), policy.c_str(), force.empty() ? "" : (", forced " + force).c_str(),
              std::exp(totals.log / totals.n), totals.n, totals.slower);
} catch (const std::exception& e) {
  std::fprintf(stderr, "device_vs_cusparse: %s\n", e.what());
  return 1;
}
