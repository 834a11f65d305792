// SPDX-License-Identifier: MIT
// raise of a signal that ends the process.
// expect: exit=1 bug=crash
#include <pthread.h>
#include <signal.h>

static void *worker(void *unused) {
  raise(SIGTERM);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
