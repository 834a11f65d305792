/* SPDX-License-Identifier: MIT
 *
 * A program made by its argument, of operations that can fail: compare-exchange, try-locks of every kind, timed
 * operations, atomic sections, accesses of 1, 2 and 4 of the same bytes. Two or three threads perform a few of them
 * each, four in the programs from FOUR_THREADS on. An operation may depend on whether an earlier one of its thread
 * succeeded, as in
 *
 *     if (pthread_mutex_trylock(&m) == 0) { x = 1; pthread_mutex_unlock(&m); }
 *
 * Everything a thread reads is observed, and whether each operation succeeded: two decimal digits per operation.
 * tests/agree/attempts compares what different strategies observe.
 *
 * The operations are written into a table before the first thread starts; the threads only read it, so that the table
 * itself is not shared memory.
 *
 * usage: attempts NUMBER [print|branches]    branches: what an operation gave decides branches, for con2colic
 */
#define _GNU_SOURCE /* recursive mutexes */
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

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

enum operation_kind {
#define OPERATION(name, words) name,
#include "attempts.def"
#undef OPERATION
  KINDS
};

static const char *const kind_names[KINDS] = {
#define OPERATION(name, words) words,
#include "attempts.def"
#undef OPERATION
};

struct operation {
  enum operation_kind kind;
  int object, value, expected;
  int guard;          /* of the same thread: which operation decides whether this one is performed; -1: none */
  bool needs_success; /* of the guard; otherwise its failure */
};

#define MAX_THREADS 4
#define FOUR_THREADS 1000000 /* programs from this number on have so many, and shorter ones */
#define MAX_TIMED 3          /* of a thread: so many time-outs in a row are always possible */
#define MAX_OPERATIONS 9     /* two decimal digits each in a long long */
#define OBJECTS 2
#define SUCCESS 50 /* added to what a compare-exchange found */

static struct operation operations[MAX_THREADS][MAX_OPERATIONS];
static int n_operations[MAX_THREADS], n_timed[MAX_THREADS], n_threads, n_cells;
static int initial_values[OBJECTS]; /* of the semaphores */
static bool has_checks, has_branches;
static unsigned long long state;

static union cell {
  int whole;
  unsigned short half;
  unsigned char bytes[4];
} cells[OBJECTS];
static pthread_mutex_t mutexes[OBJECTS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
static pthread_cond_t conditions[OBJECTS] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static sem_t semaphores[OBJECTS];
static pthread_rwlock_t rwlocks[OBJECTS] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static pthread_spinlock_t spinlocks[OBJECTS];
static const struct timespec deadline = {2000000000, 0};

/* ---- the program ---- */

static int choose(int n) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (int)((state >> 33) % (unsigned)n);
}

/* Returns the operation's index. */
static int add(int thread, enum operation_kind kind, int object) {
  struct operation *const operation = &operations[thread][n_operations[thread]];
  *operation = (struct operation){kind, object, 1 + choose(2), choose(3), -1, false};
  return n_operations[thread]++;
}

static void add_guarded(int thread, enum operation_kind kind, int object, int guard, bool needs_success) {
  struct operation *const operation = &operations[thread][add(thread, kind, object)];
  operation->guard = guard;
  operation->needs_success = needs_success;
}

static enum operation_kind choose_access(void) {
  static const enum operation_kind kinds[] = {READ,      WRITE,      LOAD,        LOAD,          STORE,     EXCHANGE,
                                              FETCH_ADD, STRONG,     STRONG,      WEAK,          READ_BYTE, WRITE_BYTE,
                                              LOAD_BYTE, STORE_BYTE, STRONG_BYTE, EXCHANGE_HALF, CHECK};
  const enum operation_kind kind = kinds[choose(sizeof kinds / sizeof *kinds)];
  return kind == CHECK && !has_checks ? LOAD : kind;
}

/* The time-outs of a thread are few: those it has already make the next one a try. */
static enum operation_kind if_timed(int thread, enum operation_kind timed, enum operation_kind otherwise) {
  return choose(2) && n_timed[thread]++ < MAX_TIMED ? timed : otherwise;
}

/* lock or try, an access, unlock: the latter two only if the try succeeded, or else another access. */
static int add_attempt(int thread, enum operation_kind attempt, enum operation_kind unlock, int object) {
  const int guard = add(thread, attempt, object);
  add_guarded(thread, choose_access(), choose(n_cells), guard, true);
  add_guarded(thread, unlock, object, guard, true);
  return 3;
}

