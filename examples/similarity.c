/* Which rows of a matrix are most alike, in C: with rows of length 1, the entries of A·Aᵀ are the cosines between them.
     similarity MATRIX [HOW_MANY] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <rowan/rowan.h>

typedef struct {
  double cosine;
  int64_t i, j;
} pair;

static void check(rowan_status status) {
  if (status == ROWAN_OK) return;
  fprintf(stderr, "%s\n", rowan_last_error());
  exit(1);
}

static int by_cosine(const void* left, const void* right) {
  const pair *x = left, *y = right;
  if (x->cosine != y->cosine) return x->cosine > y->cosine ? -1 : 1;
  if (x->i != y->i) return x->i < y->i ? -1 : 1;
  return x->j < y->j ? -1 : 1;
}

int main(int argc, char** argv) {
  if (argc < 2) return fprintf(stderr, "usage: similarity MATRIX [HOW_MANY]\n"), 2;
  rowan_matrix *file = NULL, *product = NULL;
  rowan_context* context = NULL;
  rowan_view a, c;
  check(rowan_context_create(NULL, &context));
  check(rowan_read(argv[1], &file));
  check(rowan_matrix_view(file, &a));
  double* val = rowan_matrix_values(file);
  for (int64_t i = 0; i < a.rows; i++) {
    double squares = 0;
    for (int64_t k = a.row_ptr64[i]; k < a.row_ptr64[i + 1]; k++) squares += val[k] * val[k];
    for (int64_t k = a.row_ptr64[i]; k < a.row_ptr64[i + 1]; k++) val[k] /= sqrt(squares);
  }
  rowan_view transposed = a;
  transposed.transposed = 1;
  check(rowan_multiply(context, &a, &transposed, &product, NULL));
  check(rowan_matrix_view(product, &c));

  pair* pairs = malloc((size_t)c.nnz * sizeof *pairs);
  if (!pairs) return fprintf(stderr, "no memory\n"), 1;
  int64_t count = 0;
  int sound = 1; /* rows are like themselves, and no cosine exceeds 1 */
  for (int64_t i = 0; i < c.rows; i++)
    for (int64_t k = c.row_ptr64[i]; k < c.row_ptr64[i + 1]; k++) {
      const int64_t j = c.col32[k];
      const double cosine = ((const double*)c.val)[k];
      sound = sound && cosine < 1 + 1e-12 && (i != j || cosine > 1 - 1e-12);
      /* only rows with five entries or more say much */
      if (j < i && a.row_ptr64[i + 1] - a.row_ptr64[i] >= 5 && a.row_ptr64[j + 1] - a.row_ptr64[j] >= 5)
        pairs[count++] = (pair){cosine, i, j};
    }
  qsort(pairs, (size_t)count, sizeof *pairs, by_cosine);
  printf("%lld pairs of rows have something in common; most alike:\n", (long long)count);
  const long how_many = argc > 2 ? strtol(argv[2], NULL, 10) : 5;
  for (int64_t p = 0; p < how_many && p < count; p++)
    printf("%6lld %6lld   %.6f\n", (long long)pairs[p].i, (long long)pairs[p].j, pairs[p].cosine);
  free(pairs), rowan_matrix_free(product), rowan_matrix_free(file), rowan_context_free(context);
  return sound ? 0 : 1;
}
