// SPDX-License-Identifier: MIT
// heddle: --strategy optimal --seed 2
// A queue of cells that are used once. Which of them are shared depends on the schedule, and learning runs see only the
// first ones. What was explored before another one turns out to be shared remains valid: as many runs as if all had
// been known from the beginning, and few that do not count.
// expect: exit=0 verdict=clean complete=true runs=2832 learning_runs<=100
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { TRIES = 6, TAKEN = -1 };

static atomic_int enqueued, dequeued, cells[TRIES];

static void *produce(void *unused) {
  for (int i = 0; i < TRIES; i++) {
    int empty = 0;
    if (atomic_compare_exchange_strong(&cells[atomic_fetch_add(&enqueued, 1)], &empty, 7)) break;
  }
  return unused;
}

static void *consume(void *unused) {
  for (int i; (i = atomic_fetch_add(&dequeued, 1)) < TRIES;) {
    const int value = atomic_exchange(&cells[i], TAKEN);
    assert(value == 0 || value == 7);
    if (value || atomic_load(&enqueued) <= i + 1) break;
  }
  return unused;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&consumer, 0, consume, 0);
  consume(0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  return 0;
}
