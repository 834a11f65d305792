// SPDX-License-Identifier: MIT
// Only who got the lock may write.
// expect: exit=0 data_race_warnings=1 data_race_lines=RACE
#include <pthread.h>

int guarded, careless;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  const int got = pthread_mutex_trylock(&m) == 0;
  if (got) guarded++;
  careless = 1; // RACE
  if (got) pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return guarded > 2;
}
