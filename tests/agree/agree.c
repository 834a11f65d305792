/* SPDX-License-Identifier: MIT
 *
 * A program made by its argument: two or three threads perform a few operations each, chosen pseudo-randomly from
 * reads, writes, atomic operations, locks (nested, so that deadlocks occur), semaphores and condition variables. What
 * each thread saw is observed at its end. tests/agree/run compares what different strategies observe.
 *
 * The operations are written into a table before the first thread starts; the threads only read it, so that the table
 * itself is no shared memory.
 *
 * usage: agree NUMBER [print]
 */
#include "heddle.h"

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum operation_kind {
  READ,
  WRITE,
  ADD,
  ATOMIC_ADD,
  COMPARE_EXCHANGE,
  LOCK,
  UNLOCK,
  TRYLOCK,
  WAIT,
  POST,
  CHECK,
  SLEEP, /* on the condition variable, with the mutex of the same number */
  SIGNAL,
  BROADCAST,
  KINDS
};

static const char *const kind_names[KINDS] = {"read",  "write",  "add",     "atomic-add", "compare-exchange",
                                              "lock",  "unlock", "trylock", "wait",       "post",
                                              "check", "sleep",  "signal",  "broadcast"};

struct operation {
  enum operation_kind kind;
  int object, value;
};

#define MAX_THREADS 3
#define MAX_OPERATIONS 16
#define OBJECTS 2

static struct operation operations[MAX_THREADS][MAX_OPERATIONS];
static int n_operations[MAX_THREADS], n_threads;
static int initial_values[OBJECTS]; /* of the semaphores */
static unsigned long long state;

static int plain[OBJECTS];
static atomic_int atomics[OBJECTS];
static pthread_mutex_t mutexes[OBJECTS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t conditions[OBJECTS] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static sem_t semaphores[OBJECTS];

static int choose(int n) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (int)((state >> 33) % (unsigned)n);
}

static void add(int thread, enum operation_kind kind, int object) {
  operations[thread][n_operations[thread]++] = (struct operation){kind, object, 1 + choose(3)};
}

static int add_access(int thread) {
  static const enum operation_kind kinds[] = {READ, READ, WRITE, WRITE, ADD, ATOMIC_ADD, COMPARE_EXCHANGE};
  const enum operation_kind kind = kinds[choose(7)];
  add(thread, kind, choose(OBJECTS));
  return kind == ADD ? 2 : 1;
}

/* One of: an access; a locked access; two nested locks; a semaphore operation; a trylock; a check that may fail.
 * Returns how many visible operations that is; with little room left, a short one. */
static int add_something(int thread, int room) {
  const int what = room >= 3 ? choose(13) : 3 + choose(9), first = choose(OBJECTS);
  int size;
  switch (what) {
  case 0:
  case 1:
    add(thread, LOCK, first);
    size = add_access(thread);
    add(thread, UNLOCK, first);
    return size + 2;
  case 2:
    add(thread, LOCK, first);
    add(thread, LOCK, 1 - first);
    add(thread, UNLOCK, 1 - first);
    add(thread, UNLOCK, first);
    return 4;
  case 3: add(thread, WAIT, first); return 1;
  case 4: add(thread, POST, first); return 1;
  case 5: add(thread, TRYLOCK, first); return 2;
  case 6: add(thread, CHECK, first); return 1;
  case 7: add(thread, SIGNAL, first); return 1;
  case 8: add(thread, choose(2) ? SIGNAL : BROADCAST, first); return 1;
  case 12:
    add(thread, LOCK, first);
    add(thread, SLEEP, first);
    add(thread, UNLOCK, first);
    return 4;
  default: return add_access(thread);
  }
}

static void choose_program(unsigned long long number) {
  state = number * 0x9e3779b97f4a7c15ull + 1;
  choose(2);
  n_threads = 2 + choose(2);
  const int budget = n_threads == 2 ? 6 : 3;
  for (int t = 0; t < n_threads; t++)
    for (int size = 0; size < budget;) size += add_something(t, budget - size);
  for (int i = 0; i < OBJECTS; i++) {
    initial_values[i] = choose(3);
    sem_init(&semaphores[i], 0, (unsigned)initial_values[i]);
  }
}

/* For people and for oracle.py. */
static void print_program(void) {
  printf("semaphores: %d %d\n", initial_values[0], initial_values[1]);
  for (int t = 0; t < n_threads; t++) {
    printf("thread:");
    for (int i = 0; i < n_operations[t]; i++)
      printf("%s %s %d %d", i ? ";" : "", kind_names[operations[t][i].kind], operations[t][i].object,
             operations[t][i].value);
    printf("\n");
  }
}

static int perform(const struct operation *operation) {
  int *const place = &plain[operation->object];
  atomic_int *const number = &atomics[operation->object];
  pthread_mutex_t *const mutex = &mutexes[operation->object];
  switch (operation->kind) {
  case READ: return *place;
  case WRITE: *place = operation->value; return 0;
  case ADD: *place += operation->value; return 0;
  case ATOMIC_ADD: return atomic_fetch_add(number, operation->value);
  case COMPARE_EXCHANGE: return atomic_compare_exchange_strong(number, &(int){0}, operation->value);
  case LOCK: pthread_mutex_lock(mutex); return 0;
  case UNLOCK: pthread_mutex_unlock(mutex); return 0;
  case TRYLOCK:
    if (pthread_mutex_trylock(mutex) != 0) return 0;
    pthread_mutex_unlock(mutex);
    return 1;
  case WAIT: sem_wait(&semaphores[operation->object]); return 0;
  case POST: sem_post(&semaphores[operation->object]); return 0;
  case SLEEP: pthread_cond_wait(&conditions[operation->object], mutex); return 0;
  case SIGNAL: pthread_cond_signal(&conditions[operation->object]); return 0;
  case BROADCAST: pthread_cond_broadcast(&conditions[operation->object]); return 0;
  case CHECK: assert(*place != operation->value); return 0;
  default: return 0;
  }
}

static void *thread(void *argument) {
  static const char *const labels[] = {"t1", "t2", "t3"};
  const long t = (long)argument;
  long long seen = 0;
  for (int i = 0; i < n_operations[t]; i++) seen = seen * 16 + perform(&operations[t][i]);
  heddle_observe(labels[t], seen);
  return NULL;
}

int main(int argc, char **argv) {
  choose_program(argc > 1 ? strtoull(argv[1], NULL, 10) : 0);
  if (argc > 2) {
    print_program();
    return 0;
  }
  pthread_t threads[MAX_THREADS];
  for (long t = 0; t < n_threads; t++) pthread_create(&threads[t], NULL, thread, (void *)t);
  for (int t = 0; t < n_threads; t++) pthread_join(threads[t], NULL);
  heddle_observe("final", plain[0] + 16 * plain[1] + 256 * atomics[0] + 4096 * atomics[1]);
  return 0;
}
