/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool error_set(struct error *error, const char *format, ...) {
  if (!error) return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return false;
}

bool error_set_errno(struct error *error, const char *format, ...) {
  const int number = errno;
  if (!error) return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  const size_t length = strlen(error->message);
  snprintf(error->message + length, sizeof error->message - length, ": %s", strerror(number));
  return false;
}

void error_bug(const char *condition, const char *file, int line) {
  fprintf(stderr, "heddle: internal error: %s (%s:%d)\n", condition, file, line);
  abort();
}
