/* SPDX-License-Identifier: MIT
 *
 * The three kinds of trouble, never mixed:
 *   - a bug in heddle itself: BUG_ON, in every build;
 *   - the world or the user: a function returns false and fills a struct error; only src/cli prints it;
 *   - a finding in the tested program: a value (abi/outcomes.def), not an error.
 */
#ifndef HEDDLE_BASE_ERROR_H
#define HEDDLE_BASE_ERROR_H

#include <stdbool.h>

struct error {
  char message[1024]; /* one line without a newline; says what to do */
};

/* Fills `error` (which may be NULL) and returns false, so that a function can end with `return error_set(...)`. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Like error_set, and adds what errno means. */
bool error_set_errno(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

_Noreturn void error_bug(const char *condition, const char *file, int line);

#define BUG_ON(condition)                                                                                              \
  do {                                                                                                                 \
    if (__builtin_expect(!!(condition), 0)) error_bug(#condition, __FILE__, __LINE__);                                 \
  } while (0)

#endif
