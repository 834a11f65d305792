// SPDX-License-Identifier: MIT
// A signal that the program handles is not a crash.
// expect: exit=0 verdict=clean runs=6
#include <assert.h>
#include <pthread.h>
#include <signal.h>

volatile sig_atomic_t got;
int x;

static void handle(int signal) {
  got = signal;
}

static void *worker(void *unused) {
  x++;
  return NULL;
}

int main(void) {
  assert(got == 0);
  signal(SIGUSR1, handle);
  raise(SIGUSR1);
  assert(got == SIGUSR1);
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
