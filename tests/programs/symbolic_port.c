// SPDX-License-Identifier: MIT
// What is computed from an input is followed through a port, and through a selective wait.
// heddle: --strategy optimal
// expect: exit=1 bug=assertion line=BUG complete=false
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

static heddle_port first = HEDDLE_PORT, second = HEDDLE_SYNCHRONOUS_PORT;

static void *middle(void *unused) {
  heddle_send(&second, heddle_receive(&first) * 3);
  return NULL;
}

int main(void) {
  const heddle_alternative alternative = {&second, NULL, NULL};
  pthread_t t;
  long message;
  pthread_create(&t, NULL, middle, NULL);
  heddle_send(&first, heddle_input_uchar("x"));
  heddle_select(&alternative, 1, &message);
  assert(message != 3 * 77); /* BUG */
  pthread_join(t, NULL);
  return 0;
}
