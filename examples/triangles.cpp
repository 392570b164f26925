// Counts the triangles of a graph. Vertices are ordered by degree and L has each edge once, from the later to the
// earlier vertex: (L·L)(i, j) counts the paths i -> k -> j, and those that an edge i -> j closes are the triangles.
//   triangles GRAPH.mtx.gz
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include <rowan/rowan.hpp>

using Entry = std::size_t;

/// Each edge once, from the vertex of higher degree to that of lower degree; numbers decide where they are equal.
rowan::Csr<double> ordered(const rowan::Csr<double>& graph) {
  const auto degree = [&](std::int64_t i) { return std::pair(graph.row_ptr()[i + 1] - graph.row_ptr()[i], i); };
  std::vector<rowan::Column> col;
  rowan::Array<std::int64_t> row_ptr(graph.rows() + 1);
  row_ptr[0] = 0;
  for (std::int64_t i = 0; i < graph.rows(); i++) {
    for (auto k = graph.row_ptr()[i]; k < graph.row_ptr()[i + 1]; k++)
      if (const auto j = graph.col()[static_cast<Entry>(k)]; degree(j) < degree(i)) col.push_back(j);
    row_ptr[i + 1] = static_cast<std::int64_t>(col.size());
  }
  rowan::Array<rowan::Column> columns(col.size());
  rowan::Array<double> ones(col.size());
  std::copy(col.begin(), col.end(), columns.begin());
  std::fill(ones.begin(), ones.end(), 1.0);
  return {graph.rows(), graph.rows(), std::move(row_ptr), std::move(columns), std::move(ones)};
}

/// The sum of C's values where L has entries; both have sorted rows.
double sum_at(const rowan::Csr<double>& c, const rowan::Csr<double>& l) {
  double sum = 0;
  for (std::int64_t i = 0; i < c.rows(); i++) {
    auto at = static_cast<Entry>(c.row_ptr()[i]);
    const auto end = static_cast<Entry>(c.row_ptr()[i + 1]);
    for (auto k = static_cast<Entry>(l.row_ptr()[i]); k < static_cast<Entry>(l.row_ptr()[i + 1]); k++) {
      while (at < end && c.col()[at] < l.col()[k]) at++;
      if (at < end && c.col()[at] == l.col()[k]) sum += c.val()[at];
    }
  }
  return sum;
}

/// The same without a product: neighbours of i are marked, and looked for among the neighbours of its neighbours.
std::int64_t searched(const rowan::Csr<double>& l) {
  std::vector<std::int64_t> marked(static_cast<Entry>(l.rows()), -1);
  const auto each = [&](std::int64_t i, auto f) {
    for (auto k = l.row_ptr()[i]; k < l.row_ptr()[i + 1]; k++) f(l.col()[static_cast<Entry>(k)]);
  };
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < l.rows(); i++) {
    each(i, [&](std::int64_t j) { marked[static_cast<Entry>(j)] = i; });
    each(i, [&](std::int64_t j) { each(j, [&](std::int64_t k) { count += marked[static_cast<Entry>(k)] == i; }); });
  }
  return count;
}

int main(int argc, char** argv) try {
  if (argc != 2) return std::fprintf(stderr, "usage: triangles GRAPH\n"), 2;
  const rowan::Csr<double> graph = rowan::canonical(rowan::read_matrix(argv[1]));
  if (const auto reversed = rowan::transpose(graph); !std::ranges::equal(graph.col(), reversed.col()))
    return std::fprintf(stderr, "%s: an edge goes one way only\n", argv[1]), 1;
  const rowan::Csr<double> l = ordered(graph);
  rowan::Stats stats;
  const rowan::Csr<double> paths = rowan::Context().multiply(l, l, &stats);
  const auto triangles = static_cast<std::int64_t>(sum_at(paths, l));
  double wedges = 0;  // pairs of neighbours
  for (std::int64_t i = 0; i < graph.rows(); i++) {
    const auto degree = static_cast<double>(graph.row_ptr()[i + 1] - graph.row_ptr()[i]);
    wedges += degree * (degree - 1) / 2;
  }
  std::printf("%lld edges, %lld triangles, %.4f of all pairs of neighbours are neighbours; %lld products\n",
              static_cast<long long>(l.nnz()), static_cast<long long>(triangles),
              3 * static_cast<double>(triangles) / wedges, static_cast<long long>(stats.nprod));
  return triangles == searched(l) ? 0 : 1;
} catch (const rowan::Error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
