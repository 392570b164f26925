// What owning C costs: a product, its two steps into memory of the caller's, and Eigen's matrices.
//   into [--seconds 0.5] MATRIX...       files or generated:SPEC, A·A on one thread
// Times in ms, medians one after another; ratios are printed as geomean (least to greatest).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/times.hpp"
#include <rowan/eigen.hpp>
#include <rowan/rowan.hpp>

namespace {

using Eigens = Eigen::SparseMatrix<double, Eigen::RowMajor>;

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
    const std::vector<double> ms = rowan::bench::medians(
        {[&] { static_cast<void>(context.multiply(a, a)); }, [&] { static_cast<void>(context.symbolic(a, a)); },
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
  rowan::bench::print_ratios("multiply_into, memory in use, over multiply", into_over_multiply);
  rowan::bench::print_ratios("symbolic and multiply_into over multiply", both_over_multiply);
  rowan::bench::print_ratios("multiply_into, new memory, over multiply", new_over_multiply);
  rowan::bench::print_ratios("to_eigen of a product over multiply(E, E)", copy_over_eigen);
  rowan::bench::print_ratios("Eigen's own product over multiply(E, E)", eigens_over_ours);
  return 0;
} catch (const rowan::Error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
