// SPDX-License-Identifier: MIT
// Nobody receives the second message.
// expect: exit=1 bug=deadlock line=BUG message~"waits for port"
#include "heddle.h"
#include <pthread.h>

static heddle_port port = HEDDLE_SYNCHRONOUS_PORT;

static void *sender(void *unused) {
  heddle_send(&port, 1);
  heddle_send(&port, 2); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sender, NULL);
  heddle_receive(&port);
  pthread_join(t, NULL);
  return 0;
}
