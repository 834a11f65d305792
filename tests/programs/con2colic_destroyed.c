// SPDX-License-Identifier: MIT
// A mutex that main destroys while the thread may have it.
// heddle: --strategy con2colic --races off
// expect: exit=1 bug=lock-misuse verdict=bug
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_destroy(&lock);
  pthread_join(thread, NULL);
  return 0;
}
