// SPDX-License-Identifier: MIT
//
// A small pseudo-random program with ports, semaphores and monitors, by its number: two or three threads, each with two
// to four operations. `random NUMBER print` says what it is.
//
// Port k belongs to thread k % n_threads, which alone receives from it. Monitor operations come as whole methods.
#include "heddle.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum operation {
  SEND_0,
  SEND_1,
  SEND_2,
  SEND_3,
  RECEIVE,
  SELECT,
  SELECT_ELSE,
  SELECT_DELAY,
  P_COUNTING,
  V_COUNTING,
  P_BINARY,
  V_BINARY,
  SC_AWAIT,
  SC_SIGNAL,
  SC_BROADCAST,
  SU_AWAIT,
  SU_SIGNAL,
  SU_SIGNAL_EXIT,
  WRITE,
  LOCK_AND_WRITE,
  OPERATIONS
};

static const char *const names[OPERATIONS] = {
    "send to 0",    "send to 1",  "send to 2",  "send to 3",          "receive",  "select",        "select else",
    "select delay", "P counting", "V counting", "P binary",           "V binary", "SC await",      "SC signal",
    "SC broadcast", "SU await",   "SU signal",  "SU signal and exit", "write",    "lock and write"};

#define MOST_THREADS 3
#define MOST_OPERATIONS 4
#define PORTS 4

static heddle_port ports[PORTS] = {HEDDLE_PORT, HEDDLE_SYNCHRONOUS_PORT, HEDDLE_BOUNDED_PORT(1), HEDDLE_PORT};
static heddle_semaphore counting = HEDDLE_SEMAPHORE(0), binary = HEDDLE_BINARY_SEMAPHORE(1);
static heddle_monitor sc = HEDDLE_MONITOR_SC, su = HEDDLE_MONITOR_SU;
static heddle_condition sc_changed = HEDDLE_CONDITION(&sc), su_changed = HEDDLE_CONDITION(&su);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sc_count, su_count, x;
static int n_threads, n_operations[MOST_THREADS];
static enum operation operations[MOST_THREADS][MOST_OPERATIONS];
static int numbers[MOST_THREADS] = {0, 1, 2};

/* ---- making it ---- */

static unsigned long state;

static unsigned draw(unsigned bound) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (unsigned)(state >> 33) % bound;
}

static enum operation draw_operation(unsigned family) {
  switch (family) {
  case 0: return (enum operation)(SEND_0 + draw(8));
  case 1: return (enum operation)(P_COUNTING + draw(4));
  case 2: return (enum operation)(SC_AWAIT + draw(6));
  default: return (enum operation)draw(OPERATIONS);
  }
}

static void make(unsigned long number) {
  state = number * 0x9e3779b97f4a7c15ul + 1;
  draw(2);
  const unsigned family = draw(4);
  n_threads = 2 + (int)draw(2);
  for (int t = 0; t < n_threads; t++) {
    n_operations[t] = 2 + (int)draw(n_threads == 2 ? 3 : 1);
    for (int i = 0; i < n_operations[t]; i++) operations[t][i] = draw_operation(family);
  }
}

static void print(void) {
  for (int t = 0; t < n_threads; t++)
    for (int i = 0; i < n_operations[t]; i++)
      printf("%s%s%s", names[operations[t][i]], i + 1 < n_operations[t] ? "; " : "",
             i + 1 < n_operations[t] ? "" : "\n");
}

/* ---- doing it ---- */

static int select_from(int me, enum operation operation) {
  heddle_alternative alternatives[PORTS];
  int count = 0;
  long message = 0;
  for (int k = me; k < PORTS; k += n_threads) alternatives[count++] = (heddle_alternative){&ports[k], NULL, NULL};
  if (operation == SELECT) heddle_select(alternatives, count, &message);
  if (operation == SELECT_ELSE) heddle_select_else(alternatives, count, &message);
  if (operation == SELECT_DELAY) heddle_select_delay(alternatives, count, &message, 100);
  return (int)message;
}

static void use_sc(enum operation operation) {
  heddle_monitor_enter(&sc);
  if (operation == SC_AWAIT) {
    while (sc_count == 0) heddle_wait(&sc_changed);
    sc_count--;
  } else {
    sc_count++;
    if (operation == SC_SIGNAL)
      heddle_signal(&sc_changed);
    else
      heddle_broadcast(&sc_changed);
  }
  heddle_monitor_exit(&sc);
}

static void use_su(enum operation operation) {
  heddle_monitor_enter(&su);
  if (operation == SU_AWAIT) {
    if (su_count == 0) heddle_wait(&su_changed);
    su_count--;
  } else {
    su_count++;
    if (operation == SU_SIGNAL_EXIT) {
      heddle_signal_exit(&su_changed);
      return;
    }
    heddle_signal(&su_changed);
  }
  heddle_monitor_exit(&su);
}

static int perform(int me, enum operation operation) {
  switch (operation) {
  case SEND_0:
  case SEND_1:
  case SEND_2:
  case SEND_3: heddle_send(&ports[operation], me + 1); return 0;
  case RECEIVE: return (int)heddle_receive(&ports[me]);
  case SELECT:
  case SELECT_ELSE:
  case SELECT_DELAY: return select_from(me, operation);
  case P_COUNTING: heddle_P(&counting); return 0;
  case V_COUNTING: heddle_V(&counting); return 0;
  case P_BINARY: heddle_P(&binary); return 0;
  case V_BINARY: heddle_V(&binary); return 0;
  case SC_AWAIT:
  case SC_SIGNAL:
  case SC_BROADCAST: use_sc(operation); return 0;
  case SU_AWAIT:
  case SU_SIGNAL:
  case SU_SIGNAL_EXIT: use_su(operation); return 0;
  case WRITE: x = me + 1; return 0;
  case LOCK_AND_WRITE:
    pthread_mutex_lock(&mutex);
    x = me + 1;
    pthread_mutex_unlock(&mutex);
    return 0;
  default: return 0;
  }
}

static void *thread(void *argument) {
  const int me = *(int *)argument;
  long result = 0;
  for (int i = 0; i < n_operations[me]; i++) result = 4 * result + perform(me, operations[me][i]);
  static const char *const labels[MOST_THREADS] = {"first", "second", "third"};
  heddle_observe(labels[me], result);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[MOST_THREADS];
  make(argc > 1 ? strtoul(argv[1], NULL, 10) : 0);
  if (argc > 2 && strcmp(argv[2], "print") == 0) {
    print();
    return 0;
  }
  for (int t = 0; t < n_threads; t++) pthread_create(&threads[t], NULL, thread, &numbers[t]);
  for (int t = 0; t < n_threads; t++) pthread_join(threads[t], NULL);
  heddle_observe("x", x);
  return 0;
}
