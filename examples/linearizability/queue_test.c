// SPDX-License-Identifier: MIT
//
// A bounded queue under one lock, and a wrong one: its get looks whether there is something before it takes the lock,
// and does not look again.
#include <heddle-test.h>

enum { PUT, GET, EMPTY = -1, PLACES = 4 };

static long items[PLACES];
static _Atomic unsigned first, last;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct heddle_history history = HEDDLE_HISTORY(3);

static void put(long item) {
  pthread_mutex_lock(&mutex);
  items[last % PLACES] = item;
  last++;
  pthread_mutex_unlock(&mutex);
}

static long get(void) {
  long item = EMPTY;
  pthread_mutex_lock(&mutex);
  if (first != last) {
    item = items[first % PLACES];
    first++;
  }
  pthread_mutex_unlock(&mutex);
  return item;
}

static long wrong_get(void) {
  if (first == last) return EMPTY; // BUG
  pthread_mutex_lock(&mutex);
  const long item = items[first % PLACES];
  first++;
  pthread_mutex_unlock(&mutex);
  return item;
}

struct model {
  long items[PLACES];
  int count;
};

static long apply(void *state, int operation, long argument) {
  struct model *model = state;
  if (operation == PUT) {
    model->items[model->count++] = argument;
    return 0;
  }
  if (model->count == 0) return EMPTY;
  const long item = model->items[0];
  model->count--;
  for (int i = 0; i < PLACES; i++) model->items[i] = i < model->count ? model->items[i + 1] : 0;
  return item;
}

HEDDLE_SPEC(specification, struct model, apply, "put", "get")

static void *producer(void *unused) {
  HEDDLE_CALL(&history, 0, PUT, 7, (put(7), 0));
  return unused;
}

static void *consumer(void *number) {
  const int me = *(int *)number;
  HEDDLE_CALL(&history, me, GET, 0, get());
  return NULL;
}

static void *wrong_consumer(void *number) {
  const int me = *(int *)number;
  HEDDLE_CALL(&history, me, GET, 0, wrong_get());
  return NULL;
}

static int numbers[] = {1, 2};

static void check(void *(*consume)(void *)) {
  heddle_spawn(producer, NULL);
  for (int i = 0; i < 2; i++) heddle_spawn(consume, &numbers[i]);
  heddle_join_all();
  heddle_linearizable(&history, &specification);
}

HEDDLE_TEST(queue) {
  check(consumer);
}
HEDDLE_TEST(wrong_queue) {
  check(wrong_consumer);
}
