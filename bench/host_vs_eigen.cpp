// rowan::multiply beside Eigen's A * B, one thread, all phases and C's allocation inside the time, repetitions
// interleaved, least time of each; the first results are compared. For each matrix also every accumulator, forced.
//
//   host_vs_eigen [--seconds S] FILE...      A.A for square matrices, A.A' for others
#include <Eigen/SparseCore>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>
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

/// The same pattern, and values within 2 k eps |A||B| for the k products of a row's entries at most.
bool agrees(const Matrix& a, const Matrix& b, const Matrix& e, const rowan::Csr<double>& c) {
  if (e.nonZeros() != c.nnz() || e.rows() != c.rows() || e.cols() != c.cols()) return false;
  const Matrix size = a.cwiseAbs() * b.cwiseAbs();
  const auto rows = static_cast<std::size_t>(c.rows());
  for (std::size_t i = 0; i < rows; i++) {
    if (e.outerIndexPtr()[i + 1] != c.row_ptr()[i + 1]) return false;
    const double k = 2.0 * (a.outerIndexPtr()[i + 1] - a.outerIndexPtr()[i]);
    for (auto j = static_cast<std::size_t>(c.row_ptr()[i]); j < static_cast<std::size_t>(c.row_ptr()[i + 1]); j++)
      if (e.innerIndexPtr()[j] != c.col()[j] ||
          std::abs(e.valuePtr()[j] - c.val()[j]) > k * std::numeric_limits<double>::epsilon() * size.valuePtr()[j])
        return false;
  }
  return true;
}

struct Pair {
  rowan::Csr<double> a, turned;
  rowan::CsrView<double> b;

  explicit Pair(const std::string& file) : a(rowan::read_matrix(file)), b(a) {
    if (a.rows() != a.cols()) turned = rowan::transpose(a.view()), b = turned;
  }
};

/// Milliseconds of everybody for one matrix, as a line of the table; returns Eigen's over rowan's.
double compare(const std::string& file, double budget, const std::vector<std::string>& forced) {
  constexpr int kRepeats = 7;
  const Pair pair(file);
  const Matrix a = rowan::to_eigen(pair.a.view()), b = rowan::to_eigen(pair.b);
  Run eigen{"eigen"}, ours{"rowan"};
  std::vector<Run> runs;
  for (const std::string& f : forced) runs.push_back({f});
  const rowan::Context context({.threads = 1});
  for (int r = 0; r < kRepeats; r++) {
    Matrix e;
    rowan::Csr<double> c;
    timed(eigen, budget, [&] { e = a * b; });
    timed(ours, budget, [&] { c = context.multiply(pair.a, pair.b); });
    if (r == 0 && !agrees(a, b, e, c)) throw std::runtime_error(file + ": rowan and Eigen differ");
    for (Run& run : runs) {
      c = {};
      const rowan::Context forcing({.threads = 1, .force = run.name});
      timed(run, budget, [&] { c = forcing.multiply(pair.a, pair.b); });
    }
  }
  const std::string name = file.substr(file.rfind('/') + 1);
  std::printf("%-22s %9.2f %9.2f %6.2fx |", name.substr(0, name.find('.')).c_str(), eigen.best * 1e3, ours.best * 1e3,
              eigen.best / ours.best);
  for (const Run& run : runs) std::printf(" %12.2f", run.best * 1e3);
  std::printf("\n");
  std::fflush(stdout);
  return eigen.best / ours.best;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> forced{"sort", "dense-window", "dense-run", "dense-rank", "hash"};
  double budget = 1.0, log_sum = 0, least = INFINITY;
  int files = 0;
  std::printf("%-22s %9s %9s %7s |", "matrix", "eigen ms", "rowan ms", "ratio");
  for (const std::string& f : forced) std::printf(" %12s", f.c_str());
  std::printf("   (forced, ms)\n");
  for (int arg = 1; arg < argc; arg++) {
    if (std::strcmp(argv[arg], "--seconds") == 0 && arg + 1 < argc) {
      budget = std::atof(argv[++arg]);
      continue;
    }
    const double ratio = compare(argv[arg], budget, forced);
    log_sum += std::log(ratio), least = std::min(least, ratio), files++;
  }
  if (files != 0) std::printf("geomean %.2fx, least %.2fx of %d\n", std::exp(log_sum / files), least, files);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "host_vs_eigen: %s\n", e.what());
  return 1;
}
