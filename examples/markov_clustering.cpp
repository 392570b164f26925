// Markov clustering (van Dongen 2000) of a graph: random walks are taken two steps further at a time (M·M), then likely
// ones are made likelier (squares), until nothing changes. Walks that end together are a cluster. The bits of a product
// are the same on every machine, so the clusters are, too.
//   markov_clustering GRAPH.mtx.gz
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

#include <rowan/rowan.hpp>

struct Walks {
  std::vector<std::int64_t> row_ptr{0};
  std::vector<rowan::Column> col = {};
  std::vector<double> val = {};

  [[nodiscard]] rowan::CsrView<double> view() const {
    const auto n = static_cast<std::int64_t>(row_ptr.size()) - 1;
    return {.rows = n, .cols = n, .row_ptr = row_ptr, .col = col, .val = val};
  }
  void add(std::int32_t j, double v) { col.push_back(j), val.push_back(v); }
  /// Ends a row, whose sum becomes 1.
  void end_row() {
    const auto begin = val.begin() + row_ptr.back();
    const double sum = std::accumulate(begin, val.end(), 0.0);
    for (auto v = begin; v != val.end(); ++v) *v /= sum;
    row_ptr.push_back(static_cast<std::int64_t>(val.size()));
  }
};

/// One step along an edge, or none: each as likely as the others.
Walks one_step(const rowan::Csr<double>& graph) {
  Walks walks;
  for (std::int32_t i = 0; i < graph.rows(); i++) {
    walks.add(i, 1);
    for (auto k = static_cast<std::size_t>(graph.row_ptr()[i]); k < static_cast<std::size_t>(graph.row_ptr()[i + 1]);
         k++)
      if (graph.col()[k] != i) walks.add(graph.col()[k], 1);
    walks.end_row();
  }
  return walks;
}

/// The squares of the probabilities, without those below 1/10,000.
Walks inflated(const rowan::Csr<double>& m) {
  Walks walks;
  for (std::int64_t i = 0; i < m.rows(); i++) {
    double sum = 0;
    const auto begin = static_cast<std::size_t>(m.row_ptr()[i]), end = static_cast<std::size_t>(m.row_ptr()[i + 1]);
    for (std::size_t k = begin; k < end; k++) sum += m.val()[k] * m.val()[k];
    for (std::size_t k = begin; k < end; k++)
      if (const double v = m.val()[k] * m.val()[k]; v >= 1e-4 * sum) walks.add(m.col()[k], v);
    walks.end_row();
  }
  return walks;
}

/// Rows that share a column are in one cluster; each cluster is known by one of its members.
std::vector<std::int32_t> clusters(const Walks& walks) {
  std::vector<std::int32_t> of(walks.row_ptr.size() - 1);
  std::iota(of.begin(), of.end(), 0);
  const auto root = [&](std::int32_t i) {
    for (; of[static_cast<std::size_t>(i)] != i; i = of[static_cast<std::size_t>(i)])
      ;
    return i;
  };
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(of.size()); i++)
    for (auto k = walks.row_ptr[static_cast<std::size_t>(i)]; k < walks.row_ptr[static_cast<std::size_t>(i) + 1]; k++)
      of[static_cast<std::size_t>(root(i))] = root(walks.col[static_cast<std::size_t>(k)]);
  for (auto& c : of) c = root(c);
  return of;
}

/// The share of edges within clusters, less what it would be if edges fell at random (Newman 2006).
double modularity(const rowan::Csr<double>& graph, const std::vector<std::int32_t>& of) {
  std::vector<double> ends(of.size());
  double inside = 0;
  for (std::size_t i = 0; i < of.size(); i++)
    for (auto k = static_cast<std::size_t>(graph.row_ptr()[i]); k < static_cast<std::size_t>(graph.row_ptr()[i + 1]);
         k++)
      ends[static_cast<std::size_t>(of[i])]++, inside += of[i] == of[static_cast<std::size_t>(graph.col()[k])];
  const auto edges = static_cast<double>(graph.nnz());
  double random = 0;
  for (const double e : ends) random += (e / edges) * (e / edges);
  return inside / edges - random;
}

int main(int argc, char** argv) try {
  if (argc != 2) return std::fprintf(stderr, "usage: markov_clustering GRAPH\n"), 2;
  const rowan::Csr<double> graph = rowan::read_matrix(argv[1]);
  const rowan::Context context;
  Walks walks = one_step(graph);
  int steps = 0;
  for (bool changed = true; changed && steps < 100; steps++) {
    Walks next = inflated(context.multiply(walks.view(), walks.view()));
    changed = next.col != walks.col || next.val != walks.val;
    walks = std::move(next);
  }
  const auto of = clusters(walks);
  int count = 0;
  for (std::size_t i = 0; i < of.size(); i++) count += of[i] == static_cast<std::int32_t>(i);
  std::printf("%lld vertices, %d clusters after %d steps, modularity %.4f\n", static_cast<long long>(graph.rows()),
              count, steps, modularity(graph, of));
  return 0;
} catch (const rowan::Error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
