// SPDX-License-Identifier: MIT
// A watchdog: the alarm would end the process, and comes only when nobody can move. Setting it is one
// operation beside twice two: thirty orders.
// expect: exit=0 verdict=clean runs=30 complete=true
#include <pthread.h>
#include <unistd.h>

static int x;

static void *increments(void *unused) {
  x++;
  return unused;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, increments, NULL);
  pthread_create(&t, NULL, increments, NULL);
  alarm(10);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
