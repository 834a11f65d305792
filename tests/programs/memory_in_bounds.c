// SPDX-License-Identifier: MIT
// The last bytes of blocks of all sizes, by several threads, with reallocation: nothing to report.
// expect: exit=0 verdict=clean warnings=0
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *block;

static void *worker(void *unused) {
  for (size_t size = 1; size < 40; size++) {
    char *bytes = malloc(size);
    memset(bytes, 1, size);
    bytes[size - 1] = bytes[0];
    bytes = realloc(bytes, size + 7);
    bytes[size + 6] = bytes[size - 1];
    char *copy = strdup("words");
    copy[5] = copy[0];
    free(copy);
    free(bytes);
  }
  return NULL;
}

int main(void) {
  pthread_t s, t;
  worker(NULL);
  block = malloc(3);
  block[2] = 1;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  free(block);
  return 0;
}
