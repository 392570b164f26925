#include <stdlib.h>

#include "check.h"
#include <rowan/rowan.h>

static void generated_written_and_read(void) {
  const char* const path = "c_interface.mtx";
  rowan_matrix *m = NULL, *again = NULL;
  rowan_view v, w;
  CHECK_OK(rowan_generate("rmat:scale=6,seed=3", &m));
  CHECK_OK(rowan_matrix_view(m, &v));
  CHECK(v.rows == 64 && v.cols == 64 && v.nnz > 0 && v.type == ROWAN_FLOAT64 && v.transposed == 0);
  CHECK(v.row_ptr64 != NULL && v.row_ptr32 == NULL && v.col32 != NULL && v.col64 == NULL);
  CHECK_OK(rowan_write(path, &v));
  CHECK_OK(rowan_read(path, &again));
  CHECK_OK(rowan_matrix_view(again, &w));
  CHECK(w.nnz == v.nnz && memcmp(w.val, v.val, (size_t)v.nnz * sizeof(double)) == 0);
  ((double*)rowan_matrix_values(again))[0] = 5;
  CHECK(((const double*)w.val)[0] == 5);
  rowan_matrix_free(m);
  rowan_matrix_free(again);
  rowan_matrix_free(NULL);
  remove(path);
}

static void refused(void) {
  rowan_matrix* m = (rowan_matrix*)&m;
  rowan_view v;
  CHECK_FAILS(rowan_read("no such file.mtx", &m), ROWAN_IO,
              "no such file.mtx: cannot be opened: No such file or directory");
  CHECK(m == NULL);
  CHECK(rowan_generate("nothing", &m) == ROWAN_INVALID_ARGUMENT);
  CHECK(m == NULL);
  CHECK_FAILS(rowan_matrix_view(NULL, &v), ROWAN_INVALID_ARGUMENT, "matrix is NULL");
  CHECK_FAILS(rowan_write("x.mtx", NULL), ROWAN_INVALID_ARGUMENT, "matrix is NULL");
  memset(&v, 0, sizeof v);
  v.type = ROWAN_FLOAT32;
  CHECK_FAILS(rowan_write("x.mtx", &v), ROWAN_UNSUPPORTED, "only matrices of 64-bit values are written");
  CHECK(rowan_matrix_values(NULL) == NULL);
}

void test_matrices(void) {
  generated_written_and_read();
  refused();
}