static int add_lock_or_attempt(int thread, int object) {
  switch (choose(7)) {
  case 0:
  case 1: return add_attempt(thread, if_timed(thread, TIMED_LOCK, TRY_LOCK), UNLOCK, object);
  case 2: return add_attempt(thread, if_timed(thread, TIMED_READ, TRY_READ), RW_UNLOCK, object);
  case 3: return add_attempt(thread, if_timed(thread, TIMED_WRITE, TRY_WRITE), RW_UNLOCK, object);
  case 4: return add_attempt(thread, TRY_SPIN, SPIN_UNLOCK, object);
  case 5: return add_attempt(thread, LOCK, UNLOCK, object);
  default: {
    static const enum operation_kind locks[] = {READ_LOCK, WRITE_LOCK, SPIN_LOCK};
    const int which = choose(3);
    return add_attempt(thread, locks[which], which == 2 ? SPIN_UNLOCK : RW_UNLOCK, object);
  }
  }
}

/* The recursive mutex, taken or tried once more by its owner. */
static int add_recursion(int thread) {
  const int guard = add(thread, choose(2) ? TRY_LOCK : LOCK, 1), again = n_operations[thread];
  add_guarded(thread, TRY_LOCK, 1, guard, true);
  add_guarded(thread, UNLOCK, 1, again, true);
  add_guarded(thread, UNLOCK, 1, guard, true);
  return 4;
}

static int add_sleep(int thread, int object) {
  if (n_timed[thread]++ >= MAX_TIMED) return add(thread, BROADCAST, object), 1;
  add(thread, LOCK, object);
  add(thread, TIMED_SLEEP, object);
  add(thread, UNLOCK, object);
  return 5;
}

/* A compare-exchange, and what is done when it succeeds or fails. */
static int add_exchange(int thread, bool branches) {
  const int guard = add(thread, choose(2) ? STRONG : WEAK, choose(n_cells));
  if (branches) add_guarded(thread, choose_access(), choose(n_cells), guard, choose(2));
  return branches ? 2 : 1;
}

/* Returns how many visible operations that is. */
static int add_something(int thread, int room) {
  const int object = choose(3) == 0; /* mostly the same one, so that threads meet */
  switch (choose(room >= 5 ? 20 : room >= 3 ? 18 : 13)) {
  case 0:
  case 1:
  case 2: return add_exchange(thread, room > 1);
  case 3: return add(thread, POST, object), 1;
  case 4: return add(thread, if_timed(thread, TIMED_WAIT, TRY_WAIT), object), 1;
  case 5: return add(thread, choose(3) ? TRY_WAIT : choose(2) ? WAIT : VALUE, object), 1;
  case 6: return add(thread, choose(2) ? SECTION_COPY : SECTION_STRONG, choose(n_cells)), 1;
  case 7: return add(thread, choose(2) ? SIGNAL : BROADCAST, object), 1;
  case 13:
  case 14:
  case 15:
  case 16: return add_lock_or_attempt(thread, object);
  case 17:
  case 18: return add_recursion(thread);
  case 19: return add_sleep(thread, object);
  default: return add(thread, choose_access(), choose(n_cells)), 1;
  }
}

static void choose_program(unsigned long long number) {
  state = number * 0x9e3779b97f4a7c15ull + 1;
  choose(2);
  n_threads = number >= FOUR_THREADS ? 4 : 2 + choose(2);
  n_cells = 1 + choose(OBJECTS);
  has_checks = choose(5) == 0;
  for (int t = 0; t < n_threads; t++) {
    const int least[] = {4, 2, 1}, budget = least[n_threads - 2] + choose(3);
    for (int size = 0; size < budget && n_operations[t] < MAX_OPERATIONS - 3;) size += add_something(t, budget - size);
  }
}

/* For people and for attempts_oracle.py. */
static void print_program(void) {
  printf("semaphores: %d %d\n", initial_values[0], initial_values[1]);
  for (int t = 0; t < n_threads; t++) {
    printf("thread:");
    for (int i = 0; i < n_operations[t]; i++) {
      const struct operation *operation = &operations[t][i];
      printf("%s %s %d %d %d", i ? ";" : "", kind_names[operation->kind], operation->object, operation->value,
             operation->expected);
      if (operation->guard >= 0) printf(" if %s %d", operation->needs_success ? "done" : "failed", operation->guard);
    }
    printf("\n");
  }
}

/* ---- performing it ---- */

/* Which of the bytes in 2 is accessed: the expected value says. */
static unsigned char *byte_of(const struct operation *operation) {
  return &cells[operation->object].bytes[operation->expected & 1];
}

/* A value of 4 bytes as a number below SUCCESS. */
static int tell(int value) {
  return (value & 7) + 8 * (value >> 8 & 3) + 32 * (value >> 10 & 1);
}

static int tell_exchange(bool done, int found) {
  return SUCCESS * done + tell(found);
}

