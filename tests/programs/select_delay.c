// SPDX-License-Identifier: MIT
// A delay can be over only while no message is there; and without an open alternative it is all that can happen.
// expect: exit=0 verdict=clean complete=true runs=2
// observe: closed=-1 which=-1
// observe: closed=-1 which=0
#include "heddle.h"
#include <pthread.h>

static heddle_port port = HEDDLE_PORT;

static void *sender(void *unused) {
  heddle_send(&port, 7);
  return NULL;
}

static int never(void *unused) {
  return 0;
}

int main(void) {
  const heddle_alternative open = {&port, NULL, NULL}, closed = {&port, never, NULL};
  pthread_t t;
  long message = 0;
  heddle_observe("closed", heddle_select_delay(&closed, 1, &message, 1000));
  pthread_create(&t, NULL, sender, NULL);
  heddle_observe("which", heddle_select_delay(&open, 1, &message, 1000));
  pthread_join(t, NULL);
  return 0;
}
