// SPDX-License-Identifier: MIT
//
// dispatcher.c repaired: the port for stopping is open only when all requests were served.
//
// expect: exit=0 verdict=clean warnings=0 runs=30
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

#define CLIENTS 2

static heddle_port requests = HEDDLE_SYNCHRONOUS_PORT, stop = HEDDLE_SYNCHRONOUS_PORT;
static long sum;

static int all_served(void *unused) {
  return sum == CLIENTS;
}

static void *dispatch(void *unused) {
  const heddle_alternative alternatives[] = {{&requests, NULL, NULL}, {&stop, all_served, NULL}};
  long message;
  while (heddle_select(alternatives, 2, &message) == 0) sum += message;
  return NULL;
}

static void *ask(void *unused) {
  heddle_send(&requests, 1);
  return NULL;
}

int main(void) {
  pthread_t dispatcher, clients[CLIENTS];
  pthread_create(&dispatcher, NULL, dispatch, NULL);
  for (int i = 0; i < CLIENTS; i++) pthread_create(&clients[i], NULL, ask, NULL);
  heddle_send(&stop, 0);
  for (int i = 0; i < CLIENTS; i++) pthread_join(clients[i], NULL);
  pthread_join(dispatcher, NULL);
  assert(sum == CLIENTS);
  return 0;
}
