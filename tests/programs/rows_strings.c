// SPDX-License-Identifier: MIT
// String functions give libc's results, in threads as well as before there are any.
// expect: exit=0 verdict=clean runs=1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *volatile words = "some Words"; // volatile: calls are not folded

static void check_copies(void) {
  char to[32];
  const char *from = words;
  assert(memcpy(to, from, 11) == to && memcmp(to, from, 11) == 0 && bcmp(to, from, 11) == 0);
  assert(memmove(to + 1, to, 10) == to + 1 && to[0] == 's' && to[1] == 's');
  assert(mempcpy(to, from, 4) == to + 4);
  assert(memset(to, 'x', 3) == to && to[2] == 'x' && to[3] == 'e');
  bzero(to, sizeof to);
  assert(to[31] == 0);
  assert(strcpy(to, from) == to && strcmp(to, from) == 0);
  assert(stpcpy(to, from) == to + 10);
  assert(strncpy(to, "ab", 5) == to && memcmp(to, "ab\0\0\0W", 6) == 0);
  assert(strcat(to, "cd") == to && strcmp(to, "abcd") == 0);
  assert(strncat(to, "efgh", 2) == to && strcmp(to, "abcdef") == 0);
}

static void check_searches(void) {
  const char *s = words;
  assert(memcmp(s, "some", 4) == 0 && memcmp(s, "sonE", 4) < 0 && bcmp(s, "sonE", 4) != 0);
  assert(memchr(s, 'W', 10) == s + 5 && !memchr(s, 'W', 5));
  assert(strlen(s) == 10 && strnlen(s, 4) == 4 && strnlen(s, 40) == 10);
  assert(strcmp(s, "some") > 0 && strncmp(s, "someone", 4) == 0 && strncmp(s, "someone", 5) < 0);
  assert(strcasecmp(s, "SOME WORDS") == 0 && strncasecmp(s, "SOMEONE", 4) == 0 && strcasecmp(s, "a") > 0);
  assert(strncasecmp(s, "SOMEONE", 5) < 0);
  assert(strchr(s, 'o') == s + 1 && strrchr(s, 'o') == s + 6 && !strchr(s, 'z') && !strrchr(s, 'z'));
  assert(strchr(s, 0) == s + 10);
  assert(strstr(s, "Wor") == s + 5 && !strstr(s, "wor") && strstr(s, "") == s);
}

static void check_numbers_and_duplicates(void) {
  char *end, *copy = strdup(words), *part = strndup(words, 4);
  assert(copy != words && strcmp(copy, words) == 0 && strcmp(part, "some") == 0);
  free(copy);
  free(part);
  assert(atoi(" -12x") == -12 && atol("123456789012") == 123456789012 && atoi("none") == 0);
  assert(strtol("0x1fz", &end, 0) == 31 && *end == 'z');
  assert(strtoul("777", &end, 8) == 511 && *end == 0);
  errno = 0;
  assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX && errno == ERANGE);
  errno = 0;
  assert(strtoul("99999999999999999999", NULL, 10) == ULONG_MAX && errno == ERANGE);
}

static void *check(void *unused) {
  check_copies();
  check_searches();
  check_numbers_and_duplicates();
  return NULL;
}

int main(void) {
  check(NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, check, NULL);
  pthread_join(thread, NULL);
  return 0;
}
