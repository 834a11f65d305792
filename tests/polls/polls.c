/* SPDX-License-Identifier: MIT
 *
 * A program made by its argument, whose threads poll: eventfds and a pipe, one or two of them at a time, without
 * waiting, with a time-out, for ever, or in a loop; two bytes of memory or a semaphore, in a loop. The others fill and
 * drain them, and access memory, which a poll of descriptors has nothing to do with but depends on like on everything.
 * Every result is observed. tests/polls/agree compares the strategies.
 *
 * The operations are written into a table before the first thread starts; the threads only read it.
 *
 * usage: polls NUMBER [print]
 */
#include "heddle.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum operation_kind {
#define OPERATION(name, words) name,
#include "polls.def"
#undef OPERATION
  KINDS
};

static const char *const kind_names[KINDS] = {
#define OPERATION(name, words) words,
#include "polls.def"
#undef OPERATION
};

struct operation {
  enum operation_kind kind;
  int object;
};

#define MAX_THREADS 3
#define MAX_OPERATIONS 4
#define DESCRIPTORS 3 /* an eventfd, one that never waits, a pipe */

static struct operation operations[MAX_THREADS][MAX_OPERATIONS];
static int n_operations[MAX_THREADS], n_threads, n_descriptors, first_descriptor;
static bool has_loops;
static unsigned long long state;

static int readers[DESCRIPTORS], writers[DESCRIPTORS];
static atomic_int cells[2];
static union {
  unsigned short half;
  unsigned char bytes[2];
} flags;
static sem_t semaphore;
static int sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---- the program ---- */

static int choose(int n) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (int)((state >> 33) % (unsigned)n);
}

static int choose_descriptor(void) {
  return (first_descriptor + choose(n_descriptors)) % DESCRIPTORS;
}

static enum operation_kind choose_kind(void) {
  static const enum operation_kind kinds[] = {LOAD, LOAD, STORE, STORE, LOCKED_ADD, FILL,      FILL,
                                              FILL, LOOK, WAIT,  WAIT,  WAIT_TIMED, WAIT_BOTH, DRAIN};
  static const enum operation_kind of_loops[] = {LOAD,       STORE, STORE_BYTE, STORE_BYTE, POST,
                                                 LOCKED_ADD, FILL,  LOOP_POLL,  LOOP_LOAD,  LOOP_TRY};
  return has_loops ? of_loops[choose(sizeof of_loops / sizeof *of_loops)] : kinds[choose(sizeof kinds / sizeof *kinds)];
}

static struct operation choose_operation(void) {
  const enum operation_kind kind = choose_kind();
  return (struct operation){kind, kind <= STORE_BYTE ? choose(2) : choose_descriptor()};
}

static void choose_program(unsigned long long number) {
  state = number * 0x9e3779b97f4a7c15ull + 1;
  choose(2);
  n_threads = 2 + (choose(4) != 0);
  has_loops = choose(3) == 0;
  n_descriptors = 1 + choose(2);
  first_descriptor = choose(DESCRIPTORS);
  for (int t = 0; t < n_threads; t++) {
    n_operations[t] = n_threads == 2 ? 3 + choose(2) : 1 + choose(3);
    for (int i = 0; i < n_operations[t]; i++) operations[t][i] = choose_operation();
  }
}

static void print_program(void) {
  for (int t = 0; t < n_threads; t++) {
    printf("thread:");
    for (int i = 0; i < n_operations[t]; i++)
      printf("%s %s %d", i ? ";" : "", kind_names[operations[t][i].kind], operations[t][i].object);
    printf("\n");
  }
}

/* ---- performing it ---- */

static int poll_one(int descriptor, int timeout) {
  struct pollfd entry = {readers[descriptor], POLLIN, 0};
  return poll(&entry, 1, timeout);
}

/* Which of the two are ready. */
static int poll_both(int descriptor) {
  const int other = (descriptor + 1) % DESCRIPTORS;
  struct pollfd entries[2] = {{readers[descriptor], POLLIN, 0}, {readers[other], POLLIN, 0}};
  poll(entries, 2, -1);
  return (entries[0].revents != 0) + 2 * (entries[1].revents != 0);
}

static int poll_in_loop(int descriptor) {
  while (poll_one(descriptor, 0) == 0) {
  }
  return 1;
}

static int load_in_loop(void) {
  unsigned short value;
  while ((value = __atomic_load_n(&flags.half, __ATOMIC_SEQ_CST)) == 0) {
  }
  return (value & 1) + 2 * (value >> 8);
}

static int try_in_loop(void) {
  while (sem_trywait(&semaphore) != 0) {
  }
  return 1;
}

static int add_locked(int amount) {
  pthread_mutex_lock(&mutex);
  const int before = sum;
  sum += 1 + amount;
  pthread_mutex_unlock(&mutex);
  return before;
}

static int fill(int descriptor) {
  return descriptor == 2 ? (int)write(writers[2], "x", 1) : eventfd_write(writers[descriptor], 1) == 0;
}

static int drain(int descriptor) {
  char byte;
  eventfd_t value = 0;
  if (descriptor == 2) return (int)read(readers[2], &byte, 1);
  return eventfd_read(readers[descriptor], &value) == 0 ? (int)value : 9;
}

static int perform(const struct operation *operation) {
  switch (operation->kind) {
  case LOAD: return atomic_load(&cells[operation->object]);
  case STORE: return atomic_store(&cells[operation->object], 1), 0;
  case LOCKED_ADD: return add_locked(operation->object);
  case FILL: return fill(operation->object);
  case DRAIN: return drain(operation->object);
  case LOOK: return poll_one(operation->object, 0);
  case WAIT: return poll_one(operation->object, -1);
  case WAIT_TIMED: return poll_one(operation->object, 5);
  case WAIT_BOTH: return poll_both(operation->object);
  case LOOP_POLL: return poll_in_loop(operation->object);
  case LOOP_LOAD: return load_in_loop();
  case LOOP_TRY: return try_in_loop();
  case STORE_BYTE: return __atomic_store_n(&flags.bytes[operation->object], 1, __ATOMIC_SEQ_CST), 0;
  default: return sem_post(&semaphore) == 0;
  }
}

static void *thread(void *argument) {
  static const char *const labels[] = {"t1", "t2", "t3"};
  const long t = (long)argument;
  long seen = 0;
  for (int i = 0; i < n_operations[t]; i++) seen = seen * 10 + perform(&operations[t][i]);
  heddle_observe(labels[t], seen);
  return NULL;
}

static void open_descriptors(void) {
  int ends[2];
  if (pipe(ends) != 0) abort();
  readers[0] = writers[0] = eventfd(0, 0);
  readers[1] = writers[1] = eventfd(0, EFD_NONBLOCK);
  readers[2] = ends[0], writers[2] = ends[1];
}

int main(int argc, char **argv) {
  pthread_t threads[MAX_THREADS];
  choose_program(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
  if (argc > 2) return print_program(), 0;
  open_descriptors();
  sem_init(&semaphore, 0, 0);
  for (long t = 0; t < n_threads; t++) pthread_create(&threads[t], NULL, thread, (void *)t);
  for (int t = 0; t < n_threads; t++) pthread_join(threads[t], NULL);
  return 0;
}
