// SPDX-License-Identifier: MIT
//
// A pool of threads that grows: a worker that finds a lot to do starts another one. At the end main joins all of them.
//
// What is wrong: main reads how many threads there are, once, and joins that many. A worker can start another one
// after that; nobody waits for it, and its work is missing. growth_fixed.c joins until there is none left.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
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

static void join_all(void) {
  pthread_mutex_lock(&mutex);
  const int count = n_threads;
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

int main(void) {
  add_thread(2);
  join_all();
  assert(parts_done == 2); // BUG
  return 0;
}
