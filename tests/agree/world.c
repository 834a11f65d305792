/* SPDX-License-Identifier: MIT
 *
 * A program made by its argument, of what threads wait for in the kernel: futexes and the words they are, eventfds,
 * epoll sets, signals. Two or three threads perform a few operations each. What each of them gave is observed, one
 * decimal digit per operation. tests/agree/world compares what different strategies observe with what it works out
 * itself.
 *
 * The operations are written into a table before the first thread starts; the threads only read it, so that the table
 * itself is not shared memory.
 *
 * usage: world NUMBER [print]
 */
#include "heddle.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum operation_kind {
  LOAD,
  STORE,
  WAIT,
  WAIT_TIMED,
  WAIT_BITS,
  WAKE,
  WAKE_ALL,
  WAKE_BITS,
  REQUEUE,
  TAKE,
  TRY_TAKE,
  ADD,
  READY,
  AWAIT,
  EDGE,
  KILL,
  BLOCK,
  UNBLOCK,
  SIGWAIT,
  KINDS
};

static const char *const names[KINDS] = {
    "load",     "store", "wait",  "wait-timed", "wait-bits", "wake", "wake-all", "wake-bits", "requeue", "take",
    "try-take", "add",   "ready", "await",      "edge",      "kill", "block",    "unblock",   "sigwait"};

struct operation {
  enum operation_kind kind;
  int object, value;
};

#define MAX_THREADS 3
#define MAX_OPERATIONS 4
#define OBJECTS 2
#define FAILED 9 /* for want of what it needs, at once */
#define TIMED_OUT 8
#define INTERRUPTED 7

static struct operation operations[MAX_THREADS][MAX_OPERATIONS];
static int n_operations[MAX_THREADS], n_threads;
static unsigned long long state;
static atomic_int words[OBJECTS];
static pthread_t threads[MAX_THREADS];
static sigset_t usual;
static _Thread_local int handled;
static int level, edge;                       /* sets of the counters that the threads wait for */
static int waiting[OBJECTS], trying[OBJECTS]; /* descriptors: of one counter each, which the threads wait for */

/* ---- the program ---- */

static int choose(int n) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (int)((state >> 33) % (unsigned)n);
}

static void make_program(unsigned long long number) {
  static const int first_left_out[] = {TAKE, KILL, KINDS};
  const int kinds = first_left_out[number % 3];
  state = number * 2 + 1;
  for (int i = 0; i < 4; i++) choose(2);
  n_threads = 2 + choose(2);
  for (int t = 0; t < n_threads; t++) {
    n_operations[t] = 1 + choose(n_threads == 2 ? MAX_OPERATIONS : MAX_OPERATIONS - 1);
    for (int i = 0; i < n_operations[t]; i++) {
      const int kind = choose(kinds);
      operations[t][i] = (struct operation){(enum operation_kind)kind, choose(4) ? 0 : 1, choose(2)};
    }
  }
}

static void print_program(void) {
  for (int t = 0; t < n_threads; t++)
    for (int i = 0; i < n_operations[t]; i++)
      printf("%d %s %d %d\n", t, names[operations[t][i].kind], operations[t][i].object, operations[t][i].value);
}

/* ---- performing it ---- */

static long futex(int word, int operation, int value, long time, int other, int bits) {
  return syscall(SYS_futex, &words[word], operation, value, time, &words[other], bits);
}

static int outcome(long result) {
  if (result >= 0) return (int)result;
  return errno == ETIMEDOUT ? TIMED_OUT : errno == EINTR ? INTERRUPTED : FAILED;
}

static int take(int descriptor) {
  uint64_t value;
  return read(descriptor, &value, sizeof value) == sizeof value ? (int)value : errno == EINTR ? INTERRUPTED : FAILED;
}

/* Which of the counters. */
static int ready(int set, int timeout) {
  struct epoll_event events[OBJECTS];
  const int count = epoll_wait(set, events, OBJECTS, timeout);
  int mask = count < 0 ? INTERRUPTED : 0;
  for (int i = 0; i < count; i++) mask |= 1 << events[i].data.u32;
  return mask;
}

