/* SPDX-License-Identifier: MIT
 *
 * BB-monitorSU of Lei and Carver: a bounded buffer of SLOTS slots, protected by an SU monitor. PRODUCERS threads
 * deposit an item each, CONSUMERS threads withdraw one each. What a signal says holds when the other continues, so
 * nobody looks again; the signal is the last thing a method does, and leaves the monitor.
 */
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

#ifndef PRODUCERS
#define PRODUCERS 3
#endif
#ifndef CONSUMERS
#define CONSUMERS 3
#endif
#ifndef SLOTS
#define SLOTS 2
#endif

static heddle_monitor monitor = HEDDLE_MONITOR_SU;
static heddle_condition not_full = HEDDLE_CONDITION(&monitor), not_empty = HEDDLE_CONDITION(&monitor);
static int buffer[SLOTS], in, out, full_slots;

static void deposit(int item) {
  heddle_monitor_enter(&monitor);
  if (full_slots == SLOTS) heddle_wait(&not_full);
  assert(full_slots < SLOTS);
  buffer[in] = item;
  in = (in + 1) % SLOTS;
  full_slots++;
  heddle_signal_exit(&not_empty);
}

static int withdraw(void) {
  heddle_monitor_enter(&monitor);
  if (full_slots == 0) heddle_wait(&not_empty);
  assert(full_slots > 0);
  const int item = buffer[out];
  out = (out + 1) % SLOTS;
  full_slots--;
  heddle_signal_exit(&not_full);
  return item;
}

static void *producer(void *unused) {
  deposit(1);
  return NULL;
}

static void *consumer(void *unused) {
  assert(withdraw() == 1);
  return NULL;
}

int main(void) {
  pthread_t threads[PRODUCERS + CONSUMERS];
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
    pthread_create(&threads[i], NULL, i < PRODUCERS ? producer : consumer, NULL);
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++) pthread_join(threads[i], NULL);
  return 0;
}
