// SPDX-License-Identifier: MIT
// What snprintf writes is an access: the string changes between two reads of another thread.
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char text[16];

static void *worker(void *argument) {
  snprintf(text, sizeof text, "%d", 5);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  const char first = text[0];
  assert(first == text[0]); // BUG
  pthread_join(t, NULL);
  return 0;
}