static int access_atomically(const struct operation *operation) {
  union cell *const cell = &cells[operation->object];
  int expected = operation->expected;
  unsigned char byte = (unsigned char)operation->expected;
  bool done;
  switch (operation->kind) {
  case LOAD: return tell(__atomic_load_n(&cell->whole, __ATOMIC_SEQ_CST));
  case STORE: __atomic_store_n(&cell->whole, operation->value, __ATOMIC_SEQ_CST); return 0;
  case EXCHANGE: return tell(__atomic_exchange_n(&cell->whole, operation->value, __ATOMIC_SEQ_CST));
  case FETCH_ADD: return tell(__atomic_fetch_add(&cell->whole, operation->value, __ATOMIC_SEQ_CST));
  case LOAD_BYTE: return tell(__atomic_load_n(byte_of(operation), __ATOMIC_SEQ_CST));
  case STORE_BYTE: __atomic_store_n(byte_of(operation), operation->value, __ATOMIC_SEQ_CST); return 0;
  case EXCHANGE_HALF: return tell(__atomic_exchange_n(&cell->half, operation->value, __ATOMIC_SEQ_CST));
  case STRONG_BYTE:
    done = __atomic_compare_exchange_n(byte_of(operation), &byte, operation->value, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
    return tell_exchange(done, byte);
  case WEAK:
    done = __atomic_compare_exchange_n(&cell->whole, &expected, operation->value, true, __ATOMIC_SEQ_CST,
                                       __ATOMIC_RELAXED);
    return tell_exchange(done, expected);
  default:
    done = __atomic_compare_exchange_n(&cell->whole, &expected, operation->value, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
    return tell_exchange(done, expected);
  }
}

/* Copies a cell into the other one if it has the expected value. */
static int copy_in_section(const struct operation *operation) {
  __VERIFIER_atomic_begin();
  const int found = cells[operation->object].whole;
  const bool done = found == operation->expected;
  if (done) cells[1 - operation->object].whole = operation->value;
  __VERIFIER_atomic_end();
  return tell_exchange(done, found);
}

static int exchange_in_section(const struct operation *operation) {
  __VERIFIER_atomic_begin();
  const int first = access_atomically(operation), second = tell(cells[1 - operation->object].whole);
  __VERIFIER_atomic_end();
  return first + second % 8;
}

static int access_plainly(const struct operation *operation) {
  union cell *const cell = &cells[operation->object];
  switch (operation->kind) {
  case READ: return tell(cell->whole);
  case WRITE: cell->whole = operation->value; return 0;
  case READ_BYTE: return tell(*byte_of(operation));
  case WRITE_BYTE: *byte_of(operation) = (unsigned char)operation->value; return 0;
  case CHECK: assert(cell->whole != operation->value); return 0;
  default: return access_atomically(operation);
  }
}

/* Those of C11 where the value says so and they exist. */
static bool take_mutex(const struct operation *operation) {
  pthread_mutex_t *const mutex = &mutexes[operation->object];
  const bool c11 = operation->value == 2;
  switch (operation->kind) {
  case LOCK: return (c11 ? mtx_lock((mtx_t *)mutex) : pthread_mutex_lock(mutex)) == 0;
  case TRY_LOCK: return (c11 ? mtx_trylock((mtx_t *)mutex) : pthread_mutex_trylock(mutex)) == 0;
  default: return (c11 ? mtx_timedlock((mtx_t *)mutex, &deadline) : pthread_mutex_timedlock(mutex, &deadline)) == 0;
  }
}

static bool take_rwlock(const struct operation *operation) {
  pthread_rwlock_t *const lock = &rwlocks[operation->object];
  switch (operation->kind) {
  case READ_LOCK: return pthread_rwlock_rdlock(lock) == 0;
  case TRY_READ: return pthread_rwlock_tryrdlock(lock) == 0;
  case TIMED_READ: return pthread_rwlock_timedrdlock(lock, &deadline) == 0;
  case WRITE_LOCK: return pthread_rwlock_wrlock(lock) == 0;
  case TRY_WRITE: return pthread_rwlock_trywrlock(lock) == 0;
  default: return pthread_rwlock_timedwrlock(lock, &deadline) == 0;
  }
}

static int use_semaphore(const struct operation *operation) {
  sem_t *const semaphore = &semaphores[operation->object];
  int value = 0;
  switch (operation->kind) {
  case WAIT: return sem_wait(semaphore) == 0;
  case TRY_WAIT: return sem_trywait(semaphore) == 0;
  case TIMED_WAIT: return sem_timedwait(semaphore, &deadline) == 0;
  case POST: return sem_post(semaphore) == 0;
  default: sem_getvalue(semaphore, &value); return value;
  }
}

static int use_condition(const struct operation *operation) {
  pthread_cond_t *const condition = &conditions[operation->object];
  switch (operation->kind) {
  case SIGNAL: return pthread_cond_signal(condition) == 0;
  case BROADCAST: return pthread_cond_broadcast(condition) == 0;
  default: return pthread_cond_timedwait(condition, &mutexes[operation->object], &deadline) == 0;
  }
}

static int perform(const struct operation *operation) {
  switch (operation->kind) {
  case SECTION_COPY: return copy_in_section(operation);
  case SECTION_STRONG: return exchange_in_section(operation);
  case LOCK:
  case TRY_LOCK:
  case TIMED_LOCK: return take_mutex(operation);
  case UNLOCK: return pthread_mutex_unlock(&mutexes[operation->object]) == 0;
  case READ_LOCK:
  case TRY_READ:
  case TIMED_READ:
  case WRITE_LOCK:
  case TRY_WRITE:
  case TIMED_WRITE: return take_rwlock(operation);
  case RW_UNLOCK: return pthread_rwlock_unlock(&rwlocks[operation->object]) == 0;
  case SPIN_LOCK: return pthread_spin_lock(&spinlocks[operation->object]) == 0;
  case TRY_SPIN: return pthread_spin_trylock(&spinlocks[operation->object]) == 0;
  case SPIN_UNLOCK: return pthread_spin_unlock(&spinlocks[operation->object]) == 0;
  case WAIT:
  case TRY_WAIT:
  case TIMED_WAIT:
  case POST:
  case VALUE: return use_semaphore(operation);
  case TIMED_SLEEP:
  case SIGNAL:
  case BROADCAST: return use_condition(operation);
  default: return access_plainly(operation);
  }
}

/* Did it do what it was to do? */
static bool succeeded(const struct operation *operation, int result) {
  switch (operation->kind) {
  case STRONG:
  case WEAK: return result >= SUCCESS;
  default: return result == 1;
  }
}

/* Branches of its own for every operation of every thread. */
static void branch(long thread, int index, int result) {
  static _Thread_local int taken;
#define BRANCHES(number)                                                                                               \
  case number:                                                                                                         \
    if (result == 0) taken++;                                                                                          \
    if (result == 1) taken++;                                                                                          \
    if (result == 2) taken++;                                                                                          \
    if (result >= SUCCESS) taken++;                                                                                    \
    break;
#define BRANCHES_OF_THREE(number) BRANCHES(number) BRANCHES(number + 1) BRANCHES(number + 2)
#define BRANCHES_OF_NINE(number) BRANCHES_OF_THREE(number) BRANCHES_OF_THREE(number + 3) BRANCHES_OF_THREE(number + 6)
  switch (thread * MAX_OPERATIONS + index) {
    BRANCHES_OF_NINE(0)
    BRANCHES_OF_NINE(MAX_OPERATIONS)
    BRANCHES_OF_NINE(2 * MAX_OPERATIONS)
  }
}

static void *thread(void *argument) {
  static const char *const labels[MAX_THREADS] = {"t1", "t2", "t3", "t4"};
  const long t = (long)argument;
  long long seen = 0;
  bool successes[MAX_OPERATIONS];
  for (int i = 0; i < n_operations[t]; i++) {
    const struct operation *const operation = &operations[t][i];
    successes[i] = false;
    const bool skip = operation->guard >= 0 && successes[operation->guard] != operation->needs_success;
    const int result = skip ? 0 : perform(operation);
    successes[i] = !skip && succeeded(operation, result);
    if (has_branches && !skip) branch(t, i, result);
    seen = seen * 100 + result;
  }
  heddle_observe(labels[t], seen);
  return NULL;
}

static void initialise_objects(void) {
  for (int i = 0; i < OBJECTS; i++) {
    initial_values[i] = choose(2);
    sem_init(&semaphores[i], 0, (unsigned)initial_values[i]);
    pthread_spin_init(&spinlocks[i], PTHREAD_PROCESS_PRIVATE);
  }
}

static void observe_end(void) {
  long long seen = 0;
  for (int i = 0; i < OBJECTS; i++) {
    int value = 0;
    sem_getvalue(&semaphores[i], &value);
    seen = (seen * 100 + tell(cells[i].whole)) * 10 + value;
  }
  heddle_observe("end", seen);
}

int main(int argc, char **argv) {
  choose_program(argc > 1 ? strtoull(argv[1], NULL, 10) : 0);
  initialise_objects();
  if (argc > 2 && strcmp(argv[2], "print") == 0) {
    print_program();
    return 0;
  }
  has_branches = argc > 2 && strcmp(argv[2], "branches") == 0;
  pthread_t threads[MAX_THREADS];
  for (long t = 0; t < n_threads; t++) pthread_create(&threads[t], NULL, thread, (void *)t);
  for (int t = 0; t < n_threads; t++) pthread_join(threads[t], NULL);
  if (!has_branches) observe_end();
  return 0;
}
