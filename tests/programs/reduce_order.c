// SPDX-License-Identifier: MIT
// Two messages can be received in two orders, of which one is enough where the program says so.
// heddle: --strategy reachability --reduce order=any
// expect: exit=0 verdict=clean complete=true runs=1
// observe: sum=3
#include "heddle.h"
#include <pthread.h>

static heddle_port port = HEDDLE_PORT;
static int numbers[2] = {1, 2};

static void *sender(void *argument) {
  heddle_send(&port, *(int *)argument);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  long sum = 0;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, sender, &numbers[i]);
  for (int i = 0; i < 2; i++) sum += heddle_receive_unordered(&port, "any");
  heddle_observe("sum", sum);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
