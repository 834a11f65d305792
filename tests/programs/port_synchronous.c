// SPDX-License-Identifier: MIT
// A synchronous send is over when its message was received, and what the receiver did before is seen.
// expect: exit=0 verdict=clean complete=true warnings=0
// observe: ready=1
#include "heddle.h"
#include <pthread.h>

static heddle_port port = HEDDLE_SYNCHRONOUS_PORT;
static int ready;

static void *sender(void *unused) {
  heddle_send(&port, 1);
  heddle_observe("ready", ready);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sender, NULL);
  ready = 1;
  heddle_receive(&port);
  pthread_join(t, NULL);
  return 0;
}
