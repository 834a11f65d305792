// SPDX-License-Identifier: MIT
// The mutex is in a block that may be freed before it is locked.
// expect: exit=1 bug=memory line=BUG message~"that have been freed"
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *argument) {
  pthread_mutex_t *mutex = argument;
  pthread_mutex_lock(mutex); /* BUG */
  pthread_mutex_unlock(mutex);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_mutex_t *mutex = malloc(sizeof *mutex);
  pthread_mutex_init(mutex, NULL);
  pthread_create(&t, NULL, worker, mutex);
  free(mutex);
  pthread_join(t, NULL);
  return 0;
}
