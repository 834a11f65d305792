// SPDX-License-Identifier: MIT
// Figure 2 of the con2colic paper: the error needs a schedule and an input, u.cnt between 6 and 10.
// heddle: --strategy exhaustive --max-preemptions 2
// expect: exit=1 bug=assertion line=BUG
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct vector {
  int count, size;
  int *data;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct vector v = {10, 20, NULL}, u;

static int count_of(const struct vector *vector) {
  pthread_mutex_lock(&lock);
  const int count = vector->count;
  pthread_mutex_unlock(&lock);
  return count;
}

static void add_all(struct vector *to, const struct vector *from) {
  const int elements = count_of(to) + from->count;
  pthread_mutex_lock(&lock);
  if (elements > to->size) {
    to->data = realloc(to->data, 400);
    to->size = elements * 2;
  }
  assert(to->size >= from->count + to->count); /* BUG */
  to->count += from->count;
  pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
  add_all(&v, &u);
  return NULL;
}

int main(void) {
  u.count = (int)heddle_input_range("u.count", 0, 50);
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
