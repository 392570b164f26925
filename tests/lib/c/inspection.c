#include "check.h"
#include <rowan/rowan.h>

void test_inspection(void) {
  rowan_context* in = NULL;
  rowan_matrix* m = NULL;
  rowan_inspection* why = NULL;
  rowan_view v;
  rowan_bin bin;
  rowan_row row;
  int64_t rows = 0, i;
  CHECK_OK(rowan_context_create(NULL, &in));
  CHECK_OK(rowan_generate("rmat:scale=8", &m));
  CHECK_OK(rowan_matrix_view(m, &v));
  CHECK_OK(rowan_inspect(in, &v, &v, 0, &why));
  CHECK(rowan_inspection_rows(why) == 256 && rowan_inspection_bins(why) > 0);
  CHECK(strlen(rowan_inspection_policy(why)) > 0);
  for (i = 0; i < rowan_inspection_bins(why); i++) {
    CHECK_OK(rowan_inspection_bin(why, i, &bin));
    CHECK(strlen(bin.accumulator) > 0 && strlen(bin.candidate) > 0 && strlen(bin.why) > 0);
    rows += bin.rows;
  }
  CHECK(rows == 256);
  CHECK_OK(rowan_inspection_row(why, 3, &row));
  CHECK(row.row == 3 && row.bin < rowan_inspection_bins(why) && row.nnz <= row.nprod);
  CHECK_FAILS(rowan_inspection_row(why, 256, &row), ROWAN_INVALID_ARGUMENT, "there is no row 256, there are 256");
  CHECK_FAILS(rowan_inspection_bin(why, -1, &bin), ROWAN_INVALID_ARGUMENT,
              strstr(rowan_last_error(), "there is no bin -1"));
  CHECK_FAILS(rowan_inspection_bin(NULL, 0, &bin), ROWAN_INVALID_ARGUMENT, "inspection is NULL");
  rowan_inspection_free(why);
  rowan_inspection_free(NULL);
  rowan_matrix_free(m);
  rowan_context_free(in);
}
