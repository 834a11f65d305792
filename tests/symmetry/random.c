/* SPDX-License-Identifier: MIT
 *
 * A pseudo-random program with threads that are the same: the argument says which one. Two or three threads follow one
 * script with the same argument, up to two others follow another. What each thread saw is observed at its end as one
 * number, so that threads can be renamed in what is observed by sorting. With "apart" as a second argument, the program
 * also does what tells threads apart, in all the ways that heddle has to notice. With a third argument it prints the
 * program.
 */
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum kind {
  READ,
  WRITE,
  ADD,
  LOAD,
  STORE,
  FETCH_ADD,
  EXCHANGE,
  LOCK,
  UNLOCK,
  TRYLOCK,
  POST,
  WAIT,
  READ_LOCK,
  WRITE_LOCK,
  RW_UNLOCK,
  SLEEP,
  SIGNAL,
  SKIP_IF, /* the next one, if the last value was this */
  CHECK,   /* that the last value was not this */
  TAKE_SLOT,
  ORDINARY_KINDS,
  /* these tell threads apart */
  ASK_SELF = ORDINARY_KINDS,
  PUBLISH_LOCAL,
  PUBLISH_BLOCK,
  PUBLISH_THREAD_LOCAL,
  RANDOM_NUMBER,
  MEET,
  CREATE,
  RESULT,
  HASH_LOCAL,
  N_KINDS
};
static const char *const names[N_KINDS] = {
    "read", "write", "add",    "load",         "store",     "fetch-add", "exchange", "lock",    "unlock", "trylock",
    "post", "wait",  "rdlock", "wrlock",       "rw-unlock", "sleep",     "signal",   "skip-if", "check",  "take-slot",
    "self", "local", "block",  "thread-local", "random",    "meet",      "create",   "result",  "hash"};

enum main_does { JOINS_ALL, READS_BETWEEN, LOOKS_AT_SLOT, LOOKS_AT_RESULTS, JOINS_SOME, CANCELS, MAIN_WAYS };

#define MOST_ACTIONS 8
#define MOST_THREADS 5
#define OBJECTS 2

struct action {
  enum kind kind;
  int object, value;
};

struct script {
  struct action actions[MOST_ACTIONS];
  int count;
  const char *label;
};

static struct script scripts[2];
static int n_first, n_second;
static enum main_does way;
static pthread_t handles[MOST_THREADS];

static int plain[OBJECTS];
static atomic_int atomics[OBJECTS];
static pthread_mutex_t mutexes[OBJECTS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier;
static atomic_int next_slot;
static int slots[MOST_THREADS * MOST_ACTIONS];
static _Atomic(uintptr_t) published;
static _Thread_local int own;

static uint64_t state;

static int draw(int bound) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)bound);
}

/* ---- performing ---- */

static void *child(void *unused) {
  (void)unused;
  return (void *)(intptr_t)(10 + atomic_fetch_add(&atomics[0], 1));
}

/* Publishes an address of its own, and says whether the one before was lower. */
static int publish(const void *address) {
  return atomic_exchange(&published, (uintptr_t)address) < (uintptr_t)address;
}

static int perform_apart(const struct action *action, int *local) {
  switch (action->kind) {
  case ASK_SELF: return pthread_equal(pthread_self(), handles[0]) != 0;
  case PUBLISH_LOCAL: return publish(local);
  case PUBLISH_BLOCK: return publish(malloc(8));
  case PUBLISH_THREAD_LOCAL: return publish(&own);
  case RANDOM_NUMBER: return rand() % 2;
  case MEET: return pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  case CREATE: {
    pthread_t handle;
    void *result;
    pthread_create(&handle, NULL, child, NULL);
    pthread_join(handle, &result);
    return (int)(intptr_t)result;
  }
  case HASH_LOCAL: atomic_fetch_add(&atomics[(uintptr_t)local / (64u << 20) % 2], 1); return 0;
  default: return 0;
  }
}

static int perform(const struct action *action, int *last) {
  const int object = action->object, value = action->value;
  int expected = 0;
  switch (action->kind) {
  case READ: return plain[object];
  case WRITE: plain[object] = value; return 0;
  case ADD: plain[object] += value; return 0;
  case LOAD: return atomic_load(&atomics[object]);
  case STORE: atomic_store(&atomics[object], value); return 0;
  case FETCH_ADD: return atomic_fetch_add(&atomics[object], value);
  case EXCHANGE: return atomic_compare_exchange_strong(&atomics[object], &expected, value) ? 9 : expected;
  case LOCK: pthread_mutex_lock(&mutexes[object]); return 0;
  case UNLOCK: pthread_mutex_unlock(&mutexes[object]); return 0;
  case TRYLOCK:
    if (pthread_mutex_trylock(&mutexes[object])) return 0;
    pthread_mutex_unlock(&mutexes[object]);
    return 1;
  case POST: sem_post(&semaphore); return 0;
  case WAIT: sem_wait(&semaphore); return 0;
  case READ_LOCK: pthread_rwlock_rdlock(&rwlock); return 0;
  case WRITE_LOCK: pthread_rwlock_wrlock(&rwlock); return 0;
  case RW_UNLOCK: pthread_rwlock_unlock(&rwlock); return 0;
  case SLEEP: pthread_cond_wait(&condition, &mutexes[0]); return 0;
  case SIGNAL: pthread_cond_signal(&condition); return 0;
  case CHECK: assert(*last != value); return *last;
  case TAKE_SLOT: slots[atomic_fetch_add(&next_slot, 1)] = value; return 0;
  default: return perform_apart(action, last);
  }
}

