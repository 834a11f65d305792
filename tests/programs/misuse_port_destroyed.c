// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"use of a port that was destroyed"
#include "heddle.h"
#include <pthread.h>

static heddle_port port = HEDDLE_PORT;

static void *receiver(void *unused) {
  heddle_receive(&port); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, receiver, NULL);
  heddle_port_destroy(&port);
  pthread_join(t, NULL);
  return 0;
}
