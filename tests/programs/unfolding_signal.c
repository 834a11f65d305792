// SPDX-License-Identifier: MIT
// A signal to another thread is nothing that an unfolding has as an event: it says so, and what to try.
// heddle: --strategy unfolding
// expect: exit=3 verdict=incomplete bugs=0 output~"an unfolding does not have what some operations do" output~"--strategy optimal"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int value;

static void handle(int number) {
  (void)number;
  atomic_store(&value, 1);
}

static void *look(void *unused) {
  atomic_load(&value);
  return unused;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
  pthread_create(&thread, NULL, look, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  return 0;
}
