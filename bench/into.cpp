// What owning C costs: a product, its two steps into memory of the caller's, and Eigen's matrices.
//   into [--seconds 0.5] MATRIX...       files or generated:SPEC, A·A on one thread
// Times in ms, medians one after another; ratios are printed as geomean (least to greatest).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <rowan/eigen.hpp>
#include <rowan/rowan.hpp>

namespace {

using Clock = std::chrono::steady_clock;
using Eigens = Eigen::SparseMatrix<double, Eigen::RowMajor>;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Median milliseconds of each, taken one after another.
std::vector<double> medians(const std::vector<std::function<void()>>& calls, double seconds) {
  std::vector<std::vector<double>> times(calls.size());
  const auto begin = Clock::now();
  while (times[0].size() < 3 || since(begin) < seconds)
    for (std::size_t k = 0; k < calls.size(); k++) {
      const auto start = Clock::now();
      calls[k]();
      times[k].push_back(1e3 * since(start));
    }
  std::vector<double> out;
  for (auto& of : times) {
    std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2), of.end());
    out.push_back(of[of.size() / 2]);
  }
  return out;
}

void print_ratios(const char* what, const std::vector<double>& all) {
  double logs = 0;
  for (const double r : all) logs += std::log(r);
  std::printf("%-60s %.2f (%.2f to %.2f)\n", what, std::exp(logs / static_cast<double>(all.size())),
              *std::min_element(all.begin(), all.end()), *std::max_element(all.begin(), all.end()));
}

}  // namespace

int main(int argc, char** argv) try {
  double seconds = 0.5;
  std::vector<std::string> matrices;
  for (int k = 1; k < argc; k++)
    if (std::strcmp(argv[k], "--seconds") == 0 && k + 1 < argc)
      seconds = std::atof(argv[++k]);
    else
      matrices.emplace_back(argv[k]);
  rowan::Options options;
  options.threads = 1;
  const rowan::Context context(options);
  std::vector<double> into_over_multiply, both_over_multiply, new_over_multiply, copy_over_eigen, eigens_over_ours;
  std::printf("%-44s %9s %9s %9s %9s %9s %9s %9s\n", "matrix", "multiply", "symbolic", "into", "into new", "Eigen",
              "to_eigen", "Eigen's");
  for (const std::string& name : matrices) {
    const rowan::Csr<double> a = rowan::load_matrix(name);
    const Eigens e = rowan::to_eigen(a);
    const rowan::Symbolic sizes = context.symbolic(a, a);
    std::vector<rowan::Column> col(static_cast<std::size_t>(sizes.nnz));
    std::vector<double> val(static_cast<std::size_t>(sizes.nnz));
    const std::vector<double> ms =
        medians({[&] { static_cast<void>(context.multiply(a, a)); }, [&] { static_cast<void>(context.symbolic(a, a)); },
                 [&] { context.multiply_into(a, a, sizes, col, val); },
                 [&] {
                   std::vector<rowan::Column> new_col(col.size());
                   std::vector<double> new_val(val.size());
                   context.multiply_into(a, a, sizes, new_col, new_val);
                 },
                 [&] { static_cast<void>(rowan::multiply(e, e, context)); },
                 [&] { static_cast<void>(rowan::to_eigen(context.multiply(a, a))); }, [&] { Eigens c = e * e; }},
                seconds);
    std::printf("%-44s", name.substr(name.rfind('/') + 1).substr(0, 44).c_str());
    for (const double t : ms) std::printf(" %9.3f", t);
    std::printf("\n");
    std::fflush(stdout);
    into_over_multiply.push_back(ms[2] / ms[0]), both_over_multiply.push_back((ms[1] + ms[2]) / ms[0]);
    new_over_multiply.push_back(ms[3] / ms[0]), copy_over_eigen.push_back(ms[5] / ms[4]);
    eigens_over_ours.push_back(ms[6] / ms[4]);
  }
  if (matrices.empty()) return 0;
  print_ratios("multiply_into, memory in use, over multiply", into_over_multiply);
  print_ratios("symbolic and multiply_into over multiply", both_over_multiply);
  print_ratios("multiply_into, new memory, over multiply", new_over_multiply);
  print_ratios("to_eigen of a product over multiply(E, E)", copy_over_eigen);
  print_ratios("Eigen's own product over multiply(E, E)", eigens_over_ours);
  return 0;
} catch (const rowan::Error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
