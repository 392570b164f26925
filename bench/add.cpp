// What it takes to add E to a product: alpha A B + beta E beside A B alone, beside the same by [alpha A | beta I] [B;
// E], and Eigen's.
//   add [--seconds 0.5] [--threads 1] SET        lines of `rowan bench` with A and B, or one matrix for both
// E has C's pattern, and where A is square and B is A, also A's. Times in ms, medians one after another; ratios are
// printed as geomean (least to greatest).
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "bench/times.hpp"
#include <rowan/eigen.hpp>
#include <rowan/rowan.hpp>

namespace {

using Matrix = rowan::Csr<double>;
using Eigens = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// [A | I].
Matrix with_identity(const Matrix& a) {
  const std::int64_t rows = a.rows();
  rowan::Array<std::int64_t> ptr(rows + 1);
  rowan::Array<rowan::Column> col(a.nnz() + rows);
  rowan::Array<double> val(a.nnz() + rows);
  ptr[0] = 0;
  std::int64_t k = 0;
  for (std::int64_t i = 0; i < rows; i++) {
    const std::int64_t* const of = a.row_ptr().data() + i;
    for (std::int64_t e = of[0]; e < of[1]; e++, k++) col[k] = a.col().data()[e], val[k] = a.val().data()[e];
    col[k] = static_cast<rowan::Column>(a.cols() + i), val[k] = 1, ptr[i + 1] = ++k;
  }
  return {rows, a.cols() + rows, std::move(ptr), std::move(col), std::move(val)};
}

struct Ratios {
  std::vector<double> of_product, stacked, eigen;

  void print(const std::string& name) const {
    if (of_product.empty()) return;
    rowan::bench::print_ratios(("E as " + name + ": A B + E over A B").c_str(), of_product);
    rowan::bench::print_ratios(("E as " + name + ": [A | I] [B; E] over A B + E").c_str(), stacked);
    rowan::bench::print_ratios(("E as " + name + ": Eigen's over A B + E").c_str(), eigen);
  }
};

void measure(const std::string& name, const rowan::Context& context, const Matrix& a, const Matrix& b, const Matrix& e,
             double seconds, Ratios& ratios) {
  const Matrix left = with_identity(a);
  const rowan::CsrView<double> pieces[] = {b.view(), e.view()};
  const Eigens ea = rowan::to_eigen(a), eb = rowan::to_eigen(b), ee = rowan::to_eigen(e);
  const std::vector<double> ms = rowan::bench::medians(
      {[&] { static_cast<void>(context.multiply(a, b)); },
       [&] { static_cast<void>(context.multiply_add(1.0, a.view(), b.view(), 1.0, e.view())); },
       [&] { static_cast<void>(context.multiply(left.view(), rowan::StackedView<double>{pieces})); },
       [&] { Eigens c = Eigens(ea * eb) + ee; }},
      seconds);
  std::printf("%-64s %9.3f %9.3f %9.3f %9.3f\n", name.substr(0, 64).c_str(), ms[0], ms[1], ms[2], ms[3]);
  std::fflush(stdout);
  ratios.of_product.push_back(ms[1] / ms[0]), ratios.stacked.push_back(ms[2] / ms[1]);
  ratios.eigen.push_back(ms[3] / ms[1]);
}

}  // namespace

int main(int argc, char** argv) try {
  double seconds = 0.5;
  rowan::Options options;
  options.threads = 1;
  std::string set;
  for (int k = 1; k < argc; k++)
    if (std::strcmp(argv[k], "--seconds") == 0 && k + 1 < argc)
      seconds = std::atof(argv[++k]);
    else if (std::strcmp(argv[k], "--threads") == 0 && k + 1 < argc)
      options.threads = std::atoi(argv[++k]);
    else
      set = argv[k];
  std::ifstream in(set);
  if (!in) return std::fprintf(stderr, "%s: cannot be read\n", set.c_str()), 2;
  const rowan::Context context(options);
  Ratios as_c, as_a;
  std::printf("%-64s %9s %9s %9s %9s\n", "A, E", "A B", "A B + E", "stacked", "Eigen");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string of_a, by, of_b;
    words >> of_a >> by >> of_b;
    const Matrix a = rowan::load_matrix(of_a), b = rowan::load_matrix(of_b.empty() ? of_a : of_b);
    const std::string name = of_a.substr(of_a.rfind('/') + 1);
    measure(name + ", as C", context, a, b, context.multiply(a, b), seconds, as_c);
    if (of_b.empty() && a.rows() == a.cols()) measure(name + ", as A", context, a, b, a, seconds, as_a);
  }
  as_c.print("C"), as_a.print("A");
  return 0;
} catch (const rowan::Error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
