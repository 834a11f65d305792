/* SPDX-License-Identifier: MIT
 *
 * A program made by its argument: two or three threads perform a few operations each, chosen pseudo-randomly from
 * reads, writes, atomic operations, mutexes, spinlocks and rwlocks (nested, so that deadlocks occur), semaphores,
 * barriers and condition variables. What each thread saw is observed at its end. tests/agree/run compares what
 * different strategies observe.
 *
 * The value of an operation also says which function performs it, where several mean the same: those of C11, or a timed
 * one instead of one that only tries.
 *
 * The operations are written into a table before the first thread starts; the threads only read it, so that the table
 * itself is not shared memory.
 *
 * With "inputs", one or two inputs of 0 to 3 take the place of some constants; what is read is then told from the other
 * values it may have by comparing it with each of them, so that what is observed is a number again.
 *
 * usage: agree NUMBER [inputs] [print]
 */
#include "heddle.h"

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

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
  TIMED_SLEEP,
  TRYWAIT,
  READ_LOCK,
  WRITE_LOCK,
  RW_UNLOCK,
  TRY_READ,
  TRY_WRITE,
  SPIN_LOCK,
  SPIN_UNLOCK,
  ARRIVE, /* at the barrier of two */
  KINDS
};

enum { C11 = 3, TIMED = 2 }; /* values */

static const char *const kind_names[KINDS] = {
    "read",    "write",   "add",       "atomic-add", "compare-exchange", "lock",      "unlock",      "trylock",
    "wait",    "post",    "check",     "sleep",      "signal",           "broadcast", "timed-sleep", "trywait",
    "rd-lock", "wr-lock", "rw-unlock", "try-read",   "try-write",        "spin-lock", "spin-unlock", "arrive"};

struct operation {
  enum operation_kind kind;
  int object, value;
  int input; /* 1 or 2: that input instead of the value; 0: none */
};

#define MAX_THREADS 3
#define MAX_TIMED 3 /* of a thread: so many time-outs in a row are always possible */
#define MAX_OPERATIONS 16
#define OBJECTS 2
#define INPUTS 2
#define LARGEST_VALUE 64 /* that a variable can get */

static struct operation operations[MAX_THREADS][MAX_OPERATIONS];
static int n_operations[MAX_THREADS], n_timed[MAX_THREADS], n_threads;
static int initial_values[OBJECTS]; /* of the semaphores */
static int inputs[INPUTS], n_inputs;
static bool with_inputs;
static unsigned long long state;

static int plain[OBJECTS];
static atomic_int atomics[OBJECTS];
static pthread_mutex_t mutexes[OBJECTS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t conditions[OBJECTS] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static sem_t semaphores[OBJECTS];
static pthread_rwlock_t rwlocks[OBJECTS] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static pthread_spinlock_t spinlocks[OBJECTS];
static pthread_barrier_t barriers[OBJECTS];
static const struct timespec deadline = {2000000000, 0};

static int choose(int n) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (int)((state >> 33) % (unsigned)n);
}

static bool can_time_out(enum operation_kind kind) {
  return kind == TRYLOCK || kind == TRYWAIT || kind == TRY_READ || kind == TRY_WRITE;
}

static void add(int thread, enum operation_kind kind, int object) {
  int value = 1 + choose(3);
  const bool timed = kind == TIMED_SLEEP || (can_time_out(kind) && value == TIMED);
  if (timed && n_timed[thread]++ == MAX_TIMED) kind = kind == TIMED_SLEEP ? SLEEP : kind, value = 1;
  operations[thread][n_operations[thread]++] = (struct operation){kind, object, value, 0};
}

static int add_access(int thread) {
  static const enum operation_kind kinds[] = {READ, READ, WRITE, WRITE, ADD, ATOMIC_ADD, COMPARE_EXCHANGE};
  const enum operation_kind kind = kinds[choose(7)];
  add(thread, kind, choose(OBJECTS));
  return kind == ADD ? 2 : 1;
}

static int add_locked_access(int thread, enum operation_kind lock, enum operation_kind unlock, int object) {
  add(thread, lock, object);
  const int size = add_access(thread);
  add(thread, unlock, object);
  return size + 2;
}

static int add_nested(int thread, enum operation_kind lock, enum operation_kind other, enum operation_kind unlock,
                      int first) {
  const int second = lock == other || choose(4) ? 1 - first : first;
  add(thread, lock, first);
  add(thread, other, second);
  add(thread, unlock, second);
  add(thread, unlock, first);
  return 4;
}

static int add_sleep(int thread, int object) {
  add(thread, LOCK, object);
  add(thread, choose(2) ? SLEEP : TIMED_SLEEP, object);
  add(thread, UNLOCK, object);
  return 4;
}

