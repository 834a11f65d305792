// SPDX-License-Identifier: MIT
// Two threads open the same name with O_EXCL: exactly one makes it, either one.
// expect: exit=0 verdict=clean complete=true runs=2
// observe: made=1
// observe: made=2
#include "heddle.h"
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int made[2];

static void *maker(void *mine) {
  *(int *)mine = sem_open("/only", O_CREAT | O_EXCL, 0600, 1) != SEM_FAILED;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, maker, &made[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  heddle_observe("made", made[0] + 2 * made[1]);
  return 0;
}
