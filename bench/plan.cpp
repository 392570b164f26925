// What a plan costs and what it saves, on products of multigrid and of a road-like graph: ratios of times in one
// process, minimum over interleaved rounds, one thread. "first use" is a plan and its first execution; "dense values"
// the textbook's values-only phase: each row added up in an array of all columns, then read at C's known columns (as
// PETSc's MatMatMultNumeric does), without any check.
//   plan [ROUNDS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <rowan/rowan.hpp>

namespace {

using rowan::Column;
using Matrix = rowan::Csr<double>;
using Clock = std::chrono::steady_clock;

using Row = std::vector<std::pair<Column, double>>;
Matrix from_rows(const std::vector<Row>& rows, std::int64_t cols) {
  std::size_t nnz = 0;
  for (const Row& row : rows) nnz += row.size();
  rowan::Array<std::int64_t> ptr(rows.size() + 1);
  rowan::Array<Column> col(nnz);
  rowan::Array<double> val(nnz);
  std::int64_t k = 0;
  ptr[0] = 0;
  for (std::size_t i = 0; i < rows.size(); i++) {
    for (const auto& [j, x] : rows[i]) col[k] = j, val[k] = x, k++;
    ptr[i + 1] = k;
  }
  return {static_cast<std::int64_t>(rows.size()), cols, std::move(ptr), std::move(col), std::move(val)};
}

struct Grid {
  Column n;
  [[nodiscard]] Column at(Column x, Column y, Column z) const { return (z * n + y) * n + x; }
  /// f(point, x, y, z) for all points, in order.
  template <class F>
  void for_points(const F& f) const {
    for (Column z = 0; z < n; z++)
      for (Column y = 0; y < n; y++)
        for (Column x = 0; x < n; x++) f(at(x, y, z), x, y, z);
  }
  /// f(neighbour) for a point's up to six, in order.
  template <class F>
  void for_neighbours(Column x, Column y, Column z, const F& f) const {
    if (z > 0) f(at(x, y, z - 1));
    if (y > 0) f(at(x, y - 1, z));
    if (x > 0) f(at(x - 1, y, z));
    if (x + 1 < n) f(at(x + 1, y, z));
    if (y + 1 < n) f(at(x, y + 1, z));
    if (z + 1 < n) f(at(x, y, z + 1));
  }
};

/// Poisson's equation, seven points.
Matrix poisson(const Grid& g) {
  std::vector<Row> rows;
  g.for_points([&](Column i, Column x, Column y, Column z) {
    Row row{{i, 6.0}};
    g.for_neighbours(x, y, z, [&](Column j) { row.emplace_back(j, -1.0); });
    std::sort(row.begin(), row.end());
    rows.push_back(std::move(row));
  });
  return from_rows(rows, g.n * g.n * g.n);
}

/// Prolongation of smoothed aggregation, aggregates of 3 x 3 x 3 points (Vanek, Mandel and Brezina 1996).
Matrix smoothed(const Grid& g, const Matrix& a) {
  const Column m = (g.n + 2) / 3;
  std::vector<Row> rows;
  for (Column i = 0; i < g.n * g.n * g.n; i++)
    rows.push_back({{((i / g.n / g.n / 3) * m + i / g.n % g.n / 3) * m + i % g.n / 3, 1.0}});
  const Matrix tentative = from_rows(rows, std::int64_t{m} * m * m), smooth = rowan::copy(a);
  Matrix s = rowan::copy(smooth.view());
  for (std::int64_t i = 0; i < s.rows(); i++)
    for (std::int64_t k = s.row_ptr()[static_cast<std::size_t>(i)]; k < s.row_ptr()[static_cast<std::size_t>(i) + 1];
         k++) {
      double& x = s.val()[static_cast<std::size_t>(k)];
      x = (s.col()[static_cast<std::size_t>(k)] == i ? 1.0 : 0.0) - 0.66 / 6 * x;
    }
  return rowan::multiply(s, tentative);
}

/// Interpolation of Ruge and Stueben: every second point is coarse, the others are means of their neighbours.
Matrix interpolated(const Grid& g) {
  std::vector<Column> coarse(
      static_cast<std::size_t>(g.n) * static_cast<std::size_t>(g.n) * static_cast<std::size_t>(g.n), -1);
  Column count = 0;
  g.for_points([&](Column i, Column x, Column y, Column z) {
    if ((x + y + z) % 2 == 0) coarse[static_cast<std::size_t>(i)] = count++;
  });
  std::vector<Row> rows;
  g.for_points([&](Column i, Column x, Column y, Column z) {
    Row row;
    if (const Column own = coarse[static_cast<std::size_t>(i)]; own >= 0)
      row = {{own, 1.0}};
    else
      g.for_neighbours(x, y, z, [&](Column j) { row.emplace_back(coarse[static_cast<std::size_t>(j)], 1.0 / 6); });
    rows.push_back(std::move(row));
  });
  return from_rows(rows, count);
}

/// Crossings of a grid of streets, numbered by blocks, and of every street an entry both ways with a probability.
Matrix roads(Column n) {
  std::uint64_t state = 1;
  const auto random = [&] { return (state = state * 6364136223846793005ULL + 1442695040888963407ULL) >> 33; };
  std::vector<Column> number(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < number.size(); i++) number[i] = static_cast<Column>(i);
  for (std::size_t i = 0; i < number.size(); i++)
    std::swap(number[i], number[std::min(number.size() - 1, i + random() % 2000)]);
  std::vector<Row> rows(number.size());
  const auto street = [&](Column i, Column j) {
    if (random() % 100 >= 53) return;
    const Column x = number[static_cast<std::size_t>(i)], y = number[static_cast<std::size_t>(j)];
    rows[static_cast<std::size_t>(x)].emplace_back(y, 1.5), rows[static_cast<std::size_t>(y)].emplace_back(x, 0.5);
  };
  for (Column i = 0; i < n * n; i++) {
    if (i % n + 1 < n) street(i, i + 1);
    if (i + n < n * n) street(i, i + n);
  }
  for (Row& row : rows) std::sort(row.begin(), row.end());
  return from_rows(rows, std::int64_t{n} * n);
}

/// The textbook's values.
void dense_values(const Matrix& a, const Matrix& b, const std::int64_t* c_ptr, const Column* c_col, double* val,
                  std::vector<double>& dense) {
  const auto *const a_ptr = a.row_ptr().data(), *const b_ptr = b.row_ptr().data();
  const auto *const a_col = a.col().data(), *const b_col = b.col().data();
  const double *const a_val = a.val().data(), *const b_val = b.val().data();
  for (std::int64_t i = 0; i < a.rows(); i++) {
    for (std::int64_t k = a_ptr[i]; k < a_ptr[i + 1]; k++) {
      const double x = a_val[k];
      for (std::int64_t l = b_ptr[a_col[k]]; l < b_ptr[a_col[k] + 1]; l++)
        dense[static_cast<std::size_t>(b_col[l])] += x * b_val[l];
    }
    for (std::int64_t k = c_ptr[i]; k < c_ptr[i + 1]; k++) {
      double& sum = dense[static_cast<std::size_t>(c_col[k])];
      val[k] = sum, sum = 0;
    }
  }
}

template <class F>
void time(double& least, const F& f) {
  const auto start = Clock::now();
  f();
  least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
}

void measure(const char* name, const Matrix& a, const Matrix& b, int rounds) {
  const rowan::Context context{{.threads = 1}};
  const auto plan = context.plan(a, b);
  Matrix c;
  plan.execute(a, b, c);
  std::vector<double> dense(static_cast<std::size_t>(b.cols())), val(static_cast<std::size_t>(plan.nnz()));
  constexpr double kLong = 1e300;
  double multiply = kLong, first = kLong, with = kLong, pattern = kLong, planning = kLong, again = kLong, into = kLong,
         textbook = kLong;
  for (int round = 0; round < rounds; round++) {
    time(multiply, [&] { static_cast<void>(context.multiply(a, b)); });
    time(first, [&] {
      const auto made = context.plan(rowan::pattern_view(a), rowan::pattern_view(b));
      Matrix d;
      made.execute(a, b, d);
    });
    time(with, [&] {
      Matrix d;
      static_cast<void>(context.plan(a, b, d));
    });
    time(planning, [&] { static_cast<void>(context.plan(rowan::pattern_view(a), rowan::pattern_view(b))); });
    time(pattern, [&] { static_cast<void>(context.pattern(rowan::pattern_view(a), rowan::pattern_view(b))); });
    time(again, [&] { plan.execute(a, b, c); });
    time(into, [&] { plan.execute(a, b, std::span(val)); });
    time(textbook, [&] { dense_values(a, b, plan.row_ptr().data(), plan.col().data(), val.data(), dense); });
    if (!std::equal(val.begin(), val.end(), c.val().begin()))
      throw std::runtime_error(std::string(name) + ": values differ");
  }
  std::printf("%-22s %9lld %7.3f %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f\n", name,
              static_cast<long long>(plan.nprod()), multiply * 1e3, pattern / multiply, planning / multiply,
              first / multiply, with / multiply, again / multiply, again / textbook, into / textbook);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 30;
  std::printf("%-22s %9s %7s %8s %8s %8s %8s %8s %8s %8s\n", "", "", "ms", "pattern", "plan", "1st use", "with C",
              "again", "again", "into");
  std::printf("%-22s %9s %7s %44s %17s\n", "product", "products", "multiply", "/ multiply", "/ dense values");
  const Grid sa{44}, rs{40};
  const Matrix a = poisson(sa), p = smoothed(sa, a), r = rowan::transpose(p), ap = rowan::multiply(a, p);
  measure("aggregation A P", a, p, rounds);
  measure("aggregation R (A P)", r, ap, rounds);
  const Matrix a2 = poisson(rs), p2 = interpolated(rs), r2 = rowan::transpose(p2), ap2 = rowan::multiply(a2, p2);
  measure("Ruge-Stueben A P", a2, p2, rounds);
  measure("Ruge-Stueben R (A P)", r2, ap2, rounds);
  const Matrix road = roads(300);
  measure("road A A", road, road, rounds);
} catch (const std::exception& e) {
  std::fprintf(stderr, "plan: %s\n", e.what());
  return 1;
}
