// SPDX-License-Identifier: MIT
// A signal to the process is taken by either of two threads that wait for it; the other one gets the next.
// expect: exit=0 verdict=clean complete=true
// observe: first=1
// observe: first=2
#include "heddle.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static sigset_t set;
static atomic_int first;

static void *takes(void *argument) {
  int number, nobody = 0;
  sigwait(&set, &number);
  atomic_compare_exchange_strong(&first, &nobody, (int)(long)argument);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, takes, (void *)(i + 1));
  kill(getpid(), SIGUSR1);
  kill(getpid(), SIGUSR2);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  heddle_observe("first", first);
  return 0;
}
