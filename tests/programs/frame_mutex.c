// SPDX-License-Identifier: MIT
// A mutex in main's frame: main returns while a thread may still lock it.
// expect: exit=1 bug=memory line=BUG message~"used after the function returned"
#include <pthread.h>

static void *user(void *argument) {
  pthread_mutex_t *mutex = argument;
  pthread_mutex_lock(mutex); /* BUG */
  pthread_mutex_unlock(mutex);
  return NULL;
}

int main(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_t thread;
  pthread_create(&thread, NULL, user, &mutex);
  return 0;
}
