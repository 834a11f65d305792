// SPDX-License-Identifier: MIT
// A thread that holds a lock for reading must not write, not even when the readers come one after the other.
// heddle: --max-preemptions 0
// expect: data_race_warnings=1 data_race_lines=RACE warning~"'locks': ['lock']"
#include <pthread.h>

int cache;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
  cache = 1; // RACE
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
