// SPDX-License-Identifier: MIT
// With --leaks, a block that is still allocated when the program ends is a warning that names its allocation.
// heddle: --leaks
// expect: exit=0 verdict=clean leak_warnings=1 leak_lines=LEAK
#include <pthread.h>
#include <stdlib.h>

static char *kept;

static void *worker(void *unused) {
  char *freed = malloc(20);
  kept = malloc(10); // LEAK
  kept[0] = freed[0] = 1;
  free(freed);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
