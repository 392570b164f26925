/* The same product from C: a matrix in arrays of our own, and which accumulator its rows got. */
#include <stdio.h>

#include <rowan/rowan.h>

int main(void) {
  const int32_t row_ptr[] = {0, 2, 5, 8, 11, 13}, col[] = {0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4};
  const double val[] = {2, -1, -1, 2, -1, -1, 2, -1, -1, 2, -1, -1, 2};
  const rowan_view a = {.rows = 5, .cols = 5, .nnz = 13, .row_ptr32 = row_ptr, .col32 = col, .val = val};
  rowan_context* context = NULL;
  rowan_matrix* c = NULL;
  rowan_view product;
  if (rowan_context_create(NULL, &context) != ROWAN_OK || rowan_multiply(context, &a, &a, &c, NULL) != ROWAN_OK ||
      rowan_matrix_view(c, &product) != ROWAN_OK) {
    fprintf(stderr, "%s\n", rowan_last_error());
    return 1;
  }
  printf("C = A.A has %lld entries; row 2:", (long long)product.nnz);
  for (int64_t k = product.row_ptr64[2]; k < product.row_ptr64[3]; k++)
    printf(" (%d: %g)", product.col32[k], ((const double*)product.val)[k]);
  printf("\n");
  rowan_matrix_free(c);
  rowan_context_free(context);
  return 0;
}
