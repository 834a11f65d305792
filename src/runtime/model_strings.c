/* SPDX-License-Identifier: MIT
 *
 * mem* and str* functions as instrumented code calls them: the bytes they read and write are accesses like any others.
 * A range is one access. What a string function reads is the string up to its zero byte as it is before the access.
 */
#include "models.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes);

static void reads(const void *address, size_t size) {
  const struct site *site = __heddle_site;
  if (__heddle_in_run) __heddle_slow_range(address, size, site, 0);
  __heddle_site = site;
}

static void writes(void *address, size_t size) {
  const struct site *site = __heddle_site;
  if (__heddle_in_run) __heddle_slow_range(address, size, site, 1);
  __heddle_site = site;
}

static void reads_string(const char *string) {
  if (__heddle_in_run) reads(string, strlen(string) + 1);
}

static void reads_at_most(const char *string, size_t most) {
  if (!__heddle_in_run) return;
  const size_t length = strnlen(string, most);
  reads(string, length < most ? length + 1 : most);
}

#define RENAMED(result, name, parameters, accesses, arguments)                                                         \
  EXPORTED result __heddle_call_##name parameters;                                                                     \
  result __heddle_call_##name parameters {                                                                             \
    accesses;                                                                                                          \
    return name arguments;                                                                                             \
  }

RENAMED(void *, memcpy, (void *to, const void *from, size_t n), (reads(from, n), writes(to, n)), (to, from, n))
RENAMED(void *, memmove, (void *to, const void *from, size_t n), (reads(from, n), writes(to, n)), (to, from, n))
RENAMED(void *, mempcpy, (void *to, const void *from, size_t n), (reads(from, n), writes(to, n)), (to, from, n))
RENAMED(void *, memset, (void *to, int byte, size_t n), writes(to, n), (to, byte, n))
RENAMED(void, bzero, (void *to, size_t n), writes(to, n), (to, n))
RENAMED(int, memcmp, (const void *a, const void *b, size_t n), (reads(a, n), reads(b, n)), (a, b, n))
RENAMED(int, bcmp, (const void *a, const void *b, size_t n), (reads(a, n), reads(b, n)), (a, b, n))
RENAMED(void *, memchr, (const void *memory, int byte, size_t n), reads(memory, n), (memory, byte, n))
RENAMED(size_t, strlen, (const char *s), reads_string(s), (s))
RENAMED(size_t, strnlen, (const char *s, size_t n), reads_at_most(s, n), (s, n))
RENAMED(char *, strcpy, (char *to, const char *s), (reads_string(s), writes(to, strlen(s) + 1)), (to, s))
RENAMED(char *, stpcpy, (char *to, const char *s), (reads_string(s), writes(to, strlen(s) + 1)), (to, s))
RENAMED(char *, strncpy, (char *to, const char *s, size_t n), (reads_at_most(s, n), writes(to, n)), (to, s, n))
RENAMED(char *, strcat, (char *to, const char *s),
        (reads_string(s), reads_string(to), writes(to + strlen(to), strlen(s) + 1)), (to, s))
RENAMED(char *, strncat, (char *to, const char *s, size_t n),
        (reads_at_most(s, n), reads_string(to), writes(to + strlen(to), strnlen(s, n) + 1)), (to, s, n))
RENAMED(int, strcmp, (const char *a, const char *b), (reads_string(a), reads_string(b)), (a, b))
RENAMED(int, strncmp, (const char *a, const char *b, size_t n), (reads_at_most(a, n), reads_at_most(b, n)), (a, b, n))
RENAMED(int, strcasecmp, (const char *a, const char *b), (reads_string(a), reads_string(b)), (a, b))
RENAMED(int, strncasecmp, (const char *a, const char *b, size_t n), (reads_at_most(a, n), reads_at_most(b, n)),
        (a, b, n))
RENAMED(char *, strchr, (const char *s, int byte), reads_string(s), (s, byte))
RENAMED(char *, strrchr, (const char *s, int byte), reads_string(s), (s, byte))
RENAMED(char *, strstr, (const char *s, const char *part), (reads_string(s), reads_string(part)), (s, part))

/* The copy is written by the C library. */
static char *written(char *copy) {
  if (copy) writes(copy, strlen(copy) + 1);
  return copy;
}

EXPORTED char *__heddle_call_strdup(const char *s);
char *__heddle_call_strdup(const char *s) {
  reads_string(s);
  return written(strdup(s));
}

EXPORTED char *__heddle_call_strndup(const char *s, size_t n);
char *__heddle_call_strndup(const char *s, size_t n) {
  reads_at_most(s, n);
  return written(strndup(s, n));
}

RENAMED(int, atoi, (const char *s), reads_string(s), (s))
RENAMED(long, atol, (const char *s), reads_string(s), (s))
RENAMED(long, strtol, (const char *s, char **end, int base), reads_string(s), (s, end, base))
RENAMED(unsigned long, strtoul, (const char *s, char **end, int base), reads_string(s), (s, end, base))
