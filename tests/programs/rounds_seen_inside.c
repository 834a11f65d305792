// SPDX-License-Identifier: MIT
// A null round is not nothing to those who look in its middle: attempts to take the lock fail there. Whatever pattern
// of failing and getting it there can be is found, also those that need as many rounds as there are attempts.
// heddle: --strategy optimal --keep-going
// expect: exit=0 verdict=clean complete=true
// observe: got=0
// observe: got=1
// observe: got=2
// observe: got=3
// observe: got=4
// observe: got=5
// observe: got=6
// observe: got=7
#include "heddle.h"
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int stop;

static void *poller(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    const int is_over = stop;
    pthread_mutex_unlock(&mutex);
    if (is_over) return unused;
    usleep(100);
  }
}

int main(void) {
  pthread_t thread;
  int got = 0;
  pthread_create(&thread, 0, poller, 0);
  for (int i = 0; i < 3; i++) {
    const int gets = pthread_mutex_trylock(&mutex) == 0;
    if (gets) pthread_mutex_unlock(&mutex);
    got = 2 * got + gets;
  }
  pthread_mutex_lock(&mutex);
  stop = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  heddle_observe("got", got);
  return 0;
}
