// SPDX-License-Identifier: MIT
// reachability tries only one of the mutexes that an input chooses: that is no proof.
// heddle: --strategy reachability
// expect: exit=3 verdict=incomplete bugs=0 output~"made concrete"
#include "heddle.h"
#include <pthread.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

int main(void) {
  const long long i = heddle_input_range("i", 0, 1);
  pthread_mutex_lock(&locks[i]);
  pthread_mutex_unlock(&locks[i]);
  return 0;
}
