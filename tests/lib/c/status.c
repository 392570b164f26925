/* The C interface from C: what works, and what bad input is told. The other files have the cases. */
#include "check.h"
#include <rowan/rowan.h>

int failures = 0;

static void test_status(void) {
  rowan_matrix* m = NULL;
  CHECK(strcmp(rowan_version(), "0.2.0") == 0);
  CHECK(strcmp(rowan_status_name(ROWAN_OK), "ok") == 0);
  CHECK(strcmp(rowan_status_name(ROWAN_OTHER), "other") == 0);
  CHECK(strcmp(rowan_status_name((rowan_status)77), "unknown") == 0);
  CHECK_FAILS(rowan_read(NULL, &m), ROWAN_INVALID_ARGUMENT, "path is NULL");
  CHECK_FAILS(rowan_read("a", NULL), ROWAN_INVALID_ARGUMENT, "matrix is NULL");
  rowan_release_memory();
}

int main(void) {
  test_status();
  test_matrices();
  test_products();
  test_inspection();
  printf(failures == 0 ? "the C interface: all as it should be\n" : "%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
