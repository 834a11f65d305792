// SPDX-License-Identifier: MIT
// sem_trywait and sem_getvalue.
// expect: exit=0 verdict=clean
// observe: got=0 value=0
// observe: got=1 value=0
// observe: got=0 value=1
#include "heddle.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

sem_t s;

static void *giver(void *unused) {
  sem_post(&s);
  return NULL;
}

int main(void) {
  sem_init(&s, 0, 0);
  pthread_t t;
  pthread_create(&t, NULL, giver, NULL);
  const int result = sem_trywait(&s);
  if (result < 0) assert(errno == EAGAIN);
  int value;
  sem_getvalue(&s, &value);
  heddle_observe("got", result == 0);
  heddle_observe("value", value);
  pthread_join(t, NULL);
  return 0;
}
