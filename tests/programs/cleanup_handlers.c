// SPDX-License-Identifier: MIT
// pthread_cleanup_push handlers run on pthread_exit.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <pthread.h>

int cleaned;

static void clean(void *argument) {
  cleaned += (int)(long)argument;
}

static void *worker(void *unused) {
  pthread_cleanup_push(clean, (void *)1);
  pthread_cleanup_push(clean, (void *)2);
  pthread_exit(NULL);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, worker, NULL);
  pthread_join(a, NULL);
  assert(cleaned == 3);
  return 0;
}
