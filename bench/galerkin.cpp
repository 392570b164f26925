// What R A P takes in one operation and in two products, new and of a planned pattern: ratios of times in one process,
// minimum over interleaved rounds; and PETSc's MatPtAP where the build has found PETSc.
//   galerkin [-t THREADS] [-r ROUNDS] [-n] [SET]
// -n: without PETSc.
// SET: lines of `rowan bench`; those that name part=0 and part=1 of a generated multigrid problem give A and P. A line
// "A.mtx P.mtx" gives both as files.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <rowan/rowan.hpp>

#ifdef ROWAN_PETSC
#include <petscmat.h>
#endif

namespace {

using Matrix = rowan::Csr<double>;
using Clock = std::chrono::steady_clock;
constexpr double kLong = 1e300;

template <class F>
void time(double& least, const F& f) {
  const auto start = Clock::now();
  f();
  least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
}

struct Problem {
  std::string name, a, p;
};

/// The problems that a set names, each once.
std::vector<Problem> problems(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + ": cannot be read");
  std::vector<Problem> all;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string a, by, p;
    words >> a >> by;
    if (by != "*")
      p = by;
    else
      words >> p;
    const bool generated = a.starts_with("generated:");
    if (generated && !a.ends_with(",part=0")) continue;
    std::string name = generated ? a.substr(10, a.size() - 17) : a;
    all.push_back({std::move(name), a, p});
  }
  return all;
}

Matrix matrix(const std::string& name) {
  return name.starts_with("generated:") ? rowan::generate(name.substr(10)) : rowan::read_matrix(name);
}

struct Times {
  double fresh = kLong, again = kLong;
};

#ifdef ROWAN_PETSC
void require(PetscErrorCode code) {
  if (code != 0) throw std::runtime_error("PETSc failed");
}
/// A matrix of PETSc on copies of the arrays.
struct PetscMatrix {
  std::vector<PetscInt> ptr, col;
  std::vector<PetscScalar> val;
  Mat mat = nullptr;
  explicit PetscMatrix(const Matrix& m)
      : ptr(m.row_ptr().begin(), m.row_ptr().end()),
        col(m.col().begin(), m.col().end()),
        val(m.val().begin(), m.val().end()) {
    require(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, static_cast<PetscInt>(m.rows()), static_cast<PetscInt>(m.cols()),
                                      ptr.data(), col.data(), val.data(), &mat));
  }
  PetscMatrix(const PetscMatrix&) = delete;
  PetscMatrix& operator=(const PetscMatrix&) = delete;
  ~PetscMatrix() { MatDestroy(&mat); }
};
/// MatPtAP, the first time and again, in the way `via` ("default" or "rap").
void petsc(const PetscMatrix& a, const PetscMatrix& p, const char* via, Times& t) {
  require(PetscOptionsSetValue(nullptr, "-matptap_via", via));
  require(PetscOptionsSetValue(nullptr, "-matproduct_ptap_via", via));
  Mat c = nullptr;
  time(t.fresh, [&] { require(MatPtAP(a.mat, p.mat, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &c)); });
  time(t.again, [&] { require(MatPtAP(a.mat, p.mat, MAT_REUSE_MATRIX, PETSC_DEFAULT, &c)); });
  require(MatDestroy(&c));
}
#endif

struct Means {
  double sum = 0, least = kLong;
  int n = 0;
  void add(double ratio) { sum += std::log(ratio), least = std::min(least, ratio), n++; }
  void print(const char* what) const {
    if (n != 0) std::printf("  %-46s %5.2f  least %5.2f\n", what, std::exp(sum / n), least);
  }
};

struct Summary {
  Means chosen, fused, again, petsc, rap, petsc_again;
};

bool same(const Matrix& x, const Matrix& y) {
  return std::equal(x.row_ptr().begin(), x.row_ptr().end(), y.row_ptr().begin(), y.row_ptr().end()) &&
         std::equal(x.col().begin(), x.col().end(), y.col().begin(), y.col().end()) &&
         std::equal(x.val().begin(), x.val().end(), y.val().begin(), y.val().end());
}

