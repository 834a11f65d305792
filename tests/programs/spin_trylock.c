// SPDX-License-Identifier: MIT
// Spinning on trylock is parked like spinning on memory.
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *worker(void *unused) {
  while (pthread_mutex_trylock(&m)) {
  }
  x++;
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(x == 2);
  return 0;
}
