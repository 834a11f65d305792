// SPDX-License-Identifier: MIT
// Everything that was allocated is freed, by whichever thread: --leaks has nothing to say.
// heddle: --leaks
// expect: exit=0 verdict=clean warnings=0
#include <pthread.h>
#include <stdlib.h>

static char *kept;

static void *worker(void *unused) {
  char *freed = malloc(20);
  kept = malloc(10);
  kept[0] = freed[0] = 1;
  free(freed);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  free(kept);
  return 0;
}
