// Which rows of a matrix are most alike: with rows of length 1, the entries of A·Aᵀ are the cosines between them. Here
// rows are members of an institute, columns those that they wrote to.
//   similarity MATRIX [HOW_MANY]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <rowan/rowan.hpp>

struct Pair {
  double cosine;
  std::int64_t i, j;
};

/// Divides each row by its length.
void normalize(rowan::Csr<double>& a) {
  for (std::int64_t i = 0; i < a.rows(); i++) {
    double squares = 0;
    const auto row = a.val().subspan(static_cast<std::size_t>(a.row_ptr()[i]),
                                     static_cast<std::size_t>(a.row_ptr()[i + 1] - a.row_ptr()[i]));
    for (const double v : row) squares += v * v;
    for (double& v : row) v /= std::sqrt(squares);
  }
}

int main(int argc, char** argv) try {
  if (argc < 2) return std::fprintf(stderr, "usage: similarity MATRIX [HOW_MANY]\n"), 2;
  rowan::Csr<double> a = rowan::canonical(rowan::read_matrix(argv[1]));
  normalize(a);
  const rowan::Csr<double> c = rowan::multiply(a, rowan::transposed(a));

  std::vector<Pair> pairs;
  bool sound = true;  // rows are like themselves, C is symmetric to the bit, and no cosine exceeds 1
  for (std::int64_t i = 0; i < c.rows(); i++)
    for (auto k = static_cast<std::size_t>(c.row_ptr()[i]); k < static_cast<std::size_t>(c.row_ptr()[i + 1]); k++) {
      const std::int64_t j = c.col()[k];
      sound = sound && c.val()[k] < 1 + 1e-12 && (i != j || c.val()[k] > 1 - 1e-12);
      // only rows with five entries or more say much
      if (j < i && a.row_ptr()[i + 1] - a.row_ptr()[i] >= 5 && a.row_ptr()[j + 1] - a.row_ptr()[j] >= 5)
        pairs.push_back({c.val()[k], i, j});
    }
  const auto mirrored = rowan::transpose(c);
  sound = sound && std::ranges::equal(c.col(), mirrored.col()) && std::ranges::equal(c.val(), mirrored.val());

  const auto how_many = std::min<std::size_t>(pairs.size(), argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 5);
  const auto before = [](const Pair& x, const Pair& y) {
    return x.cosine != y.cosine ? x.cosine > y.cosine : x.i != y.i ? x.i < y.i : x.j < y.j;
  };
  std::ranges::partial_sort(pairs, pairs.begin() + static_cast<std::ptrdiff_t>(how_many), before);
  std::printf("%zu pairs of rows have something in common; most alike:\n", pairs.size());
  for (std::size_t p = 0; p < how_many; p++)
    std::printf("%6lld %6lld   %.6f\n", static_cast<long long>(pairs[p].i), static_cast<long long>(pairs[p].j),
                pairs[p].cosine);
  return sound ? 0 : 1;
} catch (const rowan::Error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
