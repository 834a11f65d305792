// SPDX-License-Identifier: MIT
// A reader waits for a writer that waits for the reader's mutex.
// expect: exit=1 bug=deadlock message~"t2 waits for rwlock lock (held by t1 since"
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused) {
  pthread_rwlock_wrlock(&lock);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void *reader(void *unused) {
  pthread_mutex_lock(&m);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, writer, NULL);
  pthread_create(&t[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
