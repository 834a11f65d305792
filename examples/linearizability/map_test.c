// SPDX-License-Identifier: MIT
//
// A hash map of fixed size with a lock per bucket, and a wrong one: its add-if-absent looks and stores under the lock,
// but not under the same one.
#include <heddle-test.h>

enum { ADD, FIND, ABSENT = 0, BUCKETS = 2, KEYS = 4 };

struct bucket {
  pthread_mutex_t mutex;
  long values[KEYS];
};

static struct bucket buckets[BUCKETS] = {{.mutex = PTHREAD_MUTEX_INITIALIZER}, {.mutex = PTHREAD_MUTEX_INITIALIZER}};
static struct heddle_history history = HEDDLE_HISTORY(2);

static struct bucket *lock(int key) {
  struct bucket *bucket = &buckets[key % BUCKETS];
  pthread_mutex_lock(&bucket->mutex);
  return bucket;
}

static long find(int key) {
  struct bucket *bucket = lock(key);
  const long value = bucket->values[key];
  pthread_mutex_unlock(&bucket->mutex);
  return value;
}

/* Gives what is there afterwards. */
static long add(int key, long value) {
  struct bucket *bucket = lock(key);
  if (bucket->values[key] == ABSENT) bucket->values[key] = value;
  value = bucket->values[key];
  pthread_mutex_unlock(&bucket->mutex);
  return value;
}

static long wrong_add(int key, long value) {
  if (find(key) != ABSENT) return find(key); // BUG
  struct bucket *bucket = lock(key);
  bucket->values[key] = value;
  pthread_mutex_unlock(&bucket->mutex);
  return value;
}

struct model {
  long values[KEYS];
};

/* The argument is the key, and for add 10 times the value besides. */
static long apply(void *state, int operation, long argument) {
  struct model *model = state;
  const long key = argument % 10;
  if (operation == ADD && model->values[key] == ABSENT) model->values[key] = argument / 10;
  return model->values[key];
}

HEDDLE_SPEC(specification, struct model, apply, "add", "find")

static void *use(void *number) {
  const int me = *(int *)number;
  HEDDLE_CALL(&history, me, ADD, 10 * (me + 1) + 3, add(3, me + 1));
  HEDDLE_CALL(&history, me, FIND, 3, find(3));
  return NULL;
}

static void *use_wrong(void *number) {
  const int me = *(int *)number;
  HEDDLE_CALL(&history, me, ADD, 10 * (me + 1) + 3, wrong_add(3, me + 1));
  HEDDLE_CALL(&history, me, FIND, 3, find(3));
  return NULL;
}

static int numbers[] = {0, 1};

static void check(void *(*thread)(void *)) {
  for (int i = 0; i < 2; i++) heddle_spawn(thread, &numbers[i]);
  heddle_join_all();
  heddle_linearizable(&history, &specification);
}

HEDDLE_TEST(map) {
  check(use);
}
HEDDLE_TEST(wrong_map) {
  check(use_wrong);
}
