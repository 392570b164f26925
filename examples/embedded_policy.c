/* A program in C that contains the policy which `rowan train` fitted to its user's matrices (CMakeLists.txt trains and
   embeds it): it needs no file when it runs.
     embedded_policy MATRIX */
#include <stdio.h>
#include <string.h>

#include "mine.h" /* kMine, the text of mine.json */
#include <rowan/rowan.h>

int main(int argc, char** argv) {
  if (argc != 2) return fprintf(stderr, "usage: embedded_policy MATRIX\n"), 2;
  rowan_options options = {.size = sizeof options};
  rowan_options_init(&options);
  options.model = kMine;
  rowan_context* context = NULL;
  rowan_matrix *a = NULL, *c = NULL;
  rowan_view view;
  rowan_stats stats = {.size = sizeof stats};
  if (rowan_context_create(&options, &context) != ROWAN_OK || rowan_read(argv[1], &a) != ROWAN_OK ||
      rowan_matrix_view(a, &view) != ROWAN_OK || rowan_multiply(context, &view, &view, &c, &stats) != ROWAN_OK)
    return fprintf(stderr, "%s\n", rowan_last_error()), 1;
  printf("policy %s: %lld products, %lld entries\n", stats.policy, (long long)stats.nprod, (long long)stats.nnz);
  rowan_matrix_free(a), rowan_matrix_free(c), rowan_context_free(context);
  return strcmp(stats.policy, "mine") == 0 ? 0 : 1;
}
