// SPDX-License-Identifier: MIT
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true runs=2
// observe: which=-1
// observe: which=0
#include "heddle.h"
#include <pthread.h>

static heddle_port port = HEDDLE_PORT;

static void *sender(void *unused) {
  heddle_send(&port, 7);
  return NULL;
}

int main(void) {
  const heddle_alternative alternative = {&port, NULL, NULL};
  pthread_t t;
  long message = 0;
  pthread_create(&t, NULL, sender, NULL);
  heddle_observe("which", heddle_select_else(&alternative, 1, &message));
  pthread_join(t, NULL);
  return 0;
}
