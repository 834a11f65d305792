/* SPDX-License-Identifier: MIT
 *
 * RW-monitorSU of Lei and Carver: readers and writers with an SU monitor. READERS threads read once, WRITERS threads
 * write once. A writer that ends lets readers go first; a reader that begins lets the next reader in.
 */
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

#ifndef READERS
#define READERS 3
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

static heddle_monitor monitor = HEDDLE_MONITOR_SU;
static heddle_condition readers_queue = HEDDLE_CONDITION(&monitor), writers_queue = HEDDLE_CONDITION(&monitor);
static int readers, writing;

static void start_read(void) {
  heddle_monitor_enter(&monitor);
  if (writing) heddle_wait(&readers_queue);
  assert(!writing);
  readers++;
  heddle_signal_exit(&readers_queue);
}

static void end_read(void) {
  heddle_monitor_enter(&monitor);
  if (--readers == 0)
    heddle_signal_exit(&writers_queue);
  else
    heddle_monitor_exit(&monitor);
}

static void start_write(void) {
  heddle_monitor_enter(&monitor);
  if (readers > 0 || writing) heddle_wait(&writers_queue);
  assert(readers == 0 && !writing);
  writing = 1;
  heddle_monitor_exit(&monitor);
}

static void end_write(void) {
  heddle_monitor_enter(&monitor);
  writing = 0;
  heddle_signal_exit(heddle_queue_empty(&readers_queue) ? &writers_queue : &readers_queue);
}

static void *reader(void *unused) {
  start_read();
  end_read();
  return NULL;
}

static void *writer(void *unused) {
  start_write();
  end_write();
  return NULL;
}

int main(void) {
  pthread_t threads[READERS + WRITERS];
  for (int i = 0; i < READERS + WRITERS; i++) pthread_create(&threads[i], NULL, i < READERS ? reader : writer, NULL);
  for (int i = 0; i < READERS + WRITERS; i++) pthread_join(threads[i], NULL);
  return 0;
}