/* One of: an access; a locked access; two nested locks; a semaphore operation; a trylock; a check that may fail.
 * Returns how many visible operations that is; with little room left, a short one. */
static int add_something(int thread, int room) {
  if (with_inputs && choose(2)) return add_access(thread);
  const int what = room >= 3 ? choose(23) : 3 + choose(12), first = choose(OBJECTS);
  switch (what) {
  case 0:
  case 1: return add_locked_access(thread, LOCK, UNLOCK, first);
  case 2: return add_nested(thread, LOCK, LOCK, UNLOCK, first);
  case 3: add(thread, WAIT, first); return 1;
  case 4: add(thread, POST, first); return 1;
  case 5: add(thread, TRYLOCK, first); return 2;
  case 6: add(thread, CHECK, first); return 1;
  case 7: add(thread, SIGNAL, first); return 1;
  case 8: add(thread, choose(2) ? SIGNAL : BROADCAST, first); return 1;
  case 9: add(thread, TRYWAIT, first); return 1;
  case 10: add(thread, TRY_READ, first); return 2;
  case 11: add(thread, TRY_WRITE, first); return 2;
  case 15:
  case 16: return add_sleep(thread, first);
  case 17: return add_locked_access(thread, SPIN_LOCK, SPIN_UNLOCK, first);
  case 18: return add_locked_access(thread, READ_LOCK, RW_UNLOCK, first);
  case 19: return add_locked_access(thread, WRITE_LOCK, RW_UNLOCK, first);
  case 20: return add_nested(thread, READ_LOCK, WRITE_LOCK, RW_UNLOCK, first);
  case 21: return add_nested(thread, READ_LOCK, READ_LOCK, RW_UNLOCK, first);
  case 22: return add_nested(thread, SPIN_LOCK, SPIN_LOCK, SPIN_UNLOCK, first);
  default: return add_access(thread);
  }
}

static bool takes_value(enum operation_kind kind) {
  return kind == WRITE || kind == ADD || kind == ATOMIC_ADD || kind == COMPARE_EXCHANGE || kind == CHECK;
}

static void choose_inputs(void) {
  n_inputs = 1 + choose(INPUTS);
  for (int t = 0; t < n_threads; t++)
    for (int i = 0; i < n_operations[t]; i++)
      if (takes_value(operations[t][i].kind) && choose(3) > 0) operations[t][i].input = 1 + choose(n_inputs);
}

