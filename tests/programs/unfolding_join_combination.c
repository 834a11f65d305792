// SPDX-License-Identifier: MIT
// heddle: --strategy contextual
// expect: exit=0 complete=true
// observe: both=0
// observe: both=1
// observe: both=10
// observe: both=11
/* What main sees after joining depends on how both readers ended, though it has no step there. */
#include "heddle.h"

#include <pthread.h>

static int variables[2], seen[2];

static void *reader(void *argument) {
  const long pair = (long)argument;
  seen[pair] = variables[pair];
  return NULL;
}

static void *writer(void *argument) {
  variables[(long)argument] = 1;
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, i % 2 ? writer : reader, (void *)(i / 2));
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  heddle_observe("both", seen[0] * 10 + seen[1]);
  return 0;
}
