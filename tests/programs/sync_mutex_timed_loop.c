// SPDX-License-Identifier: MIT
// A loop that tries again after every time-out ends: the threads that can move get their turn. What more time-outs in a
// row would have led to is not known, and the result says so.
// expect: exit=3 verdict=incomplete complete=false
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count;

static void *patient(void *unused) {
  struct timespec time;
  do {
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec++;
  } while (pthread_mutex_timedlock(&m, &time) != 0);
  count++;
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, patient, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(count == 2);
  return 0;
}