/* Handles are there of the threads that were created before. */
static int kill_earlier(int thread, int which) {
  return thread == 0 ? raise(SIGUSR1) : pthread_kill(threads[which % thread], SIGUSR1);
}

static int wait_for_signal(void) {
  static const struct timespec now = {0, 0};
  return sigtimedwait(&usual, NULL, &now) == SIGUSR1 ? 1 : FAILED;
}

static void handle(int number) {
  (void)number;
  handled++;
  atomic_store(&words[1], 1);
}

static int perform(int thread, const struct operation *operation) {
  static const struct timespec second = {1, 0};
  const int word = operation->object, value = operation->value;
  switch (operation->kind) {
  case LOAD: return atomic_load(&words[word]);
  case STORE: atomic_store(&words[word], value); return 0;
  case WAIT: return outcome(futex(word, FUTEX_WAIT_PRIVATE, value, 0, 0, 0));
  case WAIT_TIMED: return outcome(futex(word, FUTEX_WAIT_PRIVATE, value, (long)&second, 0, 0));
  case WAIT_BITS: return outcome(futex(word, FUTEX_WAIT_BITSET_PRIVATE, 0, 0, 0, 1 + value));
  case WAKE: return outcome(futex(word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0));
  case WAKE_ALL: return outcome(futex(word, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0));
  case WAKE_BITS: return outcome(futex(word, FUTEX_WAKE_BITSET_PRIVATE, 1, 0, 0, 1 + value));
  case REQUEUE: return outcome(futex(word, FUTEX_CMP_REQUEUE_PRIVATE, 1, INT_MAX, 1 - word, value));
  case TAKE: return take(waiting[word]);
  case TRY_TAKE: return take(trying[word]);
  case ADD: return eventfd_write(waiting[word], 1);
  case READY: return ready(level, 0);
  case AWAIT: return ready(level, -1);
  case EDGE: return ready(edge, 0);
  case KILL: return kill_earlier(thread, value);
  case BLOCK: return pthread_sigmask(SIG_BLOCK, &usual, NULL);
  case UNBLOCK: return pthread_sigmask(SIG_UNBLOCK, &usual, NULL);
  case SIGWAIT: return wait_for_signal();
  case KINDS: break;
  }
  return 0;
}

static void *body(void *argument) {
  const int thread = (int)(long)argument;
  static const char *const labels[MAX_THREADS] = {"a", "b", "c"};
  long long observed = 1;
  for (int i = 0; i < n_operations[thread]; i++) observed = observed * 10 + perform(thread, &operations[thread][i]);
  observed = observed * 10 + handled;
  heddle_observe(labels[thread], observed);
  return NULL;
}

/* Both descriptors of a counter are one description, so one of them must not wait by itself: it is another counter that
 * nobody waits for. */
static void open_counters(void) {
  level = epoll_create1(0);
  edge = epoll_create1(0);
  for (int i = 0; i < OBJECTS; i++) {
    waiting[i] = eventfd(0, 0);
    trying[i] = eventfd(1, EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (unsigned)i};
    epoll_ctl(level, EPOLL_CTL_ADD, waiting[i], &event);
    event.events |= EPOLLET;
    epoll_ctl(edge, EPOLL_CTL_ADD, waiting[i], &event);
  }
}

int main(int argc, char **argv) {
  const struct sigaction action = {.sa_handler = handle};
  if (argc < 2) return 2;
  make_program(strtoull(argv[1], NULL, 10));
  if (argc > 2 && strcmp(argv[2], "print") == 0) return print_program(), 0;
  open_counters();
  sigaction(SIGUSR1, &action, NULL);
  sigemptyset(&usual);
  sigaddset(&usual, SIGUSR1);
  for (int t = 0; t < n_threads; t++) pthread_create(&threads[t], NULL, body, (void *)(long)t);
  for (int t = n_threads; t-- > 0;) pthread_join(threads[t], NULL); /* nobody sends a signal to who has been joined */
  return 0;
}
