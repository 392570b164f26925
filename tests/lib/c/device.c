/* The C interface on a device, the emulated one unless ROWAN_TEST_BACKEND says another: matrices sent, multiplied,
 * planned, looked at and fetched, and what bad input is told. */
#include <stdlib.h>

#include "check.h"
#include <rowan/rowan.h>

#ifndef ROWAN_TEST_BACKEND
#define ROWAN_TEST_BACKEND ROWAN_BACKEND_EMULATED
#endif

int failures = 0;

/* A = [0 2 0; 1 0 3], B = [1 0; 4 5; 0 6]: A B = [8 10; 1 18] */
static const int32_t kAPtr[] = {0, 1, 3}, kACol[] = {1, 0, 2}, kBPtr[] = {0, 1, 3, 4}, kBCol[] = {0, 0, 1, 1};
static const double kAVal[] = {2, 1, 3}, kBVal[] = {1, 4, 5, 6}, kCVal[] = {8, 10, 1, 18}, kTwice[] = {16, 20, 2, 36};
static const double kAVal2[] = {4, 2, 6};

static rowan_view host_view(int64_t rows, int64_t cols, int64_t nnz, const int32_t* ptr, const int32_t* col,
                            const double* val) {
  rowan_view v;
  memset(&v, 0, sizeof v);
  v.rows = rows, v.cols = cols, v.nnz = nnz, v.row_ptr32 = ptr, v.col32 = col, v.val = val;
  return v;
}

static rowan_device* opened(const rowan_device_allocator* allocator) {
  rowan_options options;
  rowan_device* device = NULL;
  rowan_options_init(&options);
  options.backend = ROWAN_TEST_BACKEND;
  CHECK_OK(rowan_device_create(&options, 0, allocator, &device));
  return device;
}

static rowan_device_call narrow_call(void) {
  rowan_device_call call;
  memset(&call, 0, sizeof call);
  call.size = sizeof call, call.row_ptr32 = 1;
  return call;
}

/* A matrix of the host's, and the view of its copy. */
static rowan_device_matrix* sent(const rowan_device* device, const rowan_view* host, rowan_view* there) {
  rowan_device_matrix* m = NULL;
  CHECK_OK(rowan_device_send(device, host, NULL, &m));
  CHECK_OK(rowan_device_matrix_view(m, there));
  return m;
}

static void check_values(const rowan_device* device, const rowan_view* there, const double* expected) {
  rowan_matrix* home = NULL;
  rowan_view v;
  CHECK_OK(rowan_device_fetch(device, there, NULL, &home));
  CHECK_OK(rowan_matrix_view(home, &v));
  CHECK(v.rows == 2 && v.cols == 2 && v.nnz == 4 && v.row_ptr64[1] == 2);
  CHECK(memcmp(v.val, expected, sizeof kCVal) == 0);
  rowan_matrix_free(home);
}

static void multiplied(const rowan_device* device, const rowan_view* a, const rowan_view* b) {
  rowan_device_matrix* c = NULL;
  rowan_sizes* sizes = NULL;
  rowan_inspection* why = NULL;
  rowan_stats stats;
  rowan_view v;
  const rowan_device_call call = narrow_call();
  stats.size = sizeof stats;
  CHECK_OK(rowan_device_multiply(device, a, b, NULL, &c, &stats));
  CHECK(stats.nnz == 4 && strlen(stats.device) > 0);
  CHECK_OK(rowan_device_matrix_view(c, &v));
  CHECK(v.row_ptr64 != NULL && v.row_ptr32 == NULL);
  check_values(device, &v, kCVal);
  rowan_device_matrix_free(c);
  CHECK_OK(rowan_device_multiply(device, a, b, &call, &c, NULL));
  CHECK_OK(rowan_device_matrix_view(c, &v));
  CHECK(v.row_ptr32 != NULL && v.row_ptr64 == NULL);
  check_values(device, &v, kCVal);
  rowan_device_matrix_free(c);
  CHECK_OK(rowan_device_symbolic(device, a, b, NULL, &sizes));
  CHECK(rowan_sizes_nnz(sizes) == 4 && rowan_sizes_row_ptr(sizes)[2] == 4);
  rowan_sizes_free(sizes);
  CHECK_OK(rowan_device_inspect(device, a, b, NULL, &why));
  CHECK(rowan_inspection_rows(why) == 2 && strlen(rowan_inspection_device(why)) > 0);
  CHECK(strcmp(rowan_inspection_place_reason(why), "") == 0);
  rowan_inspection_free(why);
}

