// SPDX-License-Identifier: MIT
// An attempt on a lock that the thread has itself always fails, and what comes after it is explored.
// heddle: --strategy con2colic --races off
// expect: exit=1 bug=assertion line=BUG verdict=bug
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  const int busy = pthread_mutex_trylock(&lock);
  pthread_mutex_unlock(&lock);
  assert(!busy || x != 1); // BUG
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  x = 1;
  pthread_join(thread, NULL);
  return 0;
}
