// SPDX-License-Identifier: MIT
// The malloc family.
// expect: exit=0 verdict=clean runs=1
#define _GNU_SOURCE
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *worker(void *unused) {
  char *a = malloc(10);
  strcpy(a, "something");
  a = realloc(a, 100000);
  assert(strcmp(a, "something") == 0);
  a = realloc(a, 4);
  assert(memcmp(a, "some", 4) == 0);
  assert(malloc_usable_size(a) >= 4);
  free(a);
  int *zeros = calloc(1000, sizeof *zeros);
  for (int i = 0; i < 1000; i++) assert(zeros[i] == 0);
  free(zeros);
  assert(calloc(SIZE_MAX / 2, 4) == NULL);
  void *aligned = aligned_alloc(4096, 8192);
  assert((uintptr_t)aligned % 4096 == 0);
  free(aligned);
  assert(posix_memalign(&aligned, 64, 100) == 0 && (uintptr_t)aligned % 64 == 0);
  free(aligned);
  void *none = malloc(0);
  free(none);
  free(NULL);
  char *big = malloc(50 << 20);
  big[0] = big[(50 << 20) - 1] = 1;
  free(big);
  char *copy = strdup("words");
  assert(strcmp(copy, "words") == 0);
  free(copy);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
