// SPDX-License-Identifier: MIT
// Thread-specific data: a value per thread, destructors run when a thread ends, and again while they leave values.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;
int destroyed[3];

static void destroy(void *value) {
  const int index = *(int *)value;
  destroyed[index]++;
  if (index == 2 && destroyed[2] == 1) {
    pthread_setspecific(key, value); /* once more */
    return;
  }
  free(value);
}

static void *worker(void *argument) {
  assert(pthread_getspecific(key) == NULL);
  int *value = malloc(sizeof *value);
  *value = (int)(long)argument;
  pthread_setspecific(key, value);
  assert(pthread_getspecific(key) == value);
  if (*value == 1) pthread_exit(NULL);
  return NULL;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  assert(destroyed[0] == 1 && destroyed[1] == 1 && destroyed[2] == 2);
  assert(pthread_getspecific(key) == NULL);
  pthread_key_delete(key);
  return 0;
}
