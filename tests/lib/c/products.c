#include <stdlib.h>

#include "check.h"
#include <rowan/rowan.h>

/* A = [0 2 0; 1 0 3], B = [1 0; 4 5; 0 6]: A B = [8 10; 1 18] */
static const int32_t kAPtr[] = {0, 1, 3}, kACol[] = {1, 0, 2}, kBPtr[] = {0, 1, 3, 4}, kBCol[] = {0, 0, 1, 1};
static const int64_t kAPtr64[] = {0, 1, 3}, kACol64[] = {1, 0, 2}, kBPtr64[] = {0, 1, 3, 4}, kBCol64[] = {0, 0, 1, 1};
static const double kAVal[] = {2, 1, 3}, kBVal[] = {1, 4, 5, 6}, kCVal[] = {8, 10, 1, 18};
static const float kAValF[] = {2, 1, 3}, kBValF[] = {1, 4, 5, 6};

static rowan_view view_a(void) {
  rowan_view v;
  memset(&v, 0, sizeof v);
  v.rows = 2, v.cols = 3, v.nnz = 3, v.row_ptr32 = kAPtr, v.col32 = kACol, v.val = kAVal;
  return v;
}

static rowan_view view_b(void) {
  rowan_view v;
  memset(&v, 0, sizeof v);
  v.rows = 3, v.cols = 2, v.nnz = 4, v.row_ptr32 = kBPtr, v.col32 = kBCol, v.val = kBVal;
  return v;
}

static rowan_context* context(void) {
  rowan_context* made = NULL;
  CHECK_OK(rowan_context_create(NULL, &made));
  return made;
}

static void check_c(const rowan_matrix* c) {
  rowan_view v;
  CHECK_OK(rowan_matrix_view(c, &v));
  CHECK(v.rows == 2 && v.cols == 2 && v.nnz == 4);
  CHECK(v.row_ptr64[1] == 2 && memcmp(v.val, kCVal, sizeof kCVal) == 0);
}

static void multiplied(void) {
  rowan_context* const in = context();
  rowan_view a = view_a(), b = view_b(), v;
  rowan_matrix* c = NULL;
  rowan_stats stats;
  stats.size = sizeof stats;
  CHECK_OK(rowan_multiply(in, &a, &b, &c, &stats));
  CHECK(stats.nnz == 4 && stats.nprod == 4 && strlen(stats.policy) > 0);
  check_c(c);
  rowan_matrix_free(c);
  /* an older caller's statistics: nothing is written behind them */
  stats.size = sizeof(size_t) + sizeof(double), stats.nnz = -1;
  CHECK_OK(rowan_multiply(in, &a, &b, &c, &stats));
  CHECK(stats.nnz == -1);
  rowan_matrix_free(c);
  /* transposed, 32-bit values, 64-bit row pointers */
  a.val = kAValF, b.val = kBValF, a.type = b.type = ROWAN_FLOAT32, a.transposed = b.transposed = 1;
  a.row_ptr32 = NULL, a.row_ptr64 = kAPtr64;
  CHECK_OK(rowan_multiply(in, &b, &a, &c, NULL));
  CHECK_OK(rowan_matrix_view(c, &v));
  CHECK(v.type == ROWAN_FLOAT32 && v.nnz == 4 && ((const float*)v.val)[1] == 1 && ((const float*)v.val)[2] == 10);
  rowan_matrix_free(c);
  /* 64-bit columns */
  a = view_a(), b = view_b();
  a.col32 = b.col32 = NULL, a.col64 = kACol64, b.col64 = kBCol64, b.row_ptr32 = NULL, b.row_ptr64 = kBPtr64;
  CHECK_OK(rowan_multiply(in, &a, &b, &c, NULL));
  CHECK_OK(rowan_matrix_view(c, &v));
  CHECK(v.col32 == NULL && v.col64[3] == 1 && memcmp(v.val, kCVal, sizeof kCVal) == 0);
  rowan_matrix_free(c);
  rowan_context_free(in);
  rowan_context_free(NULL);
}

static void other_products(void) {
  rowan_context* const in = context();
  rowan_view a = view_a(), b = view_b(), v, first;
  rowan_matrix *c = NULL, *d = NULL;
  CHECK_OK(rowan_multiply(in, &a, &b, &c, NULL));
  CHECK_OK(rowan_matrix_view(c, &first));
  CHECK_OK(rowan_multiply_add(in, 2, &a, &b, -1, &first, &d, NULL));
  CHECK_OK(rowan_matrix_view(d, &v));
  CHECK(memcmp(v.val, kCVal, sizeof kCVal) == 0);
  rowan_matrix_free(d);
  CHECK_OK(rowan_galerkin(in, &a, &b, &first, &d));
  CHECK_OK(rowan_matrix_view(d, &v));
  CHECK(((const double*)v.val)[0] == 74); /* 8*8 + 10*1 */
  rowan_matrix_free(d);
  CHECK_OK(rowan_galerkin(in, NULL, &first, &first, &d));
  rowan_matrix_free(d);
  a.val = b.val = NULL;
  CHECK_OK(rowan_pattern(in, &a, &b, &d));
  CHECK_OK(rowan_matrix_view(d, &v));
  CHECK(v.nnz == 4 && v.val == NULL && rowan_matrix_values(d) == NULL && v.col32[1] == 1);
  rowan_matrix_free(d);
  rowan_matrix_free(c);
  rowan_context_free(in);
}

