// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"that another thread receives from"
#include "heddle.h"
#include <pthread.h>

static heddle_port port = HEDDLE_PORT;

static void *receiver(void *unused) {
  heddle_receive(&port); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, receiver, NULL);
  for (int i = 0; i < 2; i++) heddle_send(&port, i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
