/* Checks for programs in C: what fails is printed and counted. */
#ifndef ROWAN_TESTS_CHECK_H
#define ROWAN_TESTS_CHECK_H

#include <stdio.h>
#include <string.h>

extern int failures;

#define CHECK(what)                                             \
  do {                                                          \
    if (!(what)) {                                              \
      failures++;                                               \
      printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #what); \
    }                                                           \
  } while (0)

/* That a call returns `status`, and says `text` of it. */
#define CHECK_FAILS(call, status, text)                                                          \
  do {                                                                                           \
    const rowan_status got = (call);                                                             \
    if (got != (status) || strcmp(rowan_last_error(), (text)) != 0) {                            \
      failures++;                                                                                \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, rowan_status_name(got), rowan_last_error()); \
    }                                                                                            \
  } while (0)

#define CHECK_OK(call)                                                                           \
  do {                                                                                           \
    const rowan_status got = (call);                                                             \
    if (got != ROWAN_OK) {                                                                       \
      failures++;                                                                                \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, rowan_status_name(got), rowan_last_error()); \
    }                                                                                            \
  } while (0)

void test_matrices(void);
void test_products(void);
void test_inspection(void);

#endif
