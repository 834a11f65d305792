// SPDX-License-Identifier: MIT
// A signal to a thread with two visible operations comes before the first, before the second, or after the last of
// them. What the handler does is a third operation of that thread: nobody else touches what it writes.
// expect: exit=0 verdict=clean complete=true runs=3
// observe: seen=0
// observe: seen=1
// observe: seen=2
#include "heddle.h"
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t first, second;
static _Thread_local int n_done;
static int seen;

static void handle(int number) {
  (void)number;
  seen = n_done;
}

static void *posts(void *unused) {
  n_done = 0;
  sem_post(&first);
  n_done = 1;
  sem_post(&second);
  n_done = 2;
  return unused;
}

int main(void) {
  pthread_t thread;
  seen = 2;
  signal(SIGUSR1, handle);
  pthread_create(&thread, NULL, posts, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  heddle_observe("seen", seen);
  return 0;
}
