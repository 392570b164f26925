/* Markov clustering (van Dongen 2000) of a graph, in C: random walks are taken two steps further at a time (M·M), then
   likely ones are made likelier (squares), until nothing changes. Walks that end together are a cluster.
     markov_clustering GRAPH.mtx.gz */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rowan/rowan.h>

typedef struct {
  int64_t n, nnz;
  int64_t* row_ptr;
  int32_t* col;
  double* val;
} walks;

static void check(rowan_status status) {
  if (status == ROWAN_OK) return;
  fprintf(stderr, "%s\n", rowan_last_error());
  exit(1);
}

static void* memory(int64_t count, size_t bytes) {
  void* p = malloc((size_t)(count + 1) * bytes);
  if (!p) exit(fprintf(stderr, "no memory\n"));
  return p;
}

static walks reserve(int64_t n, int64_t nnz) {
  walks w = {n, 0, memory(n, sizeof(int64_t)), memory(nnz, sizeof(int32_t)), memory(nnz, sizeof(double))};
  w.row_ptr[0] = 0;
  return w;
}

static void release(walks* w) {
  free(w->row_ptr), free(w->col), free(w->val);
}

static void add(walks* w, int64_t j, double v) {
  w->col[w->nnz] = (int32_t)j, w->val[w->nnz++] = v;
}

static void end_row(walks* w, int64_t i) { /* whose sum becomes 1 */
  double sum = 0;
  for (int64_t k = w->row_ptr[i]; k < w->nnz; k++) sum += w->val[k];
  for (int64_t k = w->row_ptr[i]; k < w->nnz; k++) w->val[k] /= sum;
  w->row_ptr[i + 1] = w->nnz;
}

/* The squares of the probabilities, without those below 1/10,000. */
static walks inflated(const rowan_view* m) {
  const double* val = m->val;
  walks w = reserve(m->rows, m->nnz);
  for (int64_t i = 0; i < m->rows; i++) {
    double sum = 0;
    for (int64_t k = m->row_ptr64[i]; k < m->row_ptr64[i + 1]; k++) sum += val[k] * val[k];
    for (int64_t k = m->row_ptr64[i]; k < m->row_ptr64[i + 1]; k++)
      if (val[k] * val[k] >= 1e-4 * sum) add(&w, m->col32[k], val[k] * val[k]);
    end_row(&w, i);
  }
  return w;
}

static int32_t root(const int32_t* of, int32_t i) {
  while (of[i] != i) i = of[i];
  return i;
}

int main(int argc, char** argv) {
  if (argc != 2) return fprintf(stderr, "usage: markov_clustering GRAPH\n"), 2;
  rowan_matrix* file = NULL;
  rowan_context* context = NULL;
  rowan_view graph;
  check(rowan_context_create(NULL, &context));
  check(rowan_read(argv[1], &file));
  check(rowan_matrix_view(file, &graph));
  walks w = reserve(graph.rows, graph.nnz + graph.rows); /* one step along an edge, or none */
  for (int64_t i = 0; i < graph.rows; end_row(&w, i++)) {
    add(&w, i, 1);
    for (int64_t k = graph.row_ptr64[i]; k < graph.row_ptr64[i + 1]; k++)
      if (graph.col32[k] != i) add(&w, graph.col32[k], 1);
  }
  int steps = 0;
  for (int changed = 1; changed && steps < 100; steps++) {
    const rowan_view m = {.rows = w.n, .cols = w.n, .nnz = w.nnz, .row_ptr64 = w.row_ptr, .col32 = w.col, .val = w.val};
    rowan_matrix* squared = NULL;
    rowan_view c;
    check(rowan_multiply(context, &m, &m, &squared, NULL));
    check(rowan_matrix_view(squared, &c));
    walks next = inflated(&c);
    changed = next.nnz != w.nnz || memcmp(next.col, w.col, (size_t)w.nnz * sizeof *w.col) != 0 ||
              memcmp(next.val, w.val, (size_t)w.nnz * sizeof *w.val) != 0;
    rowan_matrix_free(squared), release(&w);
    w = next;
  }
  /* rows that share a column are in one cluster */
  int32_t* of = memory(w.n, sizeof *of);
  int64_t count = 0, inside = 0;
  for (int32_t i = 0; i < w.n; i++) of[i] = i;
  for (int32_t i = 0; i < w.n; i++)
    for (int64_t k = w.row_ptr[i]; k < w.row_ptr[i + 1]; k++) of[root(of, i)] = root(of, w.col[k]);
  for (int32_t i = 0; i < w.n; i++) {
    count += of[i] == i;
    for (int64_t k = graph.row_ptr64[i]; k < graph.row_ptr64[i + 1]; k++)
      inside += root(of, i) == root(of, graph.col32[k]);
  }
  printf("%lld vertices, %lld clusters after %d steps, %.4f of the edges within clusters\n", (long long)w.n,
         (long long)count, steps, (double)inside / (double)graph.nnz);
  free(of), release(&w), rowan_matrix_free(file), rowan_context_free(context);
  return 0;
}
