// SPDX-License-Identifier: MIT
// What a sender did before is before the receive of its message, and not of another's.
// heddle: --strategy exhaustive --races error
// expect: exit=1 bug=data-race line=BUG
#include "heddle.h"
#include <pthread.h>

static heddle_port port = HEDDLE_PORT;
static int x;

static void *writer(void *unused) {
  x = 1;
  heddle_send(&port, 1);
  return NULL;
}

static void *other(void *unused) {
  heddle_send(&port, 2);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, writer, NULL);
  pthread_create(&t[1], NULL, other, NULL);
  heddle_receive(&port);
  const int seen = x; /* BUG */
  heddle_receive(&port);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return seen > 1;
}
