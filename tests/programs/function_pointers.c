// SPDX-License-Identifier: MIT
// heddle sees shared accesses in functions that are called through pointers.
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>

struct counter {
  int value;
  void (*increment)(struct counter *);
};

static void increment(struct counter *counter) {
  counter->value++;
}

struct counter counter = {0, increment};

static void *worker(void *unused) {
  counter.increment(&counter);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(counter.value == 2); /* BUG */
  return 0;
}
