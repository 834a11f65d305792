// SPDX-License-Identifier: MIT
// A race for one value of an input that says which lock is taken: no run that covers a branch needs it.
// heddle: --strategy con2colic --races error
// expect: exit=1 bug=data-race verdict=bug
#include "heddle.h"

#include <pthread.h>

static pthread_mutex_t locks[4];
static int sum;

static void add(unsigned lock) {
  pthread_mutex_lock(&locks[lock]);
  sum++;
  pthread_mutex_unlock(&locks[lock]);
}

static void *work(void *unused) {
  add(2);
  return unused;
}

int main(void) {
  pthread_t thread;
  const unsigned lock = heddle_input_uint("lock");
  if (lock > 3) return 0;
  pthread_create(&thread, NULL, work, NULL);
  add(lock);
  pthread_join(thread, NULL);
  return 0;
}
