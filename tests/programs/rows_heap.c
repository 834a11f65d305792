// SPDX-License-Identifier: MIT
// The heap: sizes, alignments, contents that move along, and what cannot be had: ENOMEM and EINVAL.
// expect: exit=0 verdict=clean runs=1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t too_much = PTRDIFF_MAX;

static int is_aligned(const void *block, size_t alignment) {
  return block && (uintptr_t)block % alignment == 0;
}

static void *refused(void *block) {
  assert(!block && errno == ENOMEM);
  errno = 0;
  return NULL;
}

static void check_refusals(void) {
  void *block = malloc(8), *unchanged = block;
  memcpy(block, "content", 8);
  refused(malloc(too_much));
  refused(calloc(too_much, 1));
  refused(calloc(too_much, 16));
  refused(realloc(block, too_much));
  refused(reallocarray(block, too_much, 16));
  refused(memalign(64, too_much));
  refused(aligned_alloc(64, too_much));
  refused(valloc(too_much));
  assert(posix_memalign(&block, 64, too_much) == ENOMEM);
  assert(posix_memalign(&block, 3, 8) == EINVAL && posix_memalign(&block, 2, 8) == EINVAL);
  assert(block == unchanged && strcmp(block, "content") == 0); // a failed call leaves everything as it was
  free(block);
}

static void *worker(void *unused) {
  char *block = malloc(5);
  assert(is_aligned(block, 16) && malloc_usable_size(block) >= 5 && malloc_usable_size(NULL) == 0);
  strcpy(block, "some");
  block = reallocarray(block, 100, 7);
  assert(block && strcmp(block, "some") == 0);
  block = realloc(block, 5);
  assert(block && strcmp(block, "some") == 0);
  free(block);
  block = realloc(NULL, 3);
  assert(is_aligned(block, 16));
  free(block);
  int *numbers = calloc(10, sizeof *numbers);
  for (int i = 0; i < 10; i++) assert(numbers[i] == 0);
  free(numbers);
  void *aligned = memalign(256, 10);
  assert(is_aligned(aligned, 256));
  free(aligned);
  aligned = aligned_alloc(512, 1024);
  assert(is_aligned(aligned, 512));
  free(aligned);
  aligned = valloc(10);
  assert(is_aligned(aligned, 4096));
  free(aligned);
  assert(posix_memalign(&aligned, 1024, 10) == 0 && is_aligned(aligned, 1024));
  free(aligned);
  free(NULL);
  check_refusals();
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  worker(NULL);
  return 0;
}
