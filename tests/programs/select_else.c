// SPDX-License-Identifier: MIT
// A selective wait with else, in a loop: it ends because the thread waits until a message is there.
// expect: exit=0 verdict=clean complete=true
// observe: message=7
#include "heddle.h"
#include <pthread.h>

static heddle_port ports[2] = {HEDDLE_PORT, HEDDLE_PORT};

static void *sender(void *unused) {
  heddle_send(&ports[1], 7);
  return NULL;
}

int main(void) {
  const heddle_alternative alternatives[] = {{&ports[0], NULL, NULL}, {&ports[1], NULL, NULL}};
  pthread_t t;
  long message = 0;
  pthread_create(&t, NULL, sender, NULL);
  while (heddle_select_else(alternatives, 2, &message) != 1) continue;
  heddle_observe("message", message);
  pthread_join(t, NULL);
  return 0;
}
