// SPDX-License-Identifier: MIT
// A hundred threads, one lock, random schedules.
// heddle: --strategy random --max-runs 50
// expect: exit=3 verdict=incomplete bugs=0 threads=101
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *worker(void *unused) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t[100];
  for (int i = 0; i < 100; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 100; i++) pthread_join(t[i], NULL);
  assert(x == 100);
  return 0;
}
