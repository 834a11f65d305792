// SPDX-License-Identifier: MIT
// heddle: --strategy contextual
// expect: exit=0 complete=true
// observe: ended=1
// observe: cancelled=1
/* A thread that waits for a semaphore is cancelled, or gets it before. */
#include "heddle.h"

#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *waiter(void *argument) {
  (void)argument;
  sem_wait(&semaphore);
  return NULL;
}

static void *poster(void *argument) {
  (void)argument;
  sem_post(&semaphore);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  void *result;
  sem_init(&semaphore, 0, 0);
  pthread_create(&first, NULL, waiter, NULL);
  pthread_create(&second, NULL, poster, NULL);
  pthread_cancel(first);
  pthread_join(first, &result);
  pthread_join(second, NULL);
  heddle_observe(result == PTHREAD_CANCELED ? "cancelled" : "ended", 1);
  return 0;
}
