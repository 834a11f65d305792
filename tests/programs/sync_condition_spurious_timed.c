// SPDX-License-Identifier: MIT
// With --spurious a timed wait that nobody signals can end in both ways; a second one only by its time-out.
// heddle: --spurious
// expect: exit=0 verdict=clean complete=true runs=2
// observe: first=0 second=110
// observe: first=110 second=110
#include "heddle.h"
#include <pthread.h>
#include <time.h>

int main(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  const struct timespec past = {0, 0};
  pthread_mutex_lock(&m);
  const int first = pthread_cond_timedwait(&c, &m, &past);
  heddle_observe("first", first);
  heddle_observe("second", first ? 110 : pthread_cond_timedwait(&c, &m, &past));
  pthread_mutex_unlock(&m);
  return 0;
}
