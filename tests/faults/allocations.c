/* SPDX-License-Identifier: MIT
 *
 * Linked into a heddle for tests, whose references to these functions go here (ld --wrap): its allocation number
 * HEDDLE_FAIL_ALLOCATION fails, from 1. At its end it writes how many there were into the file
 * HEDDLE_COUNT_ALLOCATIONS.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size_bytes);
void *__real_calloc(size_t count, size_t size_bytes);
void *__real_realloc(void *memory, size_t size_bytes);
char *__real_strdup(const char *string);
char *__real_strndup(const char *string, size_t most);

static unsigned long count, failing;

__attribute__((constructor)) static void read_environment(void) {
  const char *number = getenv("HEDDLE_FAIL_ALLOCATION");
  failing = number ? strtoul(number, NULL, 10) : 0;
}

__attribute__((destructor)) static void write_count(void) {
  const char *path = getenv("HEDDLE_COUNT_ALLOCATIONS");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%lu\n", count);
  fclose(file);
}

static int fails(void) {
  if (++count != failing) return 0;
  errno = ENOMEM;
  return 1;
}

void *__wrap_malloc(size_t size_bytes) {
  return fails() ? NULL : __real_malloc(size_bytes);
}

void *__wrap_calloc(size_t n, size_t size_bytes) {
  return fails() ? NULL : __real_calloc(n, size_bytes);
}

void *__wrap_realloc(void *memory, size_t size_bytes) {
  return fails() ? NULL : __real_realloc(memory, size_bytes);
}

char *__wrap_strdup(const char *string) {
  return fails() ? NULL : __real_strdup(string);
}

char *__wrap_strndup(const char *string, size_t most) {
  return fails() ? NULL : __real_strndup(string, most);
}
