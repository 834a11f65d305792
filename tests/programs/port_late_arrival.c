// SPDX-License-Identifier: MIT
// Between senders there is no order, even where one send comes after another: the second message may arrive first.
// expect: exit=0 verdict=clean complete=true
// observe: first=1
// observe: first=2
#include "heddle.h"
#include <pthread.h>

static heddle_port port = HEDDLE_PORT, go = HEDDLE_PORT;

static void *one(void *unused) {
  heddle_send(&port, 1);
  heddle_send(&go, 0);
  return NULL;
}

static void *other(void *unused) {
  heddle_receive(&go);
  heddle_send(&port, 2);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, other, NULL);
  heddle_observe("first", heddle_receive(&port));
  heddle_receive(&port);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
