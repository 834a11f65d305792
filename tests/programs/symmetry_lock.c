// SPDX-License-Identifier: MIT
// Five threads that are the same take one lock twice each: 10! / 2^5 = 113400 orders, of which renaming leaves 1 in 5!.
// heddle: --strategy optimal --symmetry auto
// expect: exit=0 verdict=clean complete=true runs=945 blocked_runs=0
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    total++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[5];
  for (int i = 0; i < 5; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 5; i++) pthread_join(threads[i], NULL);
  return 0;
}
