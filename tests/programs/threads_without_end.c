// SPDX-License-Identifier: MIT
// Threads are created without end. Their creator stops at --max-threads, the others are explored: two of them are
// enough for the failure.
// expect: exit=1 verdict=bug bugs=1 bug="assertion" message~"y + 1"
#include <assert.h>
#include <pthread.h>

static int counter;

static void *body(void *unused) {
  const int y = counter;
  counter = y + 1;
  assert(counter == y + 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  for (;;) pthread_create(&thread, NULL, body, NULL);
}
