// SPDX-License-Identifier: MIT
// A crash inside pthread_mutex_lock is one of the call: the last access before it stands elsewhere.
// expect: exit=1 bugs=1 bug=crash line=BUG function=worker
#include <pthread.h>

static pthread_mutex_t *volatile none;
static _Atomic int x;

static void *worker(void *unused) {
  pthread_mutex_t *mutex = none;
  x = 1;
  pthread_mutex_lock(mutex); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  x = 2;
  pthread_join(t, NULL);
  return 0;
}
