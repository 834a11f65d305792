// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"destroy of a condition variable while threads wait on it"
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int waiting;

static void *waiter(void *unused) {
  pthread_mutex_lock(&m);
  waiting = 1;
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  pthread_mutex_lock(&m);
  if (waiting)
    pthread_cond_destroy(&c); // BUG
  else
    pthread_detach(t);
  pthread_mutex_unlock(&m);
  return 0;
}
