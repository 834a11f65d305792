// SPDX-License-Identifier: MIT
// Messages of one sender are received in the order in which they were sent, those of two in any order: 3 ways. With
// sends and receives as steps and a choice in every receive there are 30 schedules.
// expect: exit=0 verdict=clean complete=true runs=30
// observe: received=123
// observe: received=132
// observe: received=312
#include "heddle.h"
#include <pthread.h>

static heddle_port port = HEDDLE_PORT;

static void *one(void *unused) {
  heddle_send(&port, 1);
  heddle_send(&port, 2);
  return NULL;
}

static void *other(void *unused) {
  heddle_send(&port, 3);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  long received = 0;
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, other, NULL);
  for (int i = 0; i < 3; i++) received = 10 * received + heddle_receive(&port);
  heddle_observe("received", received);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
