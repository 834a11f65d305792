// SPDX-License-Identifier: MIT
// A loop that counts its tries, backs off after ten of them and starts over: its state repeats after ten rounds. It is
// looked at from its second round on, so that it is parked when it comes to its twelfth: it reads 0 between none and
// eleven times.
// expect: exit=0 verdict=clean complete=true runs=12
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *set(void *unused) {
  atomic_store(&ready, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  int tries = 0;
  pthread_create(&thread, 0, set, 0);
  while (!atomic_load(&ready)) {
    if (++tries < 10) continue;
    poll(NULL, 0, 10);
    tries = 0;
  }
  pthread_join(thread, 0);
  return 0;
}
