// SPDX-License-Identifier: MIT
// Readers read, a writer writes.
// expect: exit=0 complete=true warnings=0
#include <pthread.h>

int data;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *result) {
  pthread_rwlock_rdlock(&lock);
  *(int *)result = data;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void *writer(void *unused) {
  pthread_rwlock_wrlock(&lock);
  data++;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b, c;
  int x, y;
  pthread_create(&a, NULL, reader, &x);
  pthread_create(&b, NULL, reader, &y);
  pthread_create(&c, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return data != 1;
}
