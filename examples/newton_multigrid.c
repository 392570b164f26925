/* A nonlinear equation by Newton's method, each linear one by multigrid, in C. The patterns of all coarse matrices stay
   the same: the first step plans A·P and Pᵀ·(A·P), later ones compute their values again.
     -u'' + u³ = f on the unit interval, 0 at its ends; f is such that u = sin(pi x) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <rowan/rowan.h>

enum { N = 1023, LEVELS = 10 };
/* n points; every second one is a point of the next level, from which P interpolates. The last has one point. */
typedef struct {
  int64_t n;
  int32_t p_ptr[N + 1], p_col[2 * N];
  double p_val[2 * N], x[N], b[N], r[N], diagonal[N];
  rowan_matrix *a, *ap;
  rowan_plan *plan_ap, *plan_rap;
} level;

static void check(rowan_status status) {
  if (status != ROWAN_OK) fprintf(stderr, "%s\n", rowan_last_error()), exit(1);
}

static rowan_view view(const rowan_matrix* matrix) {
  rowan_view v;
  check(rowan_matrix_view(matrix, &v));
  return v;
}

static void residual(level* l) {
  const rowan_view a = view(l->a);
  for (int64_t i = 0; i < l->n; i++) {
    l->r[i] = l->b[i];
    for (int64_t k = a.row_ptr64[i]; k < a.row_ptr64[i + 1]; k++) {
      l->r[i] -= ((const double*)a.val)[k] * l->x[a.col32[k]];
      if (a.col32[k] == i) l->diagonal[i] = ((const double*)a.val)[k];
    }
  }
}

static void smooth(level* l) { /* damped Jacobi */
  for (int sweep = 0; sweep < 2; sweep++) {
    residual(l);
    for (int64_t i = 0; i < l->n; i++) l->x[i] += 0.8 * l->r[i] / l->diagonal[i];
  }
}

static void v_cycle(level* l) {
  level* coarse = l + 1;
  smooth(l), residual(l);
  for (int64_t j = 0; j < l->n / 2; j++)
    coarse->b[j] = l->r[2 * j] / 2 + l->r[2 * j + 1] + l->r[2 * j + 2] / 2, coarse->x[j] = 0;
  if (l->n > 1) v_cycle(coarse);
  for (int64_t j = 0; j < l->n / 2; j++)
    for (int64_t i = 2 * j; i <= 2 * j + 2; i++) l->x[i] += coarse->x[j] * (i == 2 * j + 1 ? 1 : 0.5);
  smooth(l);
}

/* The next level's matrix, Pᵀ·A·P: planned the first time. */
static void coarsen(const rowan_context* context, level* fine) {
  const int32_t *row_ptr = fine->p_ptr, *col = fine->p_col;
  const int64_t rows = fine->n, cols = rows / 2, nnz = row_ptr[rows];
  const rowan_view a = view(fine->a);
  const rowan_view p = {rows, cols, nnz, row_ptr, NULL, col, NULL, fine->p_val, ROWAN_FLOAT64, 0};
  rowan_view r = p, ap;
  r.transposed = 1;
  if (fine->plan_ap == NULL) {
    check(rowan_plan_create(context, &a, &p, &fine->plan_ap, &fine->ap));
    ap = view(fine->ap);
    check(rowan_plan_create(context, &r, &ap, &fine->plan_rap, &fine[1].a));
    return;
  }
  ap = view(fine->ap);
  check(rowan_plan_execute(fine->plan_ap, &a, &p, rowan_matrix_values(fine->ap), ap.nnz));
  check(rowan_plan_execute(fine->plan_rap, &r, &ap, rowan_matrix_values(fine[1].a), view(fine[1].a).nnz));
}

int main(void) {
  const double h = 1.0 / (N + 1), pi = acos(-1);
  static level levels[LEVELS];
  level* const finest = levels;
  rowan_context* context = NULL;
  check(rowan_context_create(NULL, &context));
  for (int64_t n = N, at = 0; n > 0; n /= 2, at++) {
    level* l = &levels[at];
    l->n = n;
    for (int64_t i = 0, entries = 0; i < n; l->p_ptr[++i] = (int32_t)entries)
      for (int64_t j = i / 2 - 1; j <= i / 2; j++)
        if (j >= 0 && j < n / 2 && labs(i - 2 * j - 1) <= 1)
          l->p_col[entries] = (int32_t)j, l->p_val[entries++] = i == 2 * j + 1 ? 1 : 0.5;
  }
  double u[N] = {0}, start = 0, left = 1, error = 0;
  check(rowan_generate("stencil2d:nx=1023,ny=1", &finest->a)); /* its pattern */
  const rowan_view a = view(finest->a);
  double* val = rowan_matrix_values(finest->a);
  for (int step = 0; step < 9; step++) {
    double squares = 0;
    for (int64_t i = 0; i < N; i++) { /* h² times what is left of the equation, and its derivative at u */
      const double e = sin(pi * h * (double)(i + 1));
      finest->b[i] = h * h * (pi * pi * e + e * e * e - u[i] * u[i] * u[i]), finest->x[i] = 0;
      for (int64_t k = a.row_ptr64[i]; k < a.row_ptr64[i + 1]; k++) {
        finest->b[i] -= (a.col32[k] == i ? 2 : -1) * u[a.col32[k]];
        val[k] = a.col32[k] == i ? 2 + 3 * h * h * u[i] * u[i] : -1;
      }
      squares += finest->b[i] * finest->b[i];
    }
    if (step == 0) start = sqrt(squares);
    left = sqrt(squares) / start;
    printf("step %d: residual %.1e\n", step, left);
    if (left < 1e-9) break;
    for (level* l = levels; l->n > 1; l++) coarsen(context, l);
    for (int cycle = 0; cycle < 10; cycle++) v_cycle(finest);
    for (int64_t i = 0; i < N; i++) u[i] += finest->x[i];
  }
  for (int64_t i = 0; i < N; i++) error = fmax(error, fabs(u[i] - sin(pi * h * (double)(i + 1))));
  rowan_context_free(context); /* the end of the process frees the rest */
  printf("%d levels; largest error %.1e; h² is %.1e\n", LEVELS, error, h * h);
  return left < 1e-9 && error < h * h ? 0 : 1;
}
