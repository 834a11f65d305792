// SPDX-License-Identifier: MIT
// Main returns 0 while a thread is about to call exit(1): whoever is first decides, so the process can fail.
// expect: exit=1 bugs=1 bug=exit line=BUG message="exit status 1: exit called"
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused) {
  exit(1); /* BUG */
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  return 0;
}
