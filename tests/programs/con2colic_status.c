// SPDX-License-Identifier: MIT
// The status of main is computed of what the threads wrote: it is a branch, although the program has none.
// heddle: --strategy con2colic --races off
// expect: exit=1 bug=exit line=BUG verdict=bug
#include <pthread.h>

static int shared;

static void *increments(void *unused) {
  shared++;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, increments, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return shared == 1; // BUG
}
