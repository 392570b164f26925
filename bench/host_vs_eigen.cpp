// rowan::multiply beside Eigen's A * B, one thread, all phases and C's allocation inside the time, by turns in
// changing order, least time of each; the first results are compared. For each matrix also every accumulator, forced.
//
//   host_vs_eigen [--seconds S] A...      A.A for square matrices, A.A' for others; A,B for two files
#include <Eigen/SparseCore>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <rowan/eigen.hpp>
#include <rowan/rowan.hpp>

namespace {

using Clock = std::chrono::steady_clock;
using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;

/// Somebody who multiplies; the result is freed before the next one's turn.
struct Runner {
  std::string name;
  std::function<void()> multiply;
  double best = INFINITY;
  double spent = 0;
  int times = 0;

  /// At least four times; more while the budget lasts.
  void run(double budget) {
    if (times >= 4 && spent > budget) return;
    const auto start = Clock::now();
    multiply();
    const double took = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::min(best, took), spent += took, times++;
  }
};

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

/// "A" (A.A, or A.A' where A is not square) or "A,B".
struct Pair {
  rowan::Csr<double> a, other;
  rowan::CsrView<double> b;

  explicit Pair(const std::string& files) : a(rowan::read_matrix(files.substr(0, files.find(',')))), b(a) {
    if (const std::size_t comma = files.find(','); comma != std::string::npos)
      other = rowan::read_matrix(files.substr(comma + 1)), b = other;
    else if (a.rows() != a.cols())
      other = rowan::transpose(a.view()), b = other;
  }
};

/// Milliseconds of everybody for one matrix, as a line of the table; returns Eigen's over rowan's.
double compare(const std::string& file, double budget, const std::vector<std::string>& forced) {
  constexpr int kRepeats = 9;
  const Pair pair(file);
  const Matrix a = rowan::to_eigen(pair.a.view()), b = rowan::to_eigen(pair.b);
  Matrix e;
  rowan::Csr<double> c;
  std::vector<Runner> runners;
  runners.push_back({"eigen", [&] { e = a * b; }});
  const auto add = [&](const std::string& name, const std::string& force) {
    const rowan::Context context({.threads = 1, .force = force});
    runners.push_back({name, [&, context] { c = context.multiply(pair.a, pair.b); }});
  };
  add("rowan", "");
  for (const std::string& f : forced) add(f, f);

  // not timed, compared
  for (std::size_t i = 0; i < 2; i++) runners[i].multiply();
  if (!agrees(a, b, e, c)) throw std::runtime_error(file + ": rowan and Eigen differ");
  std::mt19937 random(1);
  std::vector<std::size_t> order(runners.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int r = 0; r < kRepeats; r++) {
    // in another order each time: what memory one run gives back decides what the next one's pages cost
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      e = Matrix(), c = {};
      runners[i].run(budget);
    }
  }
  const std::string name = file.substr(file.rfind('/') + 1);
  const double ratio = runners[0].best / runners[1].best;
  std::printf("%-22s %9.2f %9.2f %6.2fx |", name.substr(0, name.find('.')).c_str(), runners[0].best * 1e3,
              runners[1].best * 1e3, ratio);
  for (std::size_t i = 2; i < runners.size(); i++) std::printf(" %12.2f", runners[i].best * 1e3);
  std::printf("\n");
  std::fflush(stdout);
  return ratio;
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
