// SPDX-License-Identifier: MIT
//
// A queue of one place, a producer and two consumers.
//
// What is wrong: a consumer checks its condition once, with `if`. It can be woken, and before it has the lock again the
// other consumer takes the item: it then takes one that is not there. queue_fixed.c checks again, with `while`.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *unused) {
  pthread_mutex_lock(&mutex);
  if (items == 0) pthread_cond_wait(&changed, &mutex);
  assert(items > 0); // BUG
  items--;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void *produce(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    items++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t consumers[2], producer;
  for (int i = 0; i < 2; i++) pthread_create(&consumers[i], NULL, consume, NULL);
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 0; i < 2; i++) pthread_join(consumers[i], NULL);
  pthread_join(producer, NULL);
  return 0;
}
