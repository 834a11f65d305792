// SPDX-License-Identifier: MIT
// Two units, three threads: as with POSIX semaphores.
// model: init s 2; acquire s; write x; post s | acquire s; write x; post s | acquire s; write x; post s
// expect: exit=0 verdict=clean runs=model
#include "heddle.h"
#include <pthread.h>

static heddle_semaphore s = HEDDLE_SEMAPHORE(2);
int x;

static void *worker(void *argument) {
  heddle_P(&s);
  x = 1;
  heddle_V(&s);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