/* Counts, and has no memory from the `left`-th call on. */
typedef struct counted {
  int allocated, freed, left;
} counted;

static void* take(size_t bytes, void* user) {
  counted* const n = user;
  if (n->left-- == 0) return NULL;
  n->allocated++;
  return malloc(bytes);
}

static void give(void* memory, void* user) {
  ((counted*)user)->freed++;
  free(memory);
}

static void in_the_callers_memory(void) {
  rowan_context* const in = context();
  rowan_view a = view_a(), b = view_b();
  rowan_sizes* sizes = NULL;
  int32_t col[4];
  double val[4];
  counted n = {0, 0, -1};
  rowan_allocator allocator;
  rowan_arrays c;
  allocator.allocate = take, allocator.free = give, allocator.user = &n;
  CHECK_OK(rowan_symbolic(in, &a, &b, &sizes));
  CHECK(rowan_sizes_rows(sizes) == 2 && rowan_sizes_nnz(sizes) == 4 && rowan_sizes_nprod(sizes) == 4);
  CHECK(rowan_sizes_row_ptr(sizes)[1] == 2);
  CHECK_OK(rowan_multiply_into(in, &a, &b, sizes, col, val, NULL));
  CHECK(memcmp(val, kCVal, sizeof val) == 0 && col[3] == 1);
  CHECK_FAILS(rowan_multiply_into(in, &a, &b, sizes, NULL, val, NULL), ROWAN_INVALID_ARGUMENT, "col or val is NULL");
  CHECK_FAILS(rowan_multiply_into(in, &a, &b, NULL, col, val, NULL), ROWAN_INVALID_ARGUMENT, "sizes is NULL");
  rowan_sizes_free(sizes);
  CHECK_OK(rowan_multiply_with(in, &a, &b, &allocator, 32, &c, NULL));
  CHECK(n.allocated == 3 && n.freed == 0);
  CHECK(c.rows == 2 && c.cols == 2 && c.nnz == 4 && ((int32_t*)c.row_ptr)[2] == 4);
  CHECK(memcmp(c.val, kCVal, sizeof kCVal) == 0);
  free(c.row_ptr), free(c.col), free(c.val);
  CHECK_OK(rowan_multiply_with(in, &a, &b, &allocator, 64, &c, NULL));
  CHECK(((int64_t*)c.row_ptr)[2] == 4);
  free(c.row_ptr), free(c.col), free(c.val);
  n.allocated = 0, n.left = 2;
  CHECK_FAILS(rowan_multiply_with(in, &a, &b, &allocator, 32, &c, NULL), ROWAN_OUT_OF_MEMORY,
              "the caller's allocator has no 32 bytes");
  CHECK(n.allocated == 2 && n.freed == 2 && c.val == NULL);
  CHECK_FAILS(rowan_multiply_with(in, &a, &b, &allocator, 16, &c, NULL), ROWAN_INVALID_ARGUMENT,
              "row_ptr_bits is 16, it must be 32 or 64");
  rowan_context_free(in);
}

static void planned(void) {
  rowan_context* const in = context();
  rowan_view a = view_a(), b = view_b(), v;
  rowan_plan* plan = NULL;
  rowan_matrix* c = NULL;
  double val[4] = {0, 0, 0, 0};
  CHECK_OK(rowan_plan_create(in, &a, &b, &plan, &c));
  check_c(c);
  rowan_context_free(in); /* the plan keeps what it needs */
  CHECK_OK(rowan_plan_view(plan, &v));
  CHECK(v.nnz == 4 && v.val == NULL && v.col32[0] == 0);
  CHECK_OK(rowan_plan_execute(plan, &a, &b, val, 4));
  CHECK(memcmp(val, kCVal, sizeof val) == 0);
  CHECK(rowan_plan_execute(plan, &a, &b, val, 3) == ROWAN_INVALID_ARGUMENT);
  CHECK(rowan_plan_execute(plan, &b, &a, val, 4) == ROWAN_INVALID_ARGUMENT);
  rowan_matrix_free(c);
  rowan_plan_free(plan);
}

static int stop_at_once(double done, void* user) {
  (void)done;
  ++*(int*)user;
  return 1;
}