static void *follow(void *argument) {
  const struct script *script = argument;
  long seen = 0;
  int last = 0;
  for (int i = 0; i < script->count; i++) {
    const struct action *action = &script->actions[i];
    if (action->kind == SKIP_IF) {
      i += last == action->value;
      continue;
    }
    if (action->kind == RESULT) return (void *)seen;
    last = perform(action, &last);
    seen = seen * 17 + last + 1;
  }
  heddle_observe(script->label, seen);
  return NULL;
}

static void join_all(int count) {
  void *result;
  for (int i = 0; i < count; i++) {
    pthread_join(handles[i], way == LOOKS_AT_RESULTS ? &result : NULL);
    if (way == LOOKS_AT_RESULTS) heddle_observe("m", (long)result);
    if (i > 0) continue;
    if (way == READS_BETWEEN) heddle_observe("m", atomic_load(&atomics[0]));
    if (way == LOOKS_AT_SLOT) heddle_observe("m", slots[0]);
  }
}

/* ---- choosing ---- */

static void add(struct script *script, enum kind kind, int object) {
  if (script->count < MOST_ACTIONS) script->actions[script->count++] = (struct action){kind, object, draw(3)};
}

static void add_access(struct script *script) {
  static const enum kind kinds[] = {READ, READ, WRITE, ADD, LOAD, LOAD, STORE, FETCH_ADD, EXCHANGE};
  add(script, kinds[draw(9)], draw(OBJECTS));
}

static void add_locked(struct script *script, enum kind lock, enum kind inside, enum kind unlock, int object) {
  add(script, lock, object);
  if (inside == READ)
    add_access(script);
  else
    add(script, inside, object);
  add(script, unlock, object);
}

static void add_something(struct script *script, int apart) {
  if (apart && draw(4) == 0) {
    add(script, ORDINARY_KINDS + draw(N_KINDS - ORDINARY_KINDS), 0);
    return;
  }
  switch (draw(14)) {
  case 0: add_locked(script, LOCK, READ, UNLOCK, draw(OBJECTS)); return;
  case 1: add_locked(script, READ_LOCK, READ, RW_UNLOCK, 0); return;
  case 2: add_locked(script, WRITE_LOCK, READ, RW_UNLOCK, 0); return;
  case 3: add_locked(script, LOCK, SLEEP, UNLOCK, 0); return;
  case 4: add(script, SIGNAL, 0); return;
  case 5: add(script, POST, 0); return;
  case 6: add(script, WAIT, 0); return;
  case 7: add(script, TRYLOCK, draw(OBJECTS)); return;
  case 8: add(script, TAKE_SLOT, 0); return;
  case 9: add_access(script), add(script, SKIP_IF, 0); return;
  case 10: add_access(script), add(script, CHECK, 0); return;
  default: add_access(script);
  }
}

static void choose_script(struct script *script, int size, int apart, const char *label) {
  script->label = label;
  while (script->count < size) add_something(script, apart);
}

static void choose_program(uint64_t number, int apart) {
  state = number * 0x9e3779b97f4a7c15u + 7;
  draw(2);
  n_first = 2 + draw(2);
  n_second = draw(3);
  if (n_first == 3 && n_second == 2) n_second = 1;
  choose_script(&scripts[0], n_first == 2 ? 3 : 2, apart, "a");
  choose_script(&scripts[1], 2, 0, "b");
  way = apart ? (enum main_does)draw(MAIN_WAYS) : JOINS_ALL;
  sem_init(&semaphore, 0, (unsigned)draw(3));
  pthread_barrier_init(&barrier, NULL, 2);
  atomic_store(&atomics[1], draw(2));
}

static void print_script(const struct script *script, int n_threads) {
  printf("%d x", n_threads);
  for (int i = 0; i < script->count; i++)
    printf(" %s(%d, %d)", names[script->actions[i].kind], script->actions[i].object, script->actions[i].value);
  printf("\n");
}

int main(int argc, char **argv) {
  choose_program(argc > 1 ? strtoull(argv[1], NULL, 10) : 0, argc > 2 && argv[2][0] == 'a');
  if (argc > 3) {
    print_script(&scripts[0], n_first);
    print_script(&scripts[1], n_second);
    printf("main: %d\n", (int)way);
    return 0;
  }
  const int count = n_first + n_second;
  for (int i = 0; i < count; i++) pthread_create(&handles[i], NULL, follow, &scripts[i >= n_first]);
  if (way == CANCELS) pthread_cancel(handles[0]);
  join_all(way == JOINS_SOME ? 1 : count);
  for (int i = 0; i < OBJECTS && way != JOINS_SOME; i++) heddle_observe("x", plain[i] * 100 + atomic_load(&atomics[i]));
  if (way == JOINS_SOME) heddle_observe("x", plain[0]);
  return 0;
}
