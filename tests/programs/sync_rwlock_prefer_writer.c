// SPDX-License-Identifier: MIT
// With writers preferred, a reader that locks twice is stuck when a writer began to wait in between: the writer waits
// for the reader, the reader for the writer.
// expect: exit=1 bug=deadlock line=BUG message~"t1 waits for rwlock lock (held by main since"
// expect: message~"main waits for rwlock lock (held by main since"
#define _GNU_SOURCE
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void *writer(void *unused) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock); // BUG
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