static void options(void) {
  rowan_options o;
  rowan_context* in = NULL;
  rowan_view a = view_a(), b = view_b(), large;
  rowan_matrix *c = NULL, *m = NULL;
  int called = 0;
  rowan_options_init(&o);
  CHECK(o.size == sizeof o && o.validate == 1);
  o.threads = -1;
  CHECK_FAILS(rowan_context_create(&o, &in), ROWAN_INVALID_ARGUMENT, "threads is -1, it must be 0 or more");
  CHECK(in == NULL);
  o.size = 0;
  CHECK_FAILS(rowan_context_create(&o, &in), ROWAN_INVALID_ARGUMENT,
              "options.size is 0: call rowan_options_init first");
  rowan_options_init(&o);
  o.backend = (rowan_backend)9;
  CHECK_FAILS(rowan_context_create(&o, &in), ROWAN_INVALID_ARGUMENT, "there is no backend 9");
  rowan_options_init(&o);
  o.force = "hash", o.threads = 2;
  CHECK_OK(rowan_context_create(&o, &in));
  CHECK_OK(rowan_multiply(in, &a, &b, &c, NULL));
  check_c(c);
  rowan_matrix_free(c);
  rowan_context_free(in);
  /* the entries of C in any order; of few products in theirs */
  rowan_options_init(&o);
  CHECK(o.unsorted == 0);
  o.unsorted = 1;
  CHECK_OK(rowan_context_create(&o, &in));
  CHECK_OK(rowan_multiply(in, &a, &b, &c, NULL));
  check_c(c);
  rowan_matrix_free(c);
  rowan_context_free(in);
  /* cancelled by its progress, and from outside */
  CHECK_OK(rowan_generate("rmat:scale=12", &m));
  CHECK_OK(rowan_matrix_view(m, &large));
  rowan_options_init(&o);
  o.progress = stop_at_once, o.user = &called;
  CHECK_OK(rowan_context_create(&o, &in));
  CHECK_FAILS(rowan_multiply(in, &large, &large, &c, NULL), ROWAN_CANCELLED, "the call was cancelled");
  CHECK(c == NULL && called == 1);
  rowan_context_free(in);
  in = context();
  rowan_context_cancel(in);
  CHECK_FAILS(rowan_multiply(in, &a, &b, &c, NULL), ROWAN_CANCELLED, "the context was cancelled");
  rowan_context_free(in);
  rowan_matrix_free(m);
}

static void refused(void) {
  rowan_context* const in = context();
  rowan_view a = view_a(), b = view_b();
  rowan_matrix* c = NULL;
  CHECK_FAILS(rowan_multiply(NULL, &a, &b, &c, NULL), ROWAN_INVALID_ARGUMENT, "context is NULL");
  CHECK_FAILS(rowan_multiply(in, NULL, &b, &c, NULL), ROWAN_INVALID_ARGUMENT, "a is NULL");
  CHECK_FAILS(rowan_multiply(in, &a, &b, NULL, NULL), ROWAN_INVALID_ARGUMENT, "c is NULL");
  CHECK_FAILS(rowan_multiply(in, &a, &a, &c, NULL), ROWAN_INVALID_ARGUMENT, "A has 3 columns, but B has 2 rows");
  b.type = ROWAN_FLOAT32;
  CHECK_FAILS(rowan_multiply(in, &a, &b, &c, NULL), ROWAN_INVALID_ARGUMENT,
              "A and another operand have values of different types");
  a.type = b.type = (rowan_type)5;
  CHECK_FAILS(rowan_multiply(in, &a, &b, &c, NULL), ROWAN_INVALID_ARGUMENT, "there is no type 5");
  a = view_a(), b = view_b(), b.row_ptr64 = kBPtr64;
  CHECK_FAILS(rowan_multiply(in, &a, &b, &c, NULL), ROWAN_INVALID_ARGUMENT, "B: row_ptr32 and row_ptr64 are both set");
  b.row_ptr32 = NULL, b.row_ptr64 = NULL;
  CHECK_FAILS(rowan_multiply(in, &a, &b, &c, NULL), ROWAN_INVALID_ARGUMENT, "B: row_ptr32 and row_ptr64 are both NULL");
  b = view_b(), b.col32 = NULL;
  CHECK_FAILS(rowan_multiply(in, &a, &b, &c, NULL), ROWAN_INVALID_ARGUMENT, "B: col32 and col64 are both NULL");
  b = view_b(), b.val = NULL;
  CHECK_FAILS(rowan_multiply(in, &a, &b, &c, NULL), ROWAN_INVALID_ARGUMENT, "B: val is NULL");
  b = view_b(), b.rows = -1;
  CHECK_FAILS(rowan_multiply(in, &a, &b, &c, NULL), ROWAN_INVALID_ARGUMENT, "B: rows, cols or nnz is negative");
  b = view_b(), b.cols = 1;
  CHECK(rowan_multiply(in, &a, &b, &c, NULL) == ROWAN_INVALID_ARGUMENT);
  b = view_b(), b.col32 = NULL, b.col64 = kBCol64;
  CHECK_FAILS(rowan_multiply(in, &a, &b, &c, NULL), ROWAN_INVALID_ARGUMENT,
              "A: columns are not of the width that is asked for");
  CHECK_FAILS(rowan_galerkin(in, &a, &b, &a, &c), ROWAN_UNSUPPORTED,
              "A: 64-bit columns are taken by rowan_multiply only");
  CHECK(c == NULL);
  rowan_context_free(in);
}

void test_products(void) {
  multiplied();
  other_products();
  in_the_callers_memory();
  planned();
  options();
  refused();
}