void measure(const Problem& problem, int threads, int rounds, [[maybe_unused]] bool with_petsc, Summary& all) {
  using rowan::GalerkinWay;
  const Matrix a = matrix(problem.a), p = matrix(problem.p);
  const rowan::Context context{{.threads = threads}};
  rowan::GalerkinStats stats;
  Matrix chosen = context.galerkin(a, p, &stats);
  const auto plan = context.plan_galerkin(a, p);
  Times mine, plain, petsc_default, petsc_rap;
  double fused = kLong, prepare = 0;
#ifdef ROWAN_PETSC
  const PetscMatrix petsc_a(a), petsc_p(p);
#endif
  for (int round = 0; round < rounds; round++) {
    time(plain.fresh, [&] { static_cast<void>(context.galerkin(a, p, nullptr, GalerkinWay::two_products)); });
    time(mine.fresh, [&] { chosen = context.galerkin(a, p, &stats); });
    Matrix other;
    time(fused, [&] { other = context.galerkin(a, p, &stats, GalerkinWay::fused); });
    prepare = stats.prepare + stats.choosing;
    if (!same(chosen, other)) throw std::runtime_error(problem.name + ": results differ");
    plan.execute(a, p, other);
    time(mine.again, [&] { plan.execute(a, p, other); });
    if (!same(chosen, other)) throw std::runtime_error(problem.name + ": values of the plan differ");
#ifdef ROWAN_PETSC
    if (with_petsc && round < 5)
      petsc(petsc_a, petsc_p, "scalable", petsc_default), petsc(petsc_a, petsc_p, "rap", petsc_rap);
#endif
  }
  std::printf("%-58s %9lld %5.2f %8.3f %6.2f %6.2f %6.2f %6.2f", problem.name.c_str(),
              static_cast<long long>(stats.nprod_ap + stats.nprod_rap),
              1 + static_cast<double>(stats.rows_twice) / static_cast<double>(a.rows()), plain.fresh * 1e3,
              plain.fresh / fused, plain.fresh / mine.fresh, prepare / fused, plain.fresh / mine.again);
  all.chosen.add(plain.fresh / mine.fresh), all.again.add(plain.fresh / mine.again);
  all.fused.add(plain.fresh / fused);
  if (petsc_default.fresh < kLong) {
    std::printf(" %6.2f %6.2f %6.2f", petsc_default.fresh / mine.fresh, petsc_rap.fresh / mine.fresh,
                petsc_default.again / mine.again);
    all.petsc.add(petsc_default.fresh / mine.fresh), all.rap.add(petsc_rap.fresh / mine.fresh);
    all.petsc_again.add(petsc_default.again / mine.again);
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  int threads = 1, rounds = 15;
  bool with_petsc = true;
  std::string set = "bench/sets/multigrid.txt";
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (word == "-t" && i + 1 < argc)
      threads = std::atoi(argv[++i]);
    else if (word == "-r" && i + 1 < argc)
      rounds = std::atoi(argv[++i]);
    else if (word == "-n")
      with_petsc = false;
    else
      set = word;
  }
#ifdef ROWAN_PETSC
  require(PetscInitializeNoArguments());
#endif
  std::printf("%-58s %9s %5s %8s %6s %7s %6s %6s %6s %6s %6s\n", "", "", "A P", "ms", "two/", "two/", "", "two/",
              "PETSc", "rap", "again");
  std::printf("%-58s %9s %5s %8s %6s %7s %6s %6s %20s\n", "problem", "products", "made", "two", "fused", "chosen",
              "prep", "again", "/ rowan");
  Summary all;
  for (const Problem& problem : problems(set)) measure(problem, threads, rounds, with_petsc, all);
  std::printf("geometric means\n");
  all.chosen.print("two products / chosen");
  all.fused.print("two products / fused");
  all.again.print("two products / plan again");
  all.petsc.print("PETSc MatPtAP / chosen");
  all.rap.print("PETSc MatPtAP via rap / chosen");
  all.petsc_again.print("PETSc again / plan again");
} catch (const std::exception& e) {
  std::fprintf(stderr, "galerkin: %s\n", e.what());
  return 1;
}
