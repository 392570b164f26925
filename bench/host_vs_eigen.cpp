// rowan::multiply beside Eigen's A * B, one thread, all phases and C's allocation inside the time, repetitions
// interleaved. For each matrix also every accumulator, forced.
//
//   host_vs_eigen [--seconds S] FILE...      A.A for square matrices, A.A' for others
#include <Eigen/SparseCore>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <rowan/eigen.hpp>
#include <rowan/rowan.hpp>

namespace {

using Clock = std::chrono::steady_clock;
using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;

struct Run {
  std::string name;
  double best = INFINITY;
  double spent = 0;
};

template <class F>
void timed(Run& run, double budget, const F& f) {
  if (run.spent > budget) return;
  const auto start = Clock::now();
  f();
  const double took = std::chrono::duration<double>(Clock::now() - start).count();
  run.best = std::min(run.best, took), run.spent += took;
}

bool equal(const Matrix& e, const rowan::Csr<double>& c) {
  if (e.nonZeros() != c.nnz()) return false;
  for (std::int64_t i = 0; i <= c.rows(); i++)
    if (e.outerIndexPtr()[i] != c.row_ptr()[static_cast<std::size_t>(i)]) return false;
  return std::equal(c.col().begin(), c.col().end(), e.innerIndexPtr());
}

}  // namespace

int main(int argc, char** argv) try {
  double budget = 1.0, log_sum = 0, least = INFINITY;
  int files = 0, repeats = 5;
  std::vector<std::string> forced{"sort", "dense-window", "dense-run", "dense-rank", "hash"};
  std::printf("%-22s %9s %9s %7s |", "matrix", "eigen ms", "rowan ms", "ratio");
  for (const std::string& f : forced) std::printf(" %12s", f.c_str());
  std::printf("   (forced, ms)\n");
  for (int arg = 1; arg < argc; arg++) {
    if (std::strcmp(argv[arg], "--seconds") == 0 && arg + 1 < argc) {
      budget = std::atof(argv[++arg]);
      continue;
    }
    const rowan::Csr<double> a = rowan::read_matrix(argv[arg]);
    const bool square = a.rows() == a.cols();
    const rowan::Csr<double> turned = square ? rowan::Csr<double>() : rowan::transpose(a.view());
    const rowan::CsrView<double> b = square ? a.view() : turned.view();
    const Matrix ea = rowan::to_eigen(a.view()), eb = rowan::to_eigen(b);
    Run eigen{"eigen"}, ours{"rowan"};
    std::vector<Run> runs;
    for (const std::string& f : forced) runs.push_back({f});
    const rowan::Context context({.threads = 1});
    bool right = true;
    for (int r = 0; r < repeats; r++) {
      Matrix e;
      rowan::Csr<double> c;
      timed(eigen, budget, [&] { e = ea * eb; });
      timed(ours, budget, [&] { c = context.multiply(a, b); });
      if (r == 0) right = equal(e, c);
      for (Run& run : runs)
        timed(run, budget, [&] { c = rowan::Context({.threads = 1, .force = run.name}).multiply(a, b); });
    }
    const double ratio = eigen.best / ours.best;
    log_sum += std::log(ratio), least = std::min(least, ratio), files++;
    std::string name = argv[arg];
    name = name.substr(name.rfind('/') + 1);
    std::printf("%-22s %9.2f %9.2f %6.2fx |", name.substr(0, name.find('.')).c_str(), eigen.best * 1e3, ours.best * 1e3,
                ratio);
    for (const Run& run : runs) std::printf(" %12.2f", run.best * 1e3);
    std::printf("%s\n", right ? "" : "   WRONG PATTERN");
    std::fflush(stdout);
    if (!right) return 1;
  }
  if (files != 0) std::printf("geomean %.2fx, least %.2fx of %d\n", std::exp(log_sum / files), least, files);
  return 0;
} catch (const rowan::Error& e) {
  std::fprintf(stderr, "host_vs_eigen: %s\n", e.what());
  return 1;
}
