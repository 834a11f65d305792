// SPDX-License-Identifier: MIT
// A selective wait takes from open ports only, in any order: with the guard, no message of the second port before one
// of the first.
// expect: exit=0 verdict=clean complete=true
// observe: received=1122
// observe: received=1212
#include "heddle.h"
#include <pthread.h>

static heddle_port ports[2] = {HEDDLE_SYNCHRONOUS_PORT, HEDDLE_SYNCHRONOUS_PORT};
static int ahead;

static void *sender(void *argument) {
  heddle_port *port = argument;
  for (int i = 0; i < 2; i++) heddle_send(port, port - ports + 1);
  return NULL;
}

static int is_ahead(void *argument) {
  return *(int *)argument > 0;
}

int main(void) {
  const heddle_alternative alternatives[] = {{&ports[0], NULL, NULL}, {&ports[1], is_ahead, &ahead}};
  pthread_t t[2];
  long received = 0, message;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, sender, &ports[i]);
  for (int i = 0; i < 4; i++) {
    const int which = heddle_select(alternatives, 2, &message);
    ahead += which == 0 ? 1 : -1;
    received = 10 * received + message;
  }
  heddle_observe("received", received);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
