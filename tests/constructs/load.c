// SPDX-License-Identifier: MIT
//
// libheddle-sync under load, for ThreadSanitizer and with real parallelism: every construct with several threads, its
// promises checked. `load ROUNDS`; status 0 if all held.
#include "include/heddle.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4

static int rounds = 1000;

static void check(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "load: %s\n", what);
  exit(1);
}

static void run(void *(*const *starts)(void *), int count) {
  static int numbers[2 * THREADS];
  pthread_t threads[2 * THREADS];
  for (int i = 0; i < count; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, starts[i], &numbers[i]);
  }
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

static void run_all(void *(*start)(void *)) {
  void *(*starts[THREADS])(void *);
  for (int i = 0; i < THREADS; i++) starts[i] = start;
  run(starts, THREADS);
}

/* ---- semaphores ---- */

static heddle_semaphore exclusion = HEDDLE_SEMAPHORE(1), two = HEDDLE_SEMAPHORE(2);
static heddle_semaphore first = HEDDLE_BINARY_SEMAPHORE(1), second = HEDDLE_BINARY_SEMAPHORE(0);
static int total, inside, turns;

static void *use_semaphores(void *unused) {
  for (int i = 0; i < rounds; i++) {
    heddle_P(&two);
    heddle_P(&exclusion);
    total++;
    check(++inside == 1, "two threads inside P and V");
    inside--;
    heddle_V(&exclusion);
    heddle_V(&two);
  }
  return NULL;
}

/* Even threads take the first and give the second, odd ones the other way round: V waits where it must. */
static void *take_turns(void *argument) {
  const int is_odd = *(int *)argument % 2;
  for (int i = 0; i < rounds; i++) {
    heddle_P(is_odd ? &second : &first);
    check(turns++ % 2 == is_odd, "the turns are not in order");
    heddle_V(is_odd ? &first : &second);
  }
  return NULL;
}

/* ---- ports ---- */

static heddle_port ports[3] = {HEDDLE_PORT, HEDDLE_BOUNDED_PORT(3), HEDDLE_SYNCHRONOUS_PORT};

static void *send_to_all(void *argument) {
  const long me = *(int *)argument;
  for (int i = 0; i < rounds; i++)
    for (int k = 0; k < 3; k++) heddle_send(&ports[k], me * rounds + i);
  return NULL;
}

static int next[3][THREADS];

static void note(int port, long message) {
  const int sender = (int)(message / rounds);
  check(next[port][sender]++ == message % rounds, "messages of one sender are out of order");
}

static int is_not_ahead(void *unused) {
  return next[0][0] <= next[1][0] + 5;
}

static void *receive_from_all(void *unused) {
  const heddle_alternative alternatives[] = {
      {&ports[0], is_not_ahead, NULL}, {&ports[1], NULL, NULL}, {&ports[2], NULL, NULL}};
  for (int received = 0; received < 3 * THREADS * rounds;) {
    long message;
    int which;
    switch (received % 3) {
    case 0: which = heddle_select(alternatives + 0, 3, &message); break;
    case 1: which = heddle_select_else(alternatives, 3, &message); break;
    default: which = heddle_select_delay(alternatives, 3, &message, 20000);
    }
    if (which < 0 && next[0][0] > next[1][0] + 5) which = heddle_select(alternatives, 3, &message);
    if (which < 0) continue;
    note(which, message);
    received++;
  }
  return NULL;
}

/* ---- monitors: bounded buffers ---- */

struct buffer {
  heddle_monitor monitor;
  heddle_condition not_full, not_empty;
  int count, given, taken;
};

static struct buffer sc = {.monitor = HEDDLE_MONITOR_SC,
                           .not_full = HEDDLE_CONDITION(&sc.monitor),
                           .not_empty = HEDDLE_CONDITION(&sc.monitor)};
static struct buffer su = {.monitor = HEDDLE_MONITOR_SU,
                           .not_full = HEDDLE_CONDITION(&su.monitor),
                           .not_empty = HEDDLE_CONDITION(&su.monitor)};
#define ROOM 2

static void *put_sc(void *unused) {
  for (int i = 0; i < rounds; i++) {
    heddle_monitor_enter(&sc.monitor);
    while (sc.count == ROOM) heddle_wait(&sc.not_full);
    sc.given++;
    sc.count++;
    if (i % 2)
      heddle_signal(&sc.not_empty);
    else
      heddle_broadcast(&sc.not_empty);
    check(i % 2 || heddle_queue_empty(&sc.not_empty), "somebody waits after a broadcast");
    heddle_monitor_exit(&sc.monitor);
  }
  return NULL;
}

static void *take_sc(void *unused) {
  for (int i = 0; i < rounds; i++) {
    heddle_monitor_enter(&sc.monitor);
    while (sc.count == 0) heddle_wait(&sc.not_empty);
    check(sc.count > 0 && sc.count <= ROOM, "an SC monitor's buffer overflows");
    sc.taken++;
    sc.count--;
    heddle_signal_exit(&sc.not_full);
  }
  return NULL;
}

/* What is signalled holds: no need to look again. */
static void *put_su(void *unused) {
  for (int i = 0; i < rounds; i++) {
    heddle_monitor_enter(&su.monitor);
    if (su.count == ROOM) heddle_wait(&su.not_full);
    check(su.count < ROOM, "an SU monitor's signal does not hold");
    su.given++;
    su.count++;
    heddle_signal(&su.not_empty);
    heddle_monitor_exit(&su.monitor);
  }
  return NULL;
}

static void *take_su(void *unused) {
  for (int i = 0; i < rounds; i++) {
    heddle_monitor_enter(&su.monitor);
    if (su.count == 0) heddle_wait(&su.not_empty);
    check(su.count > 0, "an SU monitor's signal does not hold");
    su.taken++;
    su.count--;
    if (i % 2) {
      heddle_signal_exit(&su.not_full);
      continue;
    }
    heddle_signal(&su.not_full);
    heddle_monitor_exit(&su.monitor);
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc > 1) rounds = atoi(argv[1]);
  run_all(use_semaphores);
  check(total == THREADS * rounds, "updates are lost");
  run_all(take_turns);
  check(turns == THREADS * rounds, "turns are lost");
  run((void *(*[])(void *)){send_to_all, send_to_all, send_to_all, send_to_all, receive_from_all}, THREADS + 1);
  for (int i = 0; i < 3; i++) heddle_port_destroy(&ports[i]);
  run((void *(*[])(void *)){put_sc, take_sc, put_sc, take_sc, put_sc, take_sc}, 6);
  check(sc.given == sc.taken && sc.count == 0, "an SC monitor loses something");
  run((void *(*[])(void *)){put_su, take_su, put_su, take_su, put_su, take_su}, 6);
  check(su.given == su.taken && su.count == 0, "an SU monitor loses something");
  heddle_monitor_destroy(&sc.monitor);
  heddle_monitor_destroy(&su.monitor);
  heddle_semaphore_destroy(&two);
  return 0;
}
