// SPDX-License-Identifier: MIT
//
// A dispatcher serves requests until it is told to stop. Requests and the message to stop come through ports, and
// a selective wait takes what comes first.
//
// What is wrong: the message to stop can overtake a request, and then nobody receives the request any more. Its sender
// waits forever, because a synchronous send ends only when its message is received. dispatcher_fixed.c opens the port
// for stopping only when all requests have been served.
//
// expect: exit=1 bug=deadlock runs<=200
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

#define CLIENTS 2

static heddle_port requests = HEDDLE_SYNCHRONOUS_PORT, stop = HEDDLE_SYNCHRONOUS_PORT;
static long sum;

static void *dispatch(void *unused) {
  const heddle_alternative alternatives[] = {{&requests, NULL, NULL}, {&stop, NULL, NULL}};
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
