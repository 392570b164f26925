/* Counts the triangles of a graph, in C. Vertices are ordered by degree and L has each edge once, from the later to the
   earlier vertex: (L·L)(i, j) counts the paths i -> k -> j, and those that an edge i -> j closes are the triangles.
     triangles GRAPH.mtx.gz */
#include <stdio.h>
#include <stdlib.h>

#include <rowan/rowan.h>

static void check(rowan_status status) {
  if (status == ROWAN_OK) return;
  fprintf(stderr, "%s\n", rowan_last_error());
  exit(1);
}

static int64_t degree(const rowan_view* graph, int64_t i) {
  return graph->row_ptr64[i + 1] - graph->row_ptr64[i];
}

int main(int argc, char** argv) {
  if (argc != 2) return fprintf(stderr, "usage: triangles GRAPH\n"), 2;
  rowan_matrix* file = NULL;
  rowan_view graph;
  check(rowan_read(argv[1], &file));
  check(rowan_matrix_view(file, &graph));

  int64_t* row_ptr = malloc((size_t)(graph.rows + 1) * sizeof *row_ptr);
  int32_t* col = malloc((size_t)graph.nnz * sizeof *col);
  double* ones = malloc((size_t)graph.nnz * sizeof *ones);
  double* seen = calloc((size_t)graph.rows, sizeof *seen);
  if (!row_ptr || !col || !ones || !seen) return fprintf(stderr, "no memory\n"), 1;
  int64_t edges = 0;
  row_ptr[0] = 0;
  for (int64_t i = 0; i < graph.rows; i++) {
    for (int64_t k = graph.row_ptr64[i]; k < graph.row_ptr64[i + 1]; k++) {
      const int64_t j = graph.col32[k], less = degree(&graph, j) - degree(&graph, i);
      if (less < 0 || (less == 0 && j < i)) ones[edges] = 1, col[edges++] = (int32_t)j;
    }
    row_ptr[i + 1] = edges;
  }

  const rowan_view l = {
      .rows = graph.rows, .cols = graph.rows, .nnz = edges, .row_ptr64 = row_ptr, .col32 = col, .val = ones};
  rowan_context* context = NULL;
  rowan_matrix* paths = NULL;
  rowan_view c;
  check(rowan_context_create(NULL, &context));
  check(rowan_multiply(context, &l, &l, &paths, NULL));
  check(rowan_matrix_view(paths, &c));

  double triangles = 0, wedges = 0; /* a wedge is a pair of neighbours */
  for (int64_t i = 0; i < c.rows; i++) {
    for (int64_t k = c.row_ptr64[i]; k < c.row_ptr64[i + 1]; k++) seen[c.col32[k]] = ((const double*)c.val)[k];
    for (int64_t k = row_ptr[i]; k < row_ptr[i + 1]; k++) triangles += seen[col[k]];
    for (int64_t k = c.row_ptr64[i]; k < c.row_ptr64[i + 1]; k++) seen[c.col32[k]] = 0;
    wedges += (double)degree(&graph, i) * (double)(degree(&graph, i) - 1) / 2;
  }
  printf("%lld edges, %.0f triangles, %.4f of all pairs of neighbours are neighbours\n", (long long)edges, triangles,
         3 * triangles / wedges);
  rowan_matrix_free(paths), rowan_matrix_free(file), rowan_context_free(context);
  free(row_ptr), free(col), free(ones), free(seen);
  return 2 * edges == graph.nnz ? 0 : 1; /* else an edge goes one way only, or from a vertex to itself */
}