static void planned(const rowan_device* device, const rowan_view* a, const rowan_view* b) {
  const rowan_view host = host_view(2, 3, 3, kAPtr, kACol, kAVal2);
  rowan_view twice, v;
  rowan_device_matrix *const m = sent(device, &host, &twice), *c = NULL, *into = NULL;
  rowan_device_plan* plan = NULL;
  CHECK_OK(rowan_device_plan_create(device, a, b, NULL, &plan));
  CHECK_OK(rowan_device_plan_view(plan, &v));
  CHECK(v.nnz == 4 && v.val == NULL);
  CHECK_OK(rowan_device_plan_execute(plan, &twice, b, NULL, &c));
  CHECK_OK(rowan_device_matrix_view(c, &v));
  check_values(device, &v, kTwice);
  CHECK_OK(rowan_device_plan_execute(plan, a, b, NULL, &into));
  CHECK_OK(rowan_device_matrix_view(into, &v));
  CHECK_OK(rowan_device_plan_execute_into(plan, &twice, b, NULL, (void*)v.val, 4));
  check_values(device, &v, kTwice);
  CHECK_FAILS(rowan_device_plan_execute_into(plan, a, b, NULL, (void*)v.val, 3), ROWAN_INVALID_ARGUMENT,
              "val has 3 elements, but C has 4 entries");
  CHECK_FAILS(rowan_device_plan_execute_into(plan, a, b, NULL, NULL, 4), ROWAN_INVALID_ARGUMENT, "val is null");
  rowan_device_matrix_free(c);
  CHECK_FAILS(rowan_device_plan_execute(NULL, a, b, NULL, &c), ROWAN_INVALID_ARGUMENT, "plan is NULL");
  v = *a, v.type = ROWAN_FLOAT32;
  CHECK_FAILS(rowan_device_plan_execute(plan, &v, b, NULL, &c), ROWAN_INVALID_ARGUMENT,
              "A and another operand have values of different types");
  rowan_device_matrix_free(into);
  rowan_device_plan_free(plan);
  rowan_device_matrix_free(m);
}

static void refused(const rowan_device* device, const rowan_view* a, const rowan_view* b) {
  rowan_options options;
  rowan_device* none = NULL;
  rowan_device_matrix* c = NULL;
  rowan_device_call call = narrow_call();
  rowan_device_allocator allocator;
  rowan_view v = *a;
  rowan_options_init(&options);
  CHECK_FAILS(rowan_device_create(&options, 0, NULL, &none), ROWAN_INVALID_ARGUMENT,
              "backend is the host, which is no device");
  CHECK(none == NULL);
  options.backend = ROWAN_TEST_BACKEND;
  CHECK(rowan_device_create(&options, 99, NULL, &none) == ROWAN_DEVICE);
  memset(&allocator, 0, sizeof allocator);
  CHECK_FAILS(rowan_device_create(&options, 0, &allocator, &none), ROWAN_INVALID_ARGUMENT,
              "allocator.allocate or allocator.free is NULL");
  CHECK_FAILS(rowan_device_multiply(NULL, a, b, NULL, &c, NULL), ROWAN_INVALID_ARGUMENT, "device is NULL");
  CHECK_FAILS(rowan_device_multiply(device, NULL, b, NULL, &c, NULL), ROWAN_INVALID_ARGUMENT, "a is NULL");
  CHECK_FAILS(rowan_device_multiply(device, a, b, NULL, NULL, NULL), ROWAN_INVALID_ARGUMENT, "c is NULL");
  v.transposed = 1;
  CHECK_FAILS(rowan_device_multiply(device, &v, b, NULL, &c, NULL), ROWAN_UNSUPPORTED,
              "A: transposed matrices are not multiplied in device memory");
  v = *a, v.val = NULL;
  CHECK_FAILS(rowan_device_multiply(device, &v, b, NULL, &c, NULL), ROWAN_INVALID_ARGUMENT, "A: val is null");
  CHECK_FAILS(rowan_device_multiply(device, b, b, NULL, &c, NULL), ROWAN_INVALID_ARGUMENT,
              "A has 2 columns, but B has 3 rows");
  call.size = 1;
  CHECK_FAILS(rowan_device_multiply(device, a, b, &call, &c, NULL), ROWAN_INVALID_ARGUMENT,
              "call.size is 1: set it to sizeof(rowan_device_call)");
  CHECK(c == NULL);
}

int main(void) {
  rowan_device* const device = opened(NULL);
  const rowan_view host_a = host_view(2, 3, 3, kAPtr, kACol, kAVal), host_b = host_view(3, 2, 4, kBPtr, kBCol, kBVal);
  rowan_view a, b;
  rowan_device_matrix *const of_a = sent(device, &host_a, &a), *const of_b = sent(device, &host_b, &b);
  CHECK(rowan_device_bytes_in_use(device) > 0);
  multiplied(device, &a, &b);
  planned(device, &a, &b);
  refused(device, &a, &b);
  CHECK_OK(rowan_device_wait(device, NULL));
  rowan_device_matrix_free(of_a);
  rowan_device_matrix_free(of_b);
  CHECK_OK(rowan_device_trim(device));
  rowan_device_free(device);
  rowan_device_free(NULL), rowan_device_matrix_free(NULL), rowan_device_plan_free(NULL);
  printf(failures == 0 ? "the C interface on a device: all as it should be\n" : "%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
