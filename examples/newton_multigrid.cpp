// A nonlinear equation by Newton's method, each linear one by multigrid. The values of all coarse matrices change in
// every step, their patterns never do: the first step plans the products Pᵀ·A·P, later ones compute their values again.
//   -div grad u + u³ = f on the unit square, 0 on its border; f is such that u = sin(pi x) sin(pi y)
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <vector>

#include <rowan/rowan.hpp>

using Vector = std::vector<double>;
using Matrix = rowan::CsrView<double>;

/// Calls f(row, column, value) for every entry.
template <class F>
void each(const Matrix& a, F f) {
  for (std::size_t i = 0, k = 0; i < static_cast<std::size_t>(a.rows); i++)
    for (; k < static_cast<std::size_t>(a.row_ptr[i + 1]); k++) f(i, static_cast<std::size_t>(a.col[k]), a.val[k]);
}

double norm(const Vector& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

/// n x n points; every second one in both directions is a point of the next level, from which bilinear interpolation
/// (row_ptr, col, weight) leads back.
struct Level {
  explicit Level(int n) : x(static_cast<std::size_t>(n * n)), b(x), r(x), diagonal(x) {
    const int m = coarse = n / 2;
    for (int p = 0; p < n * n; p++, row_ptr.push_back(static_cast<std::int32_t>(col.size())))
      for (int down = 0; down < m; down++)
        for (int right = 0; right < m; right++) {
          const int dy = std::abs(p / n - 2 * down - 1), dx = std::abs(p % n - 2 * right - 1);
          if (dy <= 1 && dx <= 1) col.push_back(down * m + right), weight.push_back((dy ? 0.5 : 1) * (dx ? 0.5 : 1));
        }
  }
  [[nodiscard]] Matrix p() const {
    const auto rows = static_cast<std::int64_t>(x.size());
    return {.rows = rows, .cols = coarse * coarse, .row_ptr = row_ptr, .col = col, .val = weight};
  }
  int coarse = 0;
  std::vector<std::int32_t> row_ptr{0}, col;
  Vector weight = {}, x, b, r, diagonal;
  rowan::Csr<double> a;                     // A x = b
  std::optional<rowan::GalerkinPlan> plan;  // Pᵀ·A·P
};

void residual(Level& l) {
  l.r = l.b;
  each(l.a, [&](std::size_t i, std::size_t j, double v) { l.r[i] -= v * l.x[j]; });
}

void smooth(Level& l) {  // damped Jacobi
  for (int sweep = 0; sweep < 2; sweep++) {
    residual(l);
    for (std::size_t i = 0; i < l.x.size(); i++) l.x[i] += 0.8 * l.r[i] / l.diagonal[i];
  }
}

void v_cycle(std::vector<Level>& levels, std::size_t at) {
  Level& fine = levels[at];
  if (at + 1 == levels.size()) return void(fine.x[0] = fine.b[0] / fine.diagonal[0]);  // one point
  Level& coarse = levels[at + 1];
  smooth(fine), residual(fine);
  std::ranges::fill(coarse.b, 0), std::ranges::fill(coarse.x, 0);
  each(fine.p(), [&](std::size_t i, std::size_t j, double w) { coarse.b[j] += w * fine.r[i]; });
  v_cycle(levels, at + 1);
  each(fine.p(), [&](std::size_t i, std::size_t j, double w) { fine.x[i] += w * coarse.x[j]; });
  smooth(fine);
}

int main() {
  constexpr int n = 63;
  constexpr double h = 1.0 / (n + 1), pi = std::numbers::pi;
  std::vector<Level> levels;
  for (int m = n; m > 0; m /= 2) levels.emplace_back(m);
  Level& finest = levels.front();
  finest.a = rowan::generate("stencil2d:nx=63,ny=63");  // its pattern
  Vector u(finest.x.size()), exact(u), f(u);
  for (std::size_t p = 0; p < u.size(); p++) {
    const double e =
        std::sin(pi * h * static_cast<double>(p / n + 1)) * std::sin(pi * h * static_cast<double>(p % n + 1));
    exact[p] = e, f[p] = 2 * pi * pi * e + e * e * e;
  }
  double start = 0;
  for (int step = 0; step < 9; step++) {
    std::size_t k = 0;  // h² times the equation's derivative at u, and in finest.b what is left of the equation
    for (std::size_t i = 0; i < u.size(); i++) finest.b[i] = h * h * (f[i] - u[i] * u[i] * u[i]);
    each(finest.a, [&](std::size_t i, std::size_t j, double) {
      finest.b[i] -= (i == j ? 4 : -1) * u[j];
      finest.a.val()[k++] = i == j ? 4 + 3 * h * h * u[i] * u[i] : -1;
    });
    if (step == 0) start = norm(finest.b);
    std::printf("step %d: residual %.1e\n", step, norm(finest.b) / start);
    if (norm(finest.b) < 1e-11 * start) break;
    for (std::size_t at = 0; at < levels.size(); at++) {  // set-up
      Level& l = levels[at];
      each(l.a, [&](std::size_t i, std::size_t j, double v) {
        if (i == j) l.diagonal[i] = v;
      });
      if (at + 1 == levels.size()) break;
      if (l.plan)
        l.plan->execute(l.a, l.p(), levels[at + 1].a);
      else
        l.plan = rowan::Context().plan_galerkin(l.a, l.p(), &levels[at + 1].a);
    }
    std::ranges::fill(finest.x, 0);
    for (int cycle = 0; cycle < 10; cycle++) v_cycle(levels, 0);
    for (std::size_t i = 0; i < u.size(); i++) u[i] += finest.x[i];
  }
  double error = 0;
  for (std::size_t i = 0; i < u.size(); i++) error = std::max(error, std::abs(u[i] - exact[i]));
  std::printf("%zu levels; largest error %.1e; h² is %.1e\n", levels.size(), error, h * h);
  return norm(finest.b) < 1e-11 * start && error < h * h ? 0 : 1;
}
