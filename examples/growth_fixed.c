// SPDX-License-Identifier: MIT
//
// growth.c repaired: after every join, look again. A thread starts others before it ends, so none is overlooked.
//
// expect: exit=0 verdict=clean warnings=0 runs=42
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define MOST 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t threads[MOST];
static int n_threads;
static atomic_int parts_done;

static void *work(void *argument);

static void add_thread(int parts) {
  pthread_mutex_lock(&mutex);
  pthread_create(&threads[n_threads++], NULL, work, (void *)(long)parts);
  pthread_mutex_unlock(&mutex);
}

static void *work(void *argument) {
  const int parts = (int)(long)argument;
  if (parts > 1) add_thread(parts - 1);
  parts_done++;
  return NULL;
}

static int count_threads(void) {
  pthread_mutex_lock(&mutex);
  const int count = n_threads;
  pthread_mutex_unlock(&mutex);
  return count;
}

static void join_all(void) {
  for (int i = 0; i < count_threads(); i++) pthread_join(threads[i], NULL);
}

int main(void) {
  add_thread(2);
  join_all();
  assert(parts_done == 2);
  return 0;
}
