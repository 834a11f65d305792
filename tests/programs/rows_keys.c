// SPDX-License-Identifier: MIT
// Thread-specific data: EINVAL for what is not a key, EAGAIN when there are no more; a deleted key has no destructor.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>

static pthread_key_t key, deleted;
static int destroyed;

static void destroy(void *value) {
  destroyed += *(int *)value;
}

static void *worker(void *value) {
  assert(pthread_getspecific(key) == NULL);
  assert(pthread_setspecific(key, value) == 0 && pthread_getspecific(key) == value);
  assert(pthread_setspecific(deleted, value) == 0);
  assert(pthread_key_delete(deleted) == 0);
  return NULL;
}

int main(void) {
  int one = 1, created = 0;
  pthread_t thread;
  assert(pthread_key_create(&key, destroy) == 0 && pthread_key_create(&deleted, destroy) == 0);
  pthread_create(&thread, NULL, worker, &one);
  pthread_join(thread, NULL);
  assert(destroyed == 1);
  assert(pthread_getspecific(key) == NULL); // main has none
  assert(pthread_key_delete(key) == 0);
  assert(pthread_key_delete(key) == EINVAL);
  assert(pthread_setspecific(key, &one) == EINVAL);
  assert(pthread_getspecific(key) == NULL);
  assert(pthread_setspecific(PTHREAD_KEYS_MAX, &one) == EINVAL);
  int error;
  while ((error = pthread_key_create(&key, NULL)) == 0) created++;
  assert(error == EAGAIN && created == PTHREAD_KEYS_MAX);
  return 0;
}