/* Programs with inputs are smaller: every way through them has its interleavings. */
static void choose_program(unsigned long long number) {
  state = number * 0x9e3779b97f4a7c15ull + 1;
  choose(2);
  n_threads = 2 + choose(2);
  const int budget = with_inputs ? (n_threads == 2 ? 4 : 2) : n_threads == 2 ? 6 : 3;
  const bool meet = choose(3) == 0; /* the first two, at a barrier; rarely a third, which is then stuck */
  for (int t = 0; t < n_threads; t++) {
    int size = add_something(t, budget);
    if (meet && (t < 2 || choose(4) == 0)) add(t, ARRIVE, 0), size++;
    while (size < budget) size += add_something(t, budget - size);
  }
  for (int i = 0; i < OBJECTS; i++) {
    initial_values[i] = choose(3);
    sem_init(&semaphores[i], 0, (unsigned)initial_values[i]);
    pthread_spin_init(&spinlocks[i], PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(&barriers[i], NULL, 2);
  }
}

/* For people and for oracle.py. */
static void print_program(void) {
  printf("semaphores: %d %d\n", initial_values[0], initial_values[1]);
  for (int t = 0; t < n_threads; t++) {
    printf("thread:");
    for (int i = 0; i < n_operations[t]; i++) {
      const struct operation *operation = &operations[t][i];
      printf("%s %s %d ", i ? ";" : "", kind_names[operation->kind], operation->object);
      printf(operation->input ? "input%d" : "%d", operation->input ? operation->input : operation->value);
    }
    printf("\n");
  }
}

static bool try_lock(pthread_mutex_t *mutex, int value) {
  if (value == C11) return mtx_trylock((mtx_t *)mutex) == thrd_success;
  return (value == TIMED ? pthread_mutex_timedlock(mutex, &deadline) : pthread_mutex_trylock(mutex)) == 0;
}

static bool try_wait(sem_t *semaphore, int value) {
  return (value == TIMED ? sem_timedwait(semaphore, &deadline) : sem_trywait(semaphore)) == 0;
}

static bool try_rwlock(pthread_rwlock_t *lock, enum operation_kind kind, int value) {
  if (kind == TRY_READ)
    return (value == TIMED ? pthread_rwlock_timedrdlock(lock, &deadline) : pthread_rwlock_tryrdlock(lock)) == 0;
  return (value == TIMED ? pthread_rwlock_timedwrlock(lock, &deadline) : pthread_rwlock_trywrlock(lock)) == 0;
}

static int timed_sleep(pthread_cond_t *condition, pthread_mutex_t *mutex, int value) {
  if (value == C11) return cnd_timedwait((cnd_t *)condition, (mtx_t *)mutex, &deadline) == thrd_timedout;
  return pthread_cond_timedwait(condition, mutex, &deadline) != 0;
}

static int perform_on_condition(const struct operation *operation) {
  pthread_mutex_t *const mutex = &mutexes[operation->object];
  pthread_cond_t *const condition = &conditions[operation->object];
  const bool c11 = operation->value == C11;
  switch (operation->kind) {
  case SLEEP: return c11 ? cnd_wait((cnd_t *)condition, (mtx_t *)mutex) : pthread_cond_wait(condition, mutex);
  case SIGNAL: return c11 ? cnd_signal((cnd_t *)condition) : pthread_cond_signal(condition);
  case BROADCAST: return c11 ? cnd_broadcast((cnd_t *)condition) : pthread_cond_broadcast(condition);
  default: return timed_sleep(condition, mutex, operation->value);
  }
}

static int perform_on_lock(const struct operation *operation) {
  pthread_rwlock_t *const lock = &rwlocks[operation->object];
  pthread_mutex_t *const mutex = &mutexes[operation->object];
  const bool c11 = operation->value == C11;
  switch (operation->kind) {
  case LOCK: return c11 ? mtx_lock((mtx_t *)mutex) : pthread_mutex_lock(mutex);
  case UNLOCK: return c11 ? mtx_unlock((mtx_t *)mutex) : pthread_mutex_unlock(mutex);
  case READ_LOCK: return pthread_rwlock_rdlock(lock);
  case WRITE_LOCK: return pthread_rwlock_wrlock(lock);
  case RW_UNLOCK: return pthread_rwlock_unlock(lock);
  case SPIN_LOCK: return pthread_spin_lock(&spinlocks[operation->object]);
  case SPIN_UNLOCK: return pthread_spin_unlock(&spinlocks[operation->object]);
  case TRYLOCK:
    if (!try_lock(mutex, operation->value)) return 0;
    pthread_mutex_unlock(mutex);
    return 1;
  case TRY_READ:
  case TRY_WRITE:
    if (!try_rwlock(lock, operation->kind, operation->value)) return 0;
    pthread_rwlock_unlock(lock);
    return 1;
  default: return perform_on_condition(operation);
  }
}

/* A number that depends on inputs, as one that does not. */
static int tell(int value) {
  if (n_inputs == 0) return value;
  for (int i = 0; i < LARGEST_VALUE; i++)
    if (value == i) return i;
  assert(!"a value that is too large");
  return 0;
}

static int perform(const struct operation *operation) {
  const int value = operation->input ? inputs[operation->input - 1] : operation->value;
  int *const place = &plain[operation->object];
  atomic_int *const number = &atomics[operation->object];
  switch (operation->kind) {
  case READ: return tell(*place);
  case WRITE: *place = value; return 0;
  case ADD: *place += value; return 0;
  case ATOMIC_ADD: return tell(atomic_fetch_add(number, value));
  case COMPARE_EXCHANGE: return atomic_compare_exchange_strong(number, &(int){0}, value);
  case WAIT: sem_wait(&semaphores[operation->object]); return 0;
  case POST: sem_post(&semaphores[operation->object]); return 0;
  case TRYWAIT: return try_wait(&semaphores[operation->object], operation->value);
  case ARRIVE: return pthread_barrier_wait(&barriers[operation->object]) == PTHREAD_BARRIER_SERIAL_THREAD;
  case CHECK: assert(*place != value); return 0;
  default: return perform_on_lock(operation);
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
  with_inputs = argc > 2 && strcmp(argv[2], "inputs") == 0;
  choose_program(argc > 1 ? strtoull(argv[1], NULL, 10) : 0);
  if (with_inputs) choose_inputs();
  if (argc > 2 && strcmp(argv[argc - 1], "print") == 0) {
    print_program();
    return 0;
  }
  for (int i = 0; i < n_inputs; i++) inputs[i] = (int)heddle_input_range("input", 0, 3);
  pthread_t threads[MAX_THREADS];
  for (long t = 0; t < n_threads; t++) pthread_create(&threads[t], NULL, thread, (void *)t);
  for (int t = 0; t < n_threads; t++) pthread_join(threads[t], NULL);
  heddle_observe("final", tell(plain[0]) + 16 * tell(plain[1]) + 256 * tell(atomics[0]) + 4096 * tell(atomics[1]));
  return 0;
}
