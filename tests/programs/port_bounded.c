// SPDX-License-Identifier: MIT
// A send waits while the port is full: the sender is never more than two messages ahead of the one that was received.
// expect: exit=0 verdict=clean complete=true
// observe: ahead=0
// observe: ahead=1
// observe: ahead=2
#include "heddle.h"
#include <pthread.h>
#include <stdatomic.h>

static heddle_port port = HEDDLE_BOUNDED_PORT(1);
static atomic_int sent;

static void *sender(void *unused) {
  for (int i = 0; i < 3; i++) {
    heddle_send(&port, i);
    sent++;
  }
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sender, NULL);
  for (int i = 0; i < 2; i++) heddle_receive(&port);
  heddle_observe("ahead", sent - 1);
  heddle_receive(&port);
  pthread_join(t, NULL);
  return 0;
}
