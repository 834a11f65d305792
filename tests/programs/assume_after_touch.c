// SPDX-License-Identifier: MIT
//
// Each of the two writes and assumes what only the other's write in between makes true: no run shows both writes as
// long as `value` is not known to be shared.
//
// heddle: --strategy optimal
// expect: exit=1 bug=assertion line=BUG
#include "heddle.h"

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int value;

static void *first(void *unused) {
  pthread_mutex_lock(&mutexes[0]);
  value = 1;
  heddle_assume(value == 2);
  assert(!"the other one has come in between"); // BUG
  return unused;
}

static void *second(void *unused) {
  pthread_mutex_lock(&mutexes[1]);
  value = 2;
  heddle_assume(value == 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
