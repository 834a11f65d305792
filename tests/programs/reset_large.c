// SPDX-License-Identifier: MIT
// 64 MB of static data of which a run touches little starts anew in every run.
// expect: exit=0 verdict=clean runs=924
#include <assert.h>
#include <pthread.h>

char data[64 << 20];
char live[1 << 20] = {1, 2, 3};
int x;

static void *worker(void *unused) {
  x = 1;
  data[(64 << 20) - 5] = 1;
  x = 2;
  live[1 << 19]++;
  x = 3;
  return NULL;
}

int main(void) {
  assert(data[40 << 20] == 0 && data[(64 << 20) - 5] == 0 && live[1 << 19] == 0 && live[2] == 3);
  data[40 << 20] = 1;
  live[2] = 9;
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
